/** Finds an edit that lets a rule read the values that it fails on. */
import { compileRule } from '../../mapping/compile/compile-rule.js';
import type { Locales, Mapping, RuleObject } from '../../mapping/mapping.js';
import { flowYaml } from '../../mapping/mapping-text.js';
import { Failure } from '../../mapping/steps/value.js';
import type { ProblemKind } from '../../model/record.js';

export interface SuggestedEdit {
  /** Predicate of the values, which several edits may share, and its object: `are written as`, `d/M/yyyy`. */
  readonly values: readonly [predicate: string, object: string];
  /** The keys to write in the rule: `date: iso`. */
  readonly edit: string;
  /** Condition that the values alone don't show: `if the day comes first`. */
  readonly when: string;
}

interface FailingRule {
  readonly kind: ProblemKind;
  readonly rule: RuleObject;
  /** Different values that the failing step got. */
  readonly values: readonly string[];
  /** Whether the rule reads other values as it is. */
  readonly readsOthers: boolean;
}

interface Candidate extends Pick<SuggestedEdit, 'values' | 'when'> {
  readonly keys: Partial<RuleObject>;
  /** Whether it may be wrong even if no other candidate reads the values. */
  readonly isUnsure?: boolean;
}

/** Lists the candidates that read all values, each in another way; several if the values are ambiguous. */
export async function suggestEdits(
  failing: FailingRule,
  { zone, locale }: Pick<Mapping, 'zone' | 'locale'>,
): Promise<readonly SuggestedEdit[]> {
  if (failing.values.length === 0) return [];
  const scope = { columns: ['value'], zone, locale, asOf: undefined };
  const readings = new Map<string, Candidate>();
  for (const candidate of await candidatesFor(failing, locale)) {
    const read = compileRule({ from: 'value', ...candidate.keys }, scope);
    const results = failing.values.map((value) => read([value]));
    if (results.some((result) => result === undefined || result instanceof Failure)) continue;
    // Scales that read these values alike differ for others.
    const reading = JSON.stringify([results, candidate.keys.scale]);
    if (!readings.has(reading)) readings.set(reading, candidate);
  }
  return [...readings.values()].map(({ values, keys, when, isUnsure = false }) => ({
    values,
    edit: Object.entries(keys)
      .map(([key, value]) => `${key}: ${flowYaml(value)}`)
      .join(', '),
    when: isUnsure || readings.size > 1 ? when : '',
  }));
}

async function candidatesFor(failing: FailingRule, locale: Locales): Promise<readonly Candidate[]> {
  const { kind, readsOthers } = failing;
  if (kind === 'unreadable-date') return await dateCandidates(failing, locale);
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

/** Guesses the format as `docferry guess` does, with the other orders; its code is loaded only for this. */
async function dateCandidates(
  { rule, values, readsOthers }: FailingRule,
  locale: Locales,
): Promise<readonly Candidate[]> {
  const { dateColumn, exchanged, inOtherOrder } = await import(
    '../../guess/notations/date-column.js'
  );
  const { forms = [], locales = [], match, order, doubtfulMonth } = dateColumn(values, true) ?? {};
  const known = readsOthers ? [rule.date ?? []].flat() : [];
  const orders = [
    forms,
    ...(order?.decided === false ? [inOtherOrder({ forms, order })] : []),
    ['iso'],
  ];
  const inOrder = orders.map((found) => ({ found, languages: locales, when: orderText(found) }));
  const inLanguage =
    doubtfulMonth === undefined
      ? []
      : [locales, [doubtfulMonth.locale]].map((languages) => {
          return { found: forms, languages, when: `if the months are in ${languages.join(', ')}` };
        });
  return [...inLanguage, ...inOrder].map(({ found, languages, when }) => {
    // A rule with the other order reads days up to 12 as months.
    const wrong = known.filter((form) => {
      const plain = unpadded(form);
      // Days can't be read as months that have names.
      return exchanged(plain) !== plain && found.includes(exchanged(plain));
    });
    const compatible = known.filter((form) => !wrong.includes(form));
    const hasNames = compatible.some((form) => form.includes('MMM'));
    const readAlready = hasNames ? [rule.locale ?? locale].flat() : [];
    const spoken = [...new Set([...readAlready, ...languages])];
    return {
      values: formsText(found),
      keys: {
        ...(match === undefined || rule.match !== undefined ? {} : { match }),
        date: oneOrAll([...new Set([...compatible, ...found])]),
        ...(languages.length === 0 ? {} : { locale: oneOrAll(spoken) as Locales }),
      },
      when:
        wrong.length === 0
          ? when
          : `${when} in every record; the dates that the rule reads now then have day and month swapped`,
      isUnsure: wrong.length > 0,
    };
  });
}

function formsText(forms: readonly string[]): SuggestedEdit['values'] {
  const names = forms.flatMap((form) => FORM_NAMES[form] ?? []);
  return names.length === 0
    ? ['are written as', forms.join(' or ')]
    : ['are', forms.map((form) => FORM_NAMES[form] ?? `written as ${form}`).join(' or ')];
}

/** Writes a format as a guess does: `d/M/yyyy` for `dd/MM/yyyy`. */
function unpadded(form: string): string {
  return form.replace(/\b(?:dd|MM|HH|hh)\b/gu, (token) => token.charAt(0));
}

function orderText(forms: readonly string[]): string {
  const [first = 'y'] = forms.flatMap((form) => /^[dMy]/u.exec(form)?.[0] ?? []);
  return `if the ${{ d: 'day', M: 'month', y: 'year' }[first]} comes first`;
}

function oneOrAll<T>(list: readonly T[]): T | readonly T[] {
  return list.length === 1 ? (list[0] as T) : list;
}

/** One number among words: not "1.2K", "1,234.50", "3/5" or "2 of 10". */
const SOLE_NUMBER = /^\D*(?<![\p{L}.,/]-?)\d+(?:[.,]\d+)?(?![\p{L}\d.,/]|\s?[kmb]\b)\D*$/iu;

function numberCandidates({ rule, values }: FailingRule): readonly Candidate[] {
  const marks = ['.', ','] as const;
  const plain = marks.map((number) => ({
    values: ['are numbers with the decimal mark', `"${number}"`] as const,
    keys: { number },
    when: `if "${number}" is the decimal mark`,
  }));
  if (rule.match !== undefined) return plain;
  if (!values.every((value) => SOLE_NUMBER.test(value))) return plain;
  const inTexts = marks.map((number) => ({
    values: ['are texts', 'with a number'] as const,
    keys: { match: '-?\\d+(?:[.,]\\d+)?', number },
    when: `if "${number}" is the decimal mark`,
  }));
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

/** Values fit all wider scales, too, so the narrowest two are offered, each on its condition. */
function scaleCandidates({ rule: { scale }, values }: FailingRule): readonly Candidate[] {
  if (scale === undefined) return [];
  const numbers = values.map(Number);
  const fits = SCALES.filter(([low, high]) => numbers.every((one) => one >= low && one <= high));
  const likely = fits.filter(([low]) => low >= 0 || fits.length === 1).slice(0, 2);
  const most = Math.max(...numbers);
  return likely.map((from) => ({
    values: ['fit a scale', `from ${from[0]} to ${from[1]}`],
    keys: { scale: { ...scale, from } },
    when: `if the scale goes from ${from[0]} to ${from[1]}${most < from[1] ? ` (these values only to ${most})` : ''}`,
    isUnsure: true,
  }));
}
