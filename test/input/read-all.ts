import { openSources } from '../../src/formats/open-sources.js';
import type { SourceOptions } from '../../src/formats/options.js';
import { locate, parseChunk } from '../../src/formats/read-records.js';
import { strayBytes } from '../../src/formats/stray-bytes.js';
import type { Chunk } from '../../src/model/chunk.js';
import type { ParsedRecord, Problem, RecordValue } from '../../src/model/record.js';
import type { Input, Source, Span } from '../../src/model/source.js';

/** A record as it comes out of a source, with its place. */
export interface ReadRecord {
  readonly record: number;
  readonly line: number | null;
  readonly value?: RecordValue;
  readonly problem?: Problem;
}

export interface ReadSource {
  readonly source: Source;
  readonly chunks: readonly Chunk[];
  readonly records: readonly ReadRecord[];
  /** What ended the reading early. */
  readonly error?: unknown;
}

/** Opens an input of one source and reads it to its end. */
export async function readAll(input: Input, options: SourceOptions = {}): Promise<ReadSource> {
  const [source, ...others] = await openSources(input, options);
  if (source === undefined || others.length > 0) throw new Error('expected one source');
  return await readSource(source).finally(() => source.close());
}

/** What can be read of a source, or of a span of it. */
export async function readSource(source: Source, span?: Span): Promise<ReadSource> {
  const chunks: Chunk[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of source.chunks(undefined, span)) chunks.push(chunk);
  } catch (error) {
    failure = { error };
  }
  return { source, chunks, records: chunks.flatMap(recordsOf), ...failure };
}

function recordsOf(chunk: Chunk): ReadRecord[] {
  const located = chunk.kind === 'bytes' ? locate(chunk) : undefined;
  const whole = chunk.kind === 'broken' ? chunk.position.line : null;
  const parsed = parseChunk(chunk);
  if (located !== undefined && located.length !== parsed.length) throw new Error('not aligned');
  return parsed.map((one, index) => ({
    record: chunk.position.record + index,
    line: located?.[index]?.line ?? whole,
    ...ofEveryField(one),
  }));
}

/** The record, or what is wrong with it for a mapping that uses every column. */
function ofEveryField({
  value = [],
  problem,
  isDamaged,
}: ParsedRecord): Pick<ReadRecord, 'value' | 'problem'> {
  if (problem !== undefined) return { problem };
  return isDamaged ? { problem: strayBytes('a column') } : { value };
}

export function values(read: ReadSource): unknown[] {
  return read.records.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** The bytes as a stream that gives them in pieces of a size. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
