/** Explains dates in the future: their documents are valid, but a rule or the export may be wrong. */
import type { TimeSummary } from '../../coverage/time-spread.js';
import { lineOf } from '../../mapping/mapping-text.js';
import { mainColumns, mappingRules } from '../../mapping/rules.js';
import type { Cause } from '../../report/report.js';
import { type ExplainedRun, placeText } from './explain-causes.js';

/** Dates of today may seem to be later in another time zone. */
const MAX_ZONE_MS = 36 * 60 * 60_000;
/** Formats whose day and month can be taken for each other. */
const DAY_AND_MONTH = /^(?:dd?\W+MM?|MM?\W+dd?)\b/u;
const MAX_MONTH = 12;
/** Starts the remedy if the mapping may be wrong. */
export const SWAPPED = 'check the order of day and month';

export function futureCause(
  { future = [], inFuture, last }: TimeSummary,
  { mapping, command }: Pick<ExplainedRun, 'mapping' | 'command'>,
): readonly Cause[] {
  if (inFuture === 0 || Date.parse(last) < Date.now() + MAX_ZONE_MS) return [];
  const rules = mappingRules(mapping).filter(({ path: [, field] }) => field === 'published');
  const formats = rules.flatMap(({ rule }) => (typeof rule === 'object' ? (rule.date ?? []) : []));
  const canBeSwapped =
    formats.some((format) => DAY_AND_MONTH.test(format)) &&
    future.every(({ published }) => Number(published.slice(8, 10)) <= MAX_MONTH);
  const check = canBeSwapped ? SWAPPED : 'correct the values of the export';
  const before = command === 'validate' ? ' before the import' : '';
  const cause: Cause = {
    kind: 'future-date',
    message: 'the date is in the future, yet the document is valid',
    remedy: `${check}${before}, as an imported document cannot be changed${placeText({ rules, run: { mapping } })}`,
    columns: rules.flatMap(({ rule }) => mainColumns(rule)),
    fields: { published: inFuture },
    records: inFuture,
    cures: 0,
    values: [],
    mappingLines: rules.flatMap(({ path }) => lineOf(mapping, path) ?? []),
    places: future.map(({ published, ...place }) => ({ ...place, value: published })),
  };
  return [cause];
}
