/** Rejects of shards: kept in the state as lines, and written by the process that imports. */

import type { PreparedRun } from '../operations/pipeline/prepare-run.js';
import { OutputError } from '../outputs/output-file.js';
import { rejectsAsLines, writeRejectLines } from '../report/rejects/reject-lines.js';
import type { RejectsReport, RejectsWriter } from '../report/rejects/rejects.js';
import type { PostgresStore } from './postgres/store.js';

/** So many characters are written at once. */
const PAGE_CHARACTERS = 256 * 1024;

/** Collects the rejects of a shard, and writes them page by page. */
export class ShardRejects {
  readonly writer: RejectsWriter;
  readonly #write: (page: number, lines: string) => Promise<void>;
  #lines: string[] = [];
  #characters = 0;
  #pages = 0;
  /** One page after the other. */
  #written: Promise<void> = Promise.resolve();

  constructor(write: (page: number, lines: string) => Promise<void>) {
    this.#write = write;
    this.writer = rejectsAsLines((line) => this.#add(line));
  }

  /** Writes what waits. Rejects also if that failed before. */
  async flush(): Promise<void> {
    if (this.#lines.length > 0) this.#turnPage();
    await this.#written;
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= PAGE_CHARACTERS) this.#turnPage();
  }

  #turnPage(): void {
    const [page, lines] = [this.#pages, this.#lines.join('\n')];
    [this.#pages, this.#lines, this.#characters] = [page + 1, [], 0];
    this.#written = this.#written.then(() => this.#write(page, lines));
    // Whoever flushes is told.
    this.#written.catch(() => {});
  }
}

/** Writes the rejects of all shards where they are asked for; gives the files. */
export async function writeRejects(
  store: PostgresStore,
  run: number,
  { files, sources, stops }: PreparedRun,
): Promise<readonly RejectsReport[]> {
  const { rejects } = files;
  if (rejects === undefined) return [];
  try {
    await writeRejectLines(linesOf(store.rejects(run)), sources, rejects);
    return rejects.close(stops.reason === undefined);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    stops.stop({ kind: 'output', message: error.message, cause: error });
    return [];
  }
}

async function* linesOf(pages: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) yield* page.split('\n');
}
