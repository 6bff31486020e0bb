/**
 * The journal's format: a line of JSON for each fact, numbered from 1, that begins with a CRC-32 of the
 * rest of it. The first line says whose journal it is, and what the run is.
 */
import { Buffer } from 'node:buffer';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { PublishedWindow } from '../../model/documents.js';
import type { RecordRange, SentOutcome } from '../../model/record-ranges.js';
import type { NewIntent, RunFacts, Settlement } from '../store.js';

export const FORMAT = 1;

/** Input, first and last record of a range. */
type Triple = readonly [number, number, number];

/** A line as it is read. */
export type Entry = { readonly n: number } & (IntentEntry | SettlementEntry | FactEntry);

/** A request that is about to be made; its number is the line's. */
export interface IntentEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly intent: readonly Triple[];
  readonly published: PublishedWindow | null;
  readonly ids: readonly (string | null)[];
  /** Eight bytes a document, in base64. */
  readonly idHashes: string;
  readonly digests: string;
}

interface SettlementEntry {
  readonly at: number;
  readonly settles: number;
  readonly records: readonly Triple[];
  readonly outcome: SentOutcome;
  readonly message: string;
}

interface FactEntry {
  readonly fact: keyof RunFacts;
  /** `null`: it no longer holds. */
  readonly value: unknown;
  /** In the first line. */
  readonly journal?: number;
  readonly run?: string;
}

/** Pieces of a line's JSON. */
export type Fields = readonly (string | Uint8Array)[];

export function firstFields(run: string, description: RunFacts['description']): Fields {
  const [fact = ''] = factFields('description', description);
  return [`"journal":${FORMAT},"run":${JSON.stringify(run)},${fact}`];
}

export function factFields(fact: keyof RunFacts, value: unknown): readonly string[] {
  return [`"fact":"${fact}","value":${JSON.stringify(value)}`];
}

export function intentFields(intent: NewIntent, atMs: number): Fields {
  const { records, ids, idHashes, digests, published } = intent;
  const list = ids.flatMap((piece, index) => (index === 0 ? [piece] : [',', piece]));
  return [
    `"at":${atMs},"intent":${rangesText(records)},"published":${JSON.stringify(published)},"ids":[`,
    ...list,
    `],"idHashes":"${base64(idHashes)}","digests":"${base64(digests)}"`,
  ];
}

export function settlementFields(settlement: Settlement, atMs: number): Fields {
  const { intent, records, outcome, message } = settlement;
  return [
    `"at":${atMs},"settles":${intent},"records":${rangesText(records)},"outcome":"${outcome}","message":${JSON.stringify(message)}`,
  ];
}

/** A line, with its number. */
export function lineOf(n: number, fields: Fields): Buffer {
  const pieces = [`"n":${n},`, ...fields, '}\n'];
  const body = Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
  return Buffer.concat([Buffer.from(startOf(body)), body]);
}

const START_BYTES = 18;

function startOf(body: Uint8Array): string {
  return `{"crc":"${crc32(body).toString(16).padStart(8, '0')}",`;
}

/** `undefined`: it isn't what was written, or not all of it. */
export function parseLine(line: Buffer): Entry | undefined {
  const start = line.toString('latin1', 0, START_BYTES);
  if (start !== startOf(line.subarray(START_BYTES))) return undefined;
  return JSON.parse(line.toString()) as Entry;
}

export function rangesOf(triples: readonly Triple[]): readonly RecordRange[] {
  return triples.map(([input, from, to]) => ({ input, from, to }));
}

function rangesText(ranges: readonly RecordRange[]): string {
  return JSON.stringify(ranges.map(({ input, from, to }) => [input, from, to]));
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
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
