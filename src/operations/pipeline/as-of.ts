/** The day that relative dates count back from: missing, or older than the file. */
import type { Mapping } from '../../mapping/mapping.js';
import { locateMistakes, locationText, sourceTextOf } from '../../mapping/mapping-text.js';
import {
  IF_STATED,
  mappingRules,
  nestedRules,
  type PlacedRule,
  relativeDates,
  undatedFields,
} from '../../mapping/rules.js';
import { MappingError } from '../../model/errors.js';
import type { InputReport } from '../../outcomes/events.js';
import { pathText } from '../../validation/explain-errors.js';

/** What is dated: a mapping, and the `asOf` of the run. */
interface Dated {
  readonly mapping: Mapping;
  readonly asOf?: string | undefined;
}

/** An input, and when it was last changed (ISO 8601), if it is a file. */
type DatedInput = Pick<InputReport, 'name' | 'modified'>;

const PUBLISHED = 'document.published';

/** Returns whether relative dates are left out because the day that they count back from is unknown. */
export function lacksAsOf({ mapping, asOf }: Dated): boolean {
  return undatedFields(mapping, asOf).length > 0;
}

/** Returns whether an import sends nothing because the day that `published` counts back from is unknown. */
export function needsAsOf(dated: Dated): boolean {
  return lacksAsOf(dated) && undatedRule(dated.mapping) !== undefined;
}

/**
 * Keeps an import from sending documents without the date that their records have: a document can't be
 * replaced later.
 * @throws MappingError
 */
export function requireAsOf(dated: Dated, inputs: readonly DatedInput[]): void {
  const { mapping } = dated;
  const undated = lacksAsOf(dated) ? undatedRule(mapping) : undefined;
  if (undated === undefined) return;
  const { path } = undated;
  const message = `${PUBLISHED} reads relative dates, and the day of the export that they count back from is unknown. Nothing was sent, because documents can't get a date later.`;
  const remedies = [
    `To import with dates, add --as-of DATE (asOf). ${dateHint(inputs)}`,
    'To import without dates, remove the rule.',
  ];
  throw new MappingError(
    [`${locationText(mapping, path)}: ${message}`, ...remedies].join('\n'),
    locateMistakes(mapping, [{ path, message }]),
  );
}

/** Finds the rule that leaves `published` empty without an `asOf`; one with an `else` has another value. */
function undatedRule(mapping: Mapping): PlacedRule | undefined {
  return mappingRules(mapping)
    .filter(({ path }) => pathText(path) === PUBLISHED)
    .flatMap(({ rule, path }) => nestedRules(rule, path))
    .find(
      ({ rule }) =>
        typeof rule === 'object' &&
        rule.asOf === IF_STATED &&
        rule.else === undefined &&
        [rule.date].flat().includes('relative'),
    );
}

/** Explains the placeholder DATE, with the latest change of the files as a hint. */
export function dateHint(inputs: readonly DatedInput[]): string {
  const latest = latestChange(inputs);
  const changed = latest && ` ${latest.name} was last changed on ${latest.day}.`;
  return `DATE is the day on which the export was made.${changed ?? ''}`;
}

function latestChange(inputs: readonly DatedInput[]) {
  const [latest] = inputs
    .flatMap(({ name, modified }) => (modified ? [{ name, modified }] : []))
    .toSorted((one, other) => other.modified.localeCompare(one.modified));
  return latest && { ...latest, day: latest.modified.slice(0, 10) };
}

/** Warns about relative dates that are left out, or counted back from a day before the file's. */
export function asOfNotices(dated: Dated, inputs: readonly DatedInput[]): readonly string[] {
  const { mapping, asOf } = dated;
  const undated = undatedFields(mapping, asOf).map((place) => {
    const isNeeded = place === PUBLISHED && undatedRule(mapping) !== undefined;
    const needed = isNeeded ? ' An import without it sends nothing.' : '';
    return `${mapping.name}: ${place} is left out where its date is relative, because the day of the export is unknown: set it with --as-of DATE.${needed}`;
  });
  return [...undated, ...outdatedNotice(dated, inputs)];
}

/** A file that was changed later than this after the start of its `asOf` is probably another export. */
const MAX_LAG_MS = 2 * 24 * 60 * 60_000;

function outdatedNotice(
  { mapping, asOf }: Dated,
  inputs: readonly DatedInput[],
): readonly string[] {
  const counted = [...relativeDates(mapping), ...relativeDates(mapping, IF_STATED)];
  const latest = latestChange(inputs);
  if (asOf !== undefined || counted.length === 0 || latest === undefined) return [];
  const { asOf: day = '' } = mapping;
  if (!(Date.parse(latest.modified) - Date.parse(day) > MAX_LAG_MS)) return [];
  const file = sourceTextOf(mapping)?.name ?? mapping.name;
  return [
    `${latest.name} was last changed on ${latest.day}, and its relative dates are counted back from ${day}, the asOf of ${file}. If it is a newer export, give the day on which it was made: --as-of DATE.`,
  ];
}
