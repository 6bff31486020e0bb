/** The cases of the suites: `cases/` has one a line, as a JSON array that begins with its name. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SourceOptions } from '../../../src/index.js';

type Case = readonly [name: string, ...unknown[]];

/** What a file is read as; messages are patterns. */
export interface ReadAs {
  readonly columns?: readonly string[];
  /** The value of each record, or the kind of what is wrong with it. */
  readonly records: readonly unknown[];
  /** The line of each, where that matters. */
  readonly lines?: readonly number[];
  /** What the message of the only problem says. */
  readonly says?: string;
  /** What ends the reading early. */
  readonly breaksOff?: string;
}

/** A file as text or, where it is none in UTF-8, its bytes; what it is read as, or why it is refused. */
export type FileCase = readonly [
  name: string,
  content: string | { readonly bytes: string },
  expected: ReadAs | string,
  options?: SourceOptions,
];

/** Every case beside its name, which is that of its test. */
export function casesIn<C extends Case = FileCase>(
  name: string,
): readonly (readonly [string, C])[] {
  const file = path.join(import.meta.dirname, 'cases', `${name}.jsonl`);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).map((one) => [one[0], one]);
}

export function contentOf([, content]: FileCase): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.bytes, 'latin1');
}
