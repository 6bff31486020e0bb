/** Records whose values are in the columns of others, because a quote or a delimiter is missing. */
import { count } from '../../model/figures.js';
import type { Problem } from '../../model/record.js';
import { countWords } from '../profile-column.js';
import { quoted } from './draft.js';

/** A record, and what is wrong with its values. */
export interface FailedRecord {
  readonly number: number;
  readonly problems: readonly Problem[];
}

/** Number of words that no rating, count or address has. */
const MIN_WORDS = 4;

/**
 * Returns whether a record doesn't fit its columns: several can't be read, or one that holds a
 * sentence, or a rating instead of a date.
 */
export function isShifted({ problems }: FailedRecord): boolean {
  const misfits = problems.filter(({ columns = [], value = '' }) => columns[0] && value !== '');
  if (new Set(misfits.map(({ columns }) => columns?.[0])).size > 1) return true;
  return misfits.some(({ kind, value = '' }) =>
    kind === 'unreadable-date' ? /^\d{1,2}$/u.test(value) : countWords(value) >= MIN_WORDS,
  );
}

/** Number of records that are named. */
const MAX_NAMED = 5;

export function shiftedRemarks(rows: readonly FailedRecord[]): readonly string[] {
  const [first] = rows.flatMap(({ problems }) => problems);
  if (first === undefined) return [];
  const numbers = rows.slice(0, MAX_NAMED).map(({ number }) => String(number));
  const named = `${count(rows.length, 'record')} of the sample (${numbers.join(', ')}${rows.length > MAX_NAMED ? ', …' : ''})`;
  const example = `${quoted(first.value ?? '')} in ${quoted(first.columns?.[0] ?? '')}`;
  return [
    `Not fitting their columns: ${named}, for example ${example}. A quote or a delimiter is missing there. An import leaves them out as invalid; to have them, correct the file.`,
  ];
}
