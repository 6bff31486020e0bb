import { Writable } from 'node:stream';
import { OptionError } from '../model/errors.js';
import type { Report } from '../report/report.js';
import { importDocuments } from './import-documents.js';
import type { ImportOptions } from './options.js';
import { type ImportRun, RunFailedError } from './pipeline/import-run.js';

/** Options of `createImportStream`: those of an import without `input`, as records are written to the stream. */
export type ImportStreamOptions = Omit<ImportOptions, 'input'>;

interface Write {
  readonly records: readonly unknown[];
  /** Acknowledges the write once the run has taken its last record. */
  readonly done: () => void;
}

/**
 * Writable stream that imports the objects written to it, with backpressure: a slow service slows the
 * source. Emits `finish` once every record has its outcome, and `error` if the run fails or ends before
 * the writing does. Destroying the stream stops the run gracefully: it emits `close` when the requests in
 * flight are answered.
 */
export class ImportStream extends Writable {
  readonly run: ImportRun;
  #pending: Write | undefined;
  #isEnding = false;
  #wake: () => void = () => {};

  /** Use `createImportStream`. */
  constructor(options: ImportStreamOptions) {
    super({ objectMode: true });
    this.run = importDocuments({ ...options, input: this.#records() });
    void this.#destroyAtEnd();
  }

  /** The report, once every record has its outcome; rejects as the run does. */
  get report(): Promise<Report> {
    return this.run;
  }

  override _writev(writes: readonly { readonly chunk: unknown }[], done: Done): void {
    const records = writes.map(({ chunk }) => chunk);
    if (records.some(isBytes)) {
      done(
        new OptionError(
          "Text or bytes were written to an import stream, which takes one object per record. To import a file's content, pass its stream to importDocuments as input.",
        ),
      );
      return;
    }
    this.#pending = { records, done };
    this.#wake();
  }

  override _final(done: Done): void {
    this.#end();
    this.run.then(
      () => done(),
      (error: unknown) => done(error as Error),
    );
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#end();
    void this.run[Symbol.asyncDispose]().then(() => done(error));
  }

  /** Destroys the stream when the run ends before the writing does; the writer would wait forever. */
  async #destroyAtEnd(): Promise<void> {
    try {
      const report = await this.run;
      if (!this.#isEnding) this.destroy(new RunFailedError(report, undefined));
    } catch (error) {
      if (!this.#isEnding) this.destroy(error as Error);
    }
  }

  #end(): void {
    this.#isEnding = true;
    this.#wake();
  }

  /** Input of the run: yields records as they are written. */
  async *#records(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      const write = this.#pending;
      if (write !== undefined) {
        this.#pending = undefined;
        yield* write.records;
        write.done();
      } else if (this.#isEnding) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

type Done = (error?: Error | null) => void;

function isBytes(record: unknown): boolean {
  return typeof record === 'string' || record instanceof Uint8Array;
}

/**
 * Creates the last stream of a pipeline of objects, which imports them as `importDocuments` does:
 * `await pipeline(source, createImportStream({ mapping, monitoring, connection }))`. Never throws: the
 * stream emits the errors of `importDocuments`, wrong options included.
 */
export function createImportStream(options: ImportStreamOptions): ImportStream {
  return new ImportStream(options);
}
