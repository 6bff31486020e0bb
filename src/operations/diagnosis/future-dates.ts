/** Explains dates in the future: their documents are valid, but a rule or the export may be wrong. */
import type { TimeSummary } from '../../coverage/time-spread.js';
import { mappingLine } from '../../mapping/mapping-text.js';
import { mainColumns, mappingRules } from '../../mapping/rules.js';
import type { Cause } from '../../report/report.js';
import { type ExplainedRun, placeText } from './explain-causes.js';

/** Dates of today may seem to be later in another time zone. */
const MAX_ZONE_MS = 36 * 60 * 60_000;
/** Formats whose day and month can be taken for each other. */
const DAY_AND_MONTH = /^(?:dd?\W+MM?|MM?\W+dd?)\b/u;
const MAX_MONTH = 12;

/** @returns `undefined` if no date is in the future */
export function explainFutureDates(
  { future, inFuture, last }: TimeSummary,
  { mapping, command }: Pick<ExplainedRun, 'mapping' | 'command'>,
): Cause | undefined {
  if (inFuture === 0 || Date.parse(last) < Date.now() + MAX_ZONE_MS) return undefined;
  const rules = mappingRules(mapping).filter(({ path: [, field] }) => field === 'published');
  const formats = rules.flatMap(({ rule }) => (typeof rule === 'object' ? (rule.date ?? []) : []));
  const mayBeSwapped =
    formats.some((format) => DAY_AND_MONTH.test(format)) &&
    future.every(({ published }) => Number(published.slice(8, 10)) <= MAX_MONTH);
  const check = mayBeSwapped
    ? 'check the order of day and month'
    : 'correct the values of the export';
  const late =
    command === 'validate'
      ? ' before the import, as an imported document cannot be changed'
      : '; a document in the service cannot be changed';
  return {
    kind: 'future-date',
    message: 'the date is in the future, yet the document is valid',
    remedy: `${check}${late}${placeText({ rules, run: { mapping } })}`,
    fixedIn: [mayBeSwapped ? 'mapping' : 'export'],
    columns: rules.flatMap(({ rule }) => mainColumns(rule)),
    fields: { published: inFuture },
    records: inFuture,
    cures: 0,
    values: [],
    mappingLines: rules.flatMap(({ path }) => mappingLine(mapping, path) ?? []),
    places: future.map(({ published, ...place }) => ({ ...place, value: published })),
  };
}
