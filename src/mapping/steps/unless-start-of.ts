import type { RecordValue } from '../../model/record.js';
import { type CompiledRule, Failure, isList, type Step } from './value.js';

/** Titles of fewer characters are the start of a text only if they end where a word does. */
const SHORT = 12;
/** What is left of "…", "...", "[…]" or "(...)" at a title's end, once it is folded. */
const ELLIPSIS = /[\s([]*\.{2,}[)\]\s]*$/u;
const QUOTES = /^["'“”„«»‘’\s]+|["'“”„«»‘’\s]+$/gu;

/** The step `unlessStartOf`: nothing, where the value only says how the other text begins. */
export function compileUnlessStartOf(other: CompiledRule): Step {
  return (value, record: RecordValue) => {
    const text = other(record);
    if (text === undefined || text instanceof Failure) return value;
    const whole = isList(text) ? text.join('\n') : String(text);
    return isStartOf(String(value), whole) ? undefined : value;
  };
}

/**
 * Whether a title is how a text begins, as far as it goes: white space, case and quotes around it
 * don't count, nor does an ellipsis at its end, behind which even a word may be cut.
 */
export function isStartOf(title: string, text: string): boolean {
  const folded = fold(title).replace(QUOTES, '');
  const start = folded.replace(ELLIPSIS, '').replace(QUOTES, '');
  const whole = fold(text).replace(QUOTES, '');
  if (!whole.startsWith(start)) return false;
  const cut = ELLIPSIS.test(folded);
  return cut || start.length >= SHORT || !/^[\p{L}\p{N}]/u.test(whole.slice(start.length));
}

/** NFKC makes three full stops of an ellipsis. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
