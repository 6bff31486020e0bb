import { count, thousands } from '../model/figures.js';
import type { ProblemKind } from '../model/record.js';
import { quote } from '../model/text.js';
import type { Cause, Report } from './report.js';

/** Most causes shown as text; the report's JSON has all. */
const MAX_CAUSES = 12;

/** A cause of problems in words, for the terminal, Markdown and the page. */
export interface CauseText {
  /** `mixed` if the records may have been imported. */
  readonly tone: 'mixed' | 'bad';
  /** `300 records: score isn't a number → metrics.score, sentiment`. */
  readonly title: string;
  /** `"n/a" ×300; first lines 11, 1628, 3233`. */
  readonly evidence: string;
  /** `Fix (+300 records): …`; absent if the title has it. */
  readonly remedy?: string;
}

/** Words the causes of a report, those whose cure brings most first. */
export function causeTexts({ causes, inputs }: Pick<Report, 'causes' | 'inputs'>): {
  readonly shown: readonly CauseText[];
  /** Number of further causes. */
  readonly more: number;
} {
  const texts = causes.slice(0, MAX_CAUSES).map((cause) => causeText(cause, inputs.length > 1));
  return { shown: texts, more: causes.length - texts.length };
}

/** Words a cause of problems. */
export function causeText(cause: Cause, namesSources: boolean): CauseText {
  const { kind, records, message, remedy, fields, cures } = cause;
  const names = Object.keys(fields);
  const shown = names.slice(0, MAX_FIELDS).join(', ');
  const more = names.length > MAX_FIELDS ? ` and ${names.length - MAX_FIELDS} more` : '';
  const gain = cures > 0 && causeTone(kind) === 'bad' ? ` (+${count(cures, 'record')})` : '';
  return {
    tone: causeTone(kind),
    title: `${count(records, 'record')}: ${message}${names.length === 0 ? '' : ` → ${shown}${more}`}`,
    evidence: [...valuesText(cause), placesText(cause, namesSources)].join('; '),
    ...(remedy === null ? {} : { remedy: `Fix${gain}: ${remedy}` }),
  };
}

const MAY_BE_IMPORTED: ReadonlySet<ProblemKind> = new Set([
  'future-date',
  'changed',
  'in-doubt',
  'unknown',
  'sent-again',
  'shown-twice',
  'known',
  'duplicate',
]);

function causeTone(kind: ProblemKind): CauseText['tone'] {
  return MAY_BE_IMPORTED.has(kind) ? 'mixed' : 'bad';
}

const MAX_FIELDS = 5;
const MAX_VALUES = 3;
const MAX_PLACES = 3;

/** Lists frequent values, unless each occurs once: the places show those, too. */
function valuesText(cause: Cause): readonly string[] {
  const areShown = cause.places.every(({ value }) => value !== undefined);
  const isOnce = cause.values.every(({ value, count: one }) => value === '' || one === 1);
  const text = frequentValues(cause);
  return text === '' || (areShown && isOnce) ? [] : [text];
}

/** Lists the most frequent values of a cause: `"n/a" ×300, …`; empty if it has none. */
function frequentValues({ values, records }: Pick<Cause, 'values' | 'records'>): string {
  const filled = values.filter(({ value }) => value !== '').slice(0, MAX_VALUES);
  if (filled.length === 0) return '';
  const times = ({ value, count: number }: (typeof values)[number]): string =>
    `${quote(value)}${number > 1 ? ` ×${thousands(number)}` : ''}`;
  const isAll = filled.reduce((sum, { count: number }) => sum + number, 0) === records;
  return `${filled.map(times).join(', ')}${isAll ? '' : ', …'}`;
}

/** Names the first places, each with its value unless all have the same. */
function placesText({ values, places, records }: Cause, namesSources: boolean): string {
  const isOne = values[0]?.count === records && records > 1;
  const shown = places.slice(0, MAX_PLACES);
  const unit = shown.every(({ line }) => line !== null) ? 'line' : 'record';
  const numbers = shown.map(({ source, record, line, value = '' }) => {
    const found = value === '' || isOne ? '' : ` (${quote(value)})`;
    return `${line ?? record}${namesSources ? ` of ${source}` : ''}${found}`;
  });
  return `${records > shown.length ? 'first ' : ''}${unit}${shown.length > 1 ? 's' : ''} ${numbers.join(', ')}`;
}
