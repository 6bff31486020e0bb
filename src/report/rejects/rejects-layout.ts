import { Buffer } from 'node:buffer';
import type { Layout } from '../../model/chunk.js';
import type { Place, Problem, RecordAsRead } from '../../model/record.js';

/** Text around a source's records, as UTF-8, for writing another file like it. */
export interface RejectsSource {
  /** A path as given, `stdin`, or `records`. */
  readonly name: string;
  readonly input: number;
  readonly layout: Layout;
  readonly detected: { readonly encoding?: string | null | undefined };
  /** Bytes before the first record: skipped lines and header, or the start of a document. */
  readonly head: Uint8Array;
  /** See {@link Source}. */
  readonly byteOrderMark?: boolean;
  /** Bytes after the last record; may be empty until the source has been read to its end. */
  readonly tail: Uint8Array;
}

const LF = 0x0a;
const CR = 0x0d;

/** Key of sources that can share a file. */
export function layoutKey({ layout, detected, head, byteOrderMark }: RejectsSource): string {
  const start = Buffer.from(head).toString('latin1');
  const { format, dialect = null } = layout;
  return JSON.stringify([format, detected.encoding ?? null, dialect, start, byteOrderMark]);
}

/** Line end to write after a record, if it has none. */
export function lineEndAfter(record: Uint8Array, usual: string): string {
  const last = record.at(-1);
  if (last === LF || (last === CR && usual === '\r')) return '';
  // A record cut at LF still has the CR of CRLF.
  return last === CR ? '\n' : usual;
}

/** Detects a source's line end from its head. */
export function lineEndOf(head: Uint8Array): string {
  const at = head.indexOf(LF);
  if (at < 0) return head.includes(CR) ? '\r' : '\n';
  return head[at - 1] === CR ? '\r\n' : '\n';
}

/** Length of a trailing line end. */
export function lineEndLength(bytes: Uint8Array): number {
  const last = bytes.at(-1);
  if (last === LF) return bytes.at(-2) === CR ? 2 : 1;
  return last === CR ? 1 : 0;
}

const TEXT_IN_JSON = /"(?:[^"\\]|\\.)*"/gu;

/** Closes the brackets opened by the start of a JSON document whose end was never read. */
export function closeBrackets(head: Uint8Array): string {
  const open: string[] = [];
  const outside = Buffer.from(head).toString('latin1').replaceAll(TEXT_IN_JSON, '');
  for (const bracket of outside.match(/[[\]{}]/gu) ?? []) {
    if (bracket === '[' || bracket === '{') open.push(bracket === '[' ? ']' : '}');
    else open.pop();
  }
  return open.reverse().join('');
}

/** Record to be fixed, with its problems. */
export interface Reject extends Omit<RecordAsRead, 'shape'> {
  readonly place: Place;
  readonly outcome: 'invalid' | 'rejected' | 'unknown';
  readonly problems: readonly Problem[];
}
