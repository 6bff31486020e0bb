import type { Dialect } from '../model/chunk.js';
import { couldBeFormula, escapesFormulas } from '../model/reject-columns.js';

/**
 * A CSV record with an apostrophe before each field that a spreadsheet would take for a formula. A
 * later import of the rejects takes it off again.
 * @param record its bytes, as they were read; its quotes have to make sense
 * @param again whether it comes out of rejects, and so has had its apostrophes
 */
export function escapeFormulas(record: Uint8Array, dialect: Dialect, again: boolean): Uint8Array {
  if (!escapesFormulas(dialect)) return record;
  // Byte for byte, as it may not be UTF-8.
  const text = Buffer.from(record).toString('latin1');
  let escaped = '';
  let kept = 0;
  for (const { start, end } of contents(text, dialect)) {
    const beginning = text.slice(start, Math.min(end, endOfApostrophes(text, start) + 1));
    if (!couldBeFormula(beginning) || (again && beginning.startsWith("'"))) continue;
    escaped += `${text.slice(kept, start)}'`;
    kept = start;
  }
  return kept === 0 && escaped === '' ? record : Buffer.from(escaped + text.slice(kept), 'latin1');
}

function endOfApostrophes(text: string, from: number): number {
  let at = from;
  while (text[at] === "'") at += 1;
  return at;
}

/** Where the content of each field stands: within its quotes, if it has any. */
function* contents(
  text: string,
  { delimiter, quote, escape: mark }: Dialect,
): Generator<{ readonly start: number; readonly end: number }> {
  const between = Buffer.from(delimiter).toString('latin1');
  // A record that was cut at LF has the CR of its line end still on it.
  const last = text.endsWith('\r') ? text.length - 1 : text.length;
  for (let at = 0; at <= text.length; ) {
    const quoted = quote !== null && text[at] === quote;
    const close = quoted ? closingQuote(text, at + 1, quote, mark) : at;
    const next = text.indexOf(between, close);
    const end = next < 0 ? last : next;
    yield quoted ? { start: at + 1, end: close } : { start: at, end };
    if (next < 0) return;
    at = next + between.length;
  }
}

function closingQuote(text: string, from: number, quote: string, mark: string | null): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === mark && mark !== quote) at += 1;
    else if (text[at] === quote) {
      if (mark !== quote || text[at + 1] !== quote) return at;
      at += 1;
    }
  }
  return text.length;
}
