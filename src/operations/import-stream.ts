import { Writable } from 'node:stream';
import { OptionError } from '../model/errors.js';
import type { Report } from '../report/report.js';
import { importDocuments } from './import-documents.js';
import type { ImportOptions } from './options.js';
import { type ImportRun, RunFailedError } from './pipeline/import-run.js';

/** What `createImportStream` takes: the records are written. */
export type ImportStreamOptions = Omit<ImportOptions, 'input'>;

/** Records that were written together. */
interface Written {
  readonly records: readonly unknown[];
  /** To be called when the run has taken the last of them. */
  readonly taken: () => void;
}

/**
 * An import of the objects that are written to it: the end of a pipeline. It takes no more than the
 * run can, so that a slow service slows the source. `finish` comes once every record is settled; a
 * run that fails, or ends before the writing does, is the stream's error. Destroying it stops the run
 * in good order: `close` comes when the requests in flight are answered.
 */
export class ImportStream extends Writable {
  /** The run: its events, its progress. */
  readonly run: ImportRun;
  #written: Written | undefined;
  #isEnding = false;
  #wake: () => void = () => {};

  /** Made by `createImportStream`. */
  constructor(options: ImportStreamOptions) {
    super({ objectMode: true });
    this.run = importDocuments({ ...options, input: this.#records() });
    void this.#destroyAtEnd();
  }

  /** The report, once every record is settled; rejects as the run does. */
  get report(): Promise<Report> {
    return this.run;
  }

  override _write(record: unknown, _: BufferEncoding, done: Done): void {
    this.#give([record], done);
  }

  override _writev(written: readonly { readonly chunk: unknown }[], done: Done): void {
    const records = written.map(({ chunk }) => chunk);
    this.#give(records, done);
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

  #give(records: readonly unknown[], done: Done): void {
    if (records.some(isBytes)) {
      done(
        new OptionError(
          "An import stream takes objects, a record each, and was written text or bytes. To import a file's content, give the stream of it to importDocuments as its input.",
        ),
      );
      return;
    }
    this.#written = { records, taken: done };
    this.#wake();
  }

  /** A run that ends while somebody writes: they would wait for good. */
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

  /** What is written, as the run asks for it. */
  async *#records(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      const written = this.#written;
      if (written !== undefined) {
        this.#written = undefined;
        yield* written.records;
        written.taken();
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
 * Makes the end of a pipeline of objects that imports them, as `importDocuments` does:
 * `await pipeline(source, createImportStream({ mapping, monitoring, connection }))`.
 */
export function createImportStream(options: ImportStreamOptions): ImportStream {
  return new ImportStream(options);
}
