import { printable } from '../../report/printable.js';
import type { Batches } from './batches.js';

/** One object a line. */
export async function* jsonLines(batches: Batches<unknown>): AsyncGenerator<string> {
  for await (const batch of batches) {
    yield batch.map((record) => `${printable(JSON.stringify(record))}\n`).join('');
  }
}

/** One list. It is only whole at its end. */
export async function* jsonList(batches: Batches<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    const texts = batch.map((record) => jsonText(record, '  '));
    yield before + texts.join(',\n');
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

/**
 * A value for people and programs. What would act on a terminal is escaped, as JSON allows; the
 * value stays the same.
 */
export function jsonText(value: unknown, indent = ''): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => indent + printable(line))
    .join('\n');
}
