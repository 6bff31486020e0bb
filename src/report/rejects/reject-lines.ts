/** Rejects as data: one process hands them on, and the one that has the files writes them. */
import { Buffer } from 'node:buffer';
import { asBuffer } from '../../model/chunk.js';
import type { RejectEntry, RejectsSource, RejectsWriter } from './rejects.js';

/** A reject as JSON. */
interface RejectLine extends Omit<RejectEntry, 'source' | 'raw' | 'fields'> {
  /** Index of its source among the run's inputs, from 0. */
  readonly input: number;
  /** In base64, as are the fields: bytes need not be valid UTF-8. */
  readonly raw: string;
  readonly fields?: string;
}

/**
 * Hands rejects on instead of writing them.
 * @param sink takes each as a line of JSON, without a line end
 */
export function rejectsAsLines(sink: (line: string) => void): RejectsWriter {
  return {
    add({ source, raw, fields, ...reject }) {
      const line: RejectLine = {
        input: source.input,
        ...reject,
        raw: inBase64(raw),
        ...(fields === undefined ? {} : { fields: inBase64(fields) }),
      };
      sink(JSON.stringify(line));
    },
    close: () => [],
  };
}

/**
 * Writes rejects that other processes have handed on.
 * @param lines all of them, in the order in which they are to stand in the files
 * @param sources those of the run, open here as they were there
 * @throws OutputError
 */
export async function writeRejectLines(
  lines: Iterable<string> | AsyncIterable<string>,
  sources: readonly RejectsSource[],
  writer: RejectsWriter,
): Promise<void> {
  for await (const line of lines) writer.add(entryOf(line, sources));
}

function entryOf(line: string, sources: readonly RejectsSource[]): RejectEntry {
  const { input, raw, fields, ...reject } = JSON.parse(line) as RejectLine;
  const source = sources[input];
  if (source === undefined)
    throw new Error(`A reject is of input ${input}, which the run has not.`);
  return {
    source,
    ...reject,
    raw: Buffer.from(raw, 'base64'),
    ...(fields === undefined ? {} : { fields: Buffer.from(fields, 'base64') }),
  };
}

function inBase64(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('base64');
}
