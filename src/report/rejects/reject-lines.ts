/** Serialises rejects, so that shards can pass them to the process that writes the files. */
import { Buffer } from 'node:buffer';
import { asBuffer } from '../../model/chunk.js';
import type { RejectEntry, RejectsSource, RejectsWriter } from './rejects.js';

interface RejectLine extends Omit<RejectEntry, 'source' | 'raw' | 'fields'> {
  /** Index of the source among the run's inputs, from 0. */
  readonly input: number;
  /** Base64, like `fields`, as bytes need not be valid UTF-8. */
  readonly raw: string;
  readonly fields?: string;
}

/**
 * Creates a writer that serialises rejects.
 * @param sink receives each as a line of JSON, without a line end
 */
export function rejectsAsLines(sink: (line: string) => void): RejectsWriter {
  return {
    add({ source, raw, fields, ...reject }) {
      const bytes = { raw: inBase64(raw), ...(fields && { fields: inBase64(fields) }) };
      const line: RejectLine = { input: source.input, ...reject, ...bytes };
      sink(JSON.stringify(line));
    },
    finish: () => [],
    abandon: () => {},
    close: () => [],
  };
}

/**
 * Writes rejects that other processes serialised.
 * @param lines in the order of the files
 * @param sources those of the run
 * @throws OutputError
 */
export async function writeRejectLines(
  lines: Iterable<string> | AsyncIterable<string>,
  sources: readonly RejectsSource[],
  writer: RejectsWriter,
): Promise<void> {
  for await (const line of lines) {
    const { input, raw, fields, ...reject } = JSON.parse(line) as RejectLine;
    const source = sources[input];
    if (source === undefined)
      throw new Error(`A reject is of input ${input}, which the run doesn't have.`);
    writer.add({
      source,
      ...reject,
      raw: Buffer.from(raw, 'base64'),
      ...(fields !== undefined && { fields: Buffer.from(fields, 'base64') }),
    });
  }
}

function inBase64(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('base64');
}
