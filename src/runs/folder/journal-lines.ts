/**
 * The journal's format: a line of JSON for each fact, numbered from 1, that begins with a CRC-32 of the
 * rest of it. The first line says whose journal it is, and what the run is.
 */
import { Buffer } from 'node:buffer';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { PublishedWindow } from '../../model/documents.js';
import type { RecordRange, SentOutcome } from '../../model/record-ranges.js';
import type { RunFacts } from '../store.js';

export const FORMAT = 1;

/** Input, first and last record of a range. */
type Triple = readonly [number, number, number];

/** What a line says, without its number. */
export type Fact =
  /** A request that is about to be made; it has its line's number. */
  | {
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly intent: readonly Triple[];
      readonly published: PublishedWindow | null;
      /** Eight bytes a document, in base64. */
      readonly idHashes: string;
      readonly digests: string;
      /** Written as pieces of JSON, see {@link lineOf}. */
      readonly ids?: readonly (string | null)[];
    }
  /** What became of documents of a request. */
  | {
      readonly at: number;
      readonly settles: number;
      readonly records: readonly Triple[];
      readonly outcome: SentOutcome;
      readonly message: string;
    }
  /** Of the whole run. */
  | {
      readonly fact: keyof RunFacts;
      /** `null`: it no longer holds. */
      readonly value: unknown;
      /** In the first line. */
      readonly journal?: number;
      readonly run?: string;
    };

/** A line as it is read. */
export type Entry = Fact & { readonly n: number };

const START_BYTES = 18;

/**
 * A line, with its number.
 * @param ids the sourceIds of an intent in pieces of a JSON list: most of a line need not be made again
 */
export function lineOf(n: number, fact: Fact, ids: readonly Uint8Array[] = []): Buffer {
  const fields = JSON.stringify({ n, ...fact }).slice(1, -1);
  const list = ids.flatMap((piece, at) => [Buffer.from(at === 0 ? ',"ids":[' : ','), piece]);
  const end = ids.length === 0 ? '}\n' : ']}\n';
  const body = Buffer.concat([Buffer.from(fields), ...list, Buffer.from(end)]);
  return Buffer.concat([Buffer.from(startOf(body)), body]);
}

function startOf(body: Uint8Array): string {
  return `{"crc":"${crc32(body).toString(16).padStart(8, '0')}",`;
}

/** `undefined`: it isn't what was written, or not all of it. */
export function parseLine(line: Buffer): Entry | undefined {
  const start = line.toString('latin1', 0, START_BYTES);
  if (start !== startOf(line.subarray(START_BYTES))) return undefined;
  return JSON.parse(line.toString()) as Entry;
}

export function triplesOf(ranges: readonly RecordRange[]): readonly Triple[] {
  return ranges.map(({ input, from, to }) => [input, from, to]);
}

export function rangesOf(triples: readonly Triple[]): readonly RecordRange[] {
  return triples.map(([input, from, to]) => ({ input, from, to }));
}

const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** A file's lines with where they start; the last one may lack its end. */
export function* readLines(
  file: string,
  start = 0,
): Generator<{ readonly line: Buffer; readonly offset: number }, void, undefined> {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let rest: Buffer = Buffer.alloc(0);
    let offset = start;
    for (;;) {
      const read = readSync(descriptor, block, 0, BLOCK_BYTES, offset + rest.byteLength);
      const bytes = Buffer.concat([rest, block.subarray(0, read)]);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        yield { line: bytes.subarray(from, end + 1), offset: offset + from };
        from = end + 1;
      }
      rest = bytes.subarray(from);
      offset += from;
      if (read > 0) continue;
      if (rest.byteLength > 0) yield { line: rest, offset };
      return;
    }
  } finally {
    closeSync(descriptor);
  }
}
