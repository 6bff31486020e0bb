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

/** Share of the records from which the rules are wrong, not the rows. */
const MAX_SHARE = 0.05;

/** Finds the records that don't fit their columns, if they are few of all. */
export function shiftedRecords(
  failed: readonly FailedRecord[],
  all: number,
): readonly FailedRecord[] {
  const shifted = failed.filter(isShifted);
  return shifted.length <= Math.max(1, all * MAX_SHARE) ? shifted : [];
}

/** Returns whether a column holds a sentence, or a rating instead of a date. */
function isShifted({ problems }: FailedRecord): boolean {
  const misfits = problems.filter(({ columns = [], value = '' }) => columns[0] && value !== '');
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
