/** Samples records from the start, middle and end of a source. */
import { isUtf8 } from 'node:buffer';
import { parseChunk } from '../formats/read-records.js';
import { compileHeaderTest } from '../mapping/compile/compile-mapping.js';
import { asBuffer, type Chunk, type Layout } from '../model/chunk.js';
import { count, thousands } from '../model/figures.js';
import type { RecordValue } from '../model/record.js';
import type { Source } from '../model/source.js';

/** A readable record of the sample. */
export interface SampledRecord {
  /** Number in the source, from 1. */
  readonly number: number;
  readonly value: RecordValue;
  /** As in `ParsedRecord`. */
  readonly isDamaged?: boolean;
}

/** Records sampled from a source. */
export interface Sample {
  readonly source: string;
  readonly layout: Layout;
  readonly records: readonly SampledRecord[];
  /** Rows below a table's header that describe its columns. */
  readonly labels?: readonly (readonly string[])[];
  /** Number of sampled records that could not be read. */
  readonly unreadable: number;
  /** Number of records in the part of the source that was read. */
  readonly seen: number;
  /** Whether the sample holds all records of the source. */
  readonly whole: boolean;
  /** Day on which the file was last changed; otherwise today. */
  readonly day: string;
  /** Messages about the source, for example about undecodable bytes. */
  readonly remarks: readonly string[];
  /** Sampled chunks that aren't valid UTF-8, concatenated; `undefined` if there are none. */
  readonly notUtf8?: Buffer | undefined;
}

export interface SampleBounds {
  /** Maximum number of records in the sample. */
  readonly records: number;
  /** Maximum number of bytes read to get to the middle and end of the source. */
  readonly bytes: number;
}

/** Number of chunks retained from the start, and from the end. */
const EDGE_CHUNKS = 3;
/** Number of chunks retained between; half of them are dropped when exceeded. */
const MAX_BETWEEN = 12;

/** Reads a source up to a bound, and samples records from all parts of it. */
export async function takeRecords(source: Source, bounds: SampleBounds): Promise<Sample> {
  const spread = new SpreadChunks();
  let whole = true;
  let seen = 0;
  for await (const chunk of source.chunks()) {
    spread.add(chunk);
    seen += chunk.records;
    if (source.bytesRead() < bounds.bytes) continue;
    whole = false;
    break;
  }
  const { labels = [] } = source.reading ?? {};
  const complete = whole && spread.complete() && seen <= bounds.records;
  const taken = sampledRecords(source, spread.chunks(), bounds.records);
  const remarks = [
    ...(source.remarks?.() ?? []),
    ...unreadableRemarks(taken),
    ...strayRemarks(taken.records),
    ...repeatedNames(source.layout),
  ];
  const day = new Date(source.file?.modifiedMs ?? Date.now()).toISOString().slice(0, 10);
  const notUtf8 = notUtf8In(spread.chunks());
  return { ...taken, labels, notUtf8, seen, whole: complete, day, remarks };
}

/** Lists the columns that no rule can name. */
function repeatedNames({ columns = [] }: Layout): readonly string[] {
  const repeated = new Set(columns.filter((name, at) => columns.indexOf(name) !== at));
  return [...repeated].map(
    (name) =>
      `Several columns are named ${JSON.stringify(name)}, so none of them is used. To use one, set header under input to a list of ${columns.length} unique names, with skipLines to skip the file's header.`,
  );
}

function strayRemarks(records: readonly SampledRecord[]): readonly string[] {
  const broken = records.filter(({ isDamaged }) => isDamaged);
  const [first] = broken;
  if (first === undefined) return [];
  return [
    `${count(broken.length, 'record')} of ${thousands(records.length)} hold bytes that are not UTF-8. The first is record ${first.number}. A record is invalid if the mapping uses a field with such bytes.`,
  ];
}

function unreadableRemarks({ unreadable, firstUnreadable }: Taken): readonly string[] {
  if (firstUnreadable === undefined) return [];
  return [
    `${count(unreadable, 'sampled record')} can't be read. The first is record ${firstUnreadable}.`,
  ];
}

function notUtf8In(chunks: readonly Chunk[]): Buffer | undefined {
  const bytes = chunks.flatMap((chunk) => (chunk.kind === 'bytes' ? [asBuffer(chunk.bytes)] : []));
  const broken = bytes.filter((one) => !isUtf8(one));
  return broken.length === 0 ? undefined : Buffer.concat(broken);
}

/** Retains the first chunks, the last ones, and evenly spread ones between, from a stream of unknown length. */
class SpreadChunks {
  readonly #first: Chunk[] = [];
  readonly #between: Chunk[] = [];
  readonly #last: Chunk[] = [];
  #stride = 1;
  #leaving = 0;

  add(chunk: Chunk): void {
    if (this.#first.length < EDGE_CHUNKS) {
      this.#first.push(chunk);
      return;
    }
    this.#last.push(chunk);
    if (this.#last.length <= EDGE_CHUNKS) return;
    const leaving = this.#last.shift() as Chunk;
    if (this.#leaving % this.#stride === 0) this.#between.push(leaving);
    this.#leaving += 1;
    if (this.#between.length > MAX_BETWEEN) this.#thinOut();
  }

  chunks(): readonly Chunk[] {
    return [...this.#first, ...this.#between, ...this.#last];
  }

  complete(): boolean {
    return this.#between.length === this.#leaving;
  }

  #thinOut(): void {
    const half = this.#between.filter((_, index) => index % 2 === 0);
    this.#between.splice(0, this.#between.length, ...half);
    this.#stride *= 2;
  }
}

interface Taken extends Pick<Sample, 'source' | 'layout' | 'records' | 'unreadable'> {
  /** Its number, and why. */
  readonly firstUnreadable?: string | undefined;
}

/** Parses at most `most` records, evenly spread over all chunks. */
function sampledRecords({ name, layout }: Source, chunks: readonly Chunk[], most: number): Taken {
  const available = chunks.reduce((sum, chunk) => sum + chunk.records, 0);
  const step = Math.max(1, available / most);
  const records: SampledRecord[] = [];
  let unreadable = 0;
  let firstUnreadable: string | undefined;
  let before = 0;
  let next = 0;
  for (const chunk of chunks) {
    for (const [index, parsed] of parseChunk(chunk).entries()) {
      if (before + index < Math.floor(next)) continue;
      next += step;
      const number = chunk.position.record + index;
      if (parsed.problem === undefined) {
        records.push({ number, value: parsed.value, isDamaged: parsed.isDamaged === true });
        continue;
      }
      unreadable += 1;
      firstUnreadable ??= `${number}: ${parsed.problem.message}`;
    }
    before += chunk.records;
  }
  const repeatsHeader = compileHeaderTest(layout.columns ?? null);
  const own = records.filter(({ value }) => !repeatsHeader(value));
  return { source: name, layout, records: own, unreadable, firstUnreadable };
}
