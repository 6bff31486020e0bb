/** Finds an edit that lets a rule read the values that it fails on. */
import { compileRule } from '../../mapping/compile/compile-rule.js';
import type { Locales, Mapping, RuleObject } from '../../mapping/mapping.js';
import { flowYaml } from '../../mapping/mapping-text.js';
import { Failure } from '../../mapping/steps/value.js';
import type { ProblemKind } from '../../model/record.js';

export interface SuggestedEdit {
  /** Predicate of the values: `are ISO 8601`. */
  readonly values: string;
  /** The keys to write in the rule: `date: iso`. */
  readonly edit: string;
}

interface FailingRule {
  readonly kind: ProblemKind;
  readonly rule: RuleObject;
  /** Different values that the failing step got. */
  readonly values: readonly string[];
  /** Whether the rule reads other values as it is. */
  readonly readsOthers: boolean;
}

interface Candidate extends Pick<SuggestedEdit, 'values'> {
  readonly keys: Partial<RuleObject>;
}

/** Returns the first candidate that reads all values; `undefined` if none does. */
export async function suggestEdit(
  failing: FailingRule,
  { zone, locale }: Pick<Mapping, 'zone' | 'locale'>,
): Promise<SuggestedEdit | undefined> {
  if (failing.values.length === 0) return undefined;
  const scope = { columns: ['value'], zone, locale, asOf: undefined };
  const candidates = (await candidatesFor(failing)).filter(({ keys }) => {
    const read = compileRule({ from: 'value', ...keys }, scope);
    const results = failing.values.map((value) => read([value]));
    return results.every((result) => result !== undefined && !(result instanceof Failure));
  });
  const [found] = candidates;
  if (found === undefined) return undefined;
  const keys = Object.entries(found.keys).map(([key, value]) => `${key}: ${flowYaml(value)}`);
  return { values: found.values, edit: keys.join(', ') };
}

async function candidatesFor(failing: FailingRule): Promise<readonly Candidate[]> {
  const { kind, readsOthers } = failing;
  if (kind === 'unreadable-date') return await dateCandidates(failing);
  // Another decimal mark or scale would no longer read the other values.
  if (readsOthers) return [];
  if (kind === 'unreadable-number') return numberCandidates(failing);
  return kind === 'out-of-scale' ? scaleCandidates(failing) : [];
}

const FORM_NAMES: Readonly<Record<string, string>> = {
  iso: 'ISO 8601',
  'epoch-seconds': 'seconds since 1970',
  'epoch-millis': 'milliseconds since 1970',
  'excel-serial': 'days since 1900',
};

/** Guesses the format as `docferry guess` does; its code is loaded only for this. */
async function dateCandidates({
  rule,
  values,
  readsOthers,
}: FailingRule): Promise<readonly Candidate[]> {
  const { dateColumn } = await import('../../guess/notations/date-column.js');
  const { forms = [], locales = [], match } = dateColumn(values, true) ?? {};
  const known = readsOthers ? [rule.date ?? []].flat() : [];
  return [forms, ['iso']].map((found) => ({
    values: `are ${found.map((form) => FORM_NAMES[form] ?? `written as ${form}`).join(' or ')}`,
    keys: {
      ...(match === undefined || rule.match !== undefined ? {} : { match }),
      date: oneOrAll([...known, ...found]),
      ...(locales.length === 0 ? {} : { locale: oneOrAll(locales) satisfies Locales }),
    },
  }));
}

function oneOrAll<T>(list: readonly T[]): T | readonly T[] {
  return list.length === 1 ? (list[0] as T) : list;
}

function numberCandidates({ rule }: FailingRule): readonly Candidate[] {
  const marks = ['.', ','] as const;
  const plain = marks.map((number) => {
    return { values: `are numbers with the decimal mark "${number}"`, keys: { number } };
  });
  if (rule.match !== undefined) return plain;
  const match = '-?\\d+(?:[.,]\\d+)?';
  const inTexts = marks.map((number) => {
    return { values: 'have a number in a text', keys: { match, number } };
  });
  return [...plain, ...inTexts];
}

/** Usual scales, the narrowest first. */
const SCALES = [
  [1, 5],
  [0, 5],
  [1, 10],
  [0, 10],
  [0, 100],
  [-100, 100],
] as const;

function scaleCandidates({ rule: { scale } }: FailingRule): readonly Candidate[] {
  if (scale === undefined) return [];
  return SCALES.map((from) => ({
    values: `are on a scale from ${from[0]} to ${from[1]}`,
    keys: { scale: { ...scale, from } },
  }));
}
