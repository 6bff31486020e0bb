/** Finds all mistakes in a mapping: first by schema, then those that a schema can't express. */
import { didYouMean } from '../../model/errors.js';
import type { KeyPath } from '../../model/json-path.js';
import { omitUndefined } from '../../model/options.js';
import { isObject } from '../../model/record.js';
import { pathText } from '../../validation/explain-errors.js';
import { exponentialPattern, schemaMistakes } from '../../validation/schemas.js';
import { formatTokens } from '../dates/parse-format.js';
import { isNamedForm, NAMED_FORM_NAMES, parseIso } from '../dates/read-date.js';
import { isZone } from '../dates/zones.js';
import type { Mistake } from '../mapping-text.js';
import { IF_STATED, parseTemplate } from '../rules.js';

/** Finds all mistakes, in the mapping's order for each of both checks; none if it can be used. */
export function findMistakes(value: unknown): readonly Mistake[] {
  // The value may have any shape: the second check skips parts of a wrong type.
  const semantic = isObject(value) ? ruleMistakes(value) : [];
  return [...shapeMistakes('mapping', value, 'the mapping'), ...semantic.map(withPlace)];
}

/** @param whole what the value is, for a mistake that concerns all of it: `the mapping` */
export function shapeMistakes(
  schema: Parameters<typeof schemaMistakes>[0],
  value: unknown,
  whole: string,
): readonly Mistake[] {
  return schemaMistakes(schema, value).map(({ path, parentLength, key, predicate }) => ({
    path: path.slice(0, parentLength),
    ...omitUndefined({ key }),
    message: `${pathText(path) || whole} ${predicate}`,
  }));
}

function withPlace(mistake: Mistake): Mistake {
  const place = pathText(mistake.path);
  return place === '' ? mistake : { ...mistake, message: `${place}: ${mistake.message}` };
}

type Keys = Readonly<Record<string, unknown>>;

type Check = (value: unknown, path: KeyPath) => readonly Mistake[];

/** Finds mistakes beyond the schema, and skips parts of a wrong type. */
function ruleMistakes(mapping: Keys): readonly Mistake[] {
  return [
    ...zoneMistakes(mapping['zone'], ['zone']),
    ...localeMistakes(mapping['locale'], ['locale']),
    ...asOfMistakes(mapping['asOf'], ['asOf']),
    ...documentMistakes(mapping['document'], ['document']),
    ...eachOf(mapping['skip'], ['skip'], conditionMistakes),
    ...eachOf(mapping['tests'], ['tests'], (test, path) =>
      isObject(test) ? asOfMistakes(test['asOf'], [...path, 'asOf']) : [],
    ),
  ];
}

const FIELDS_OF_RULES = ['detectedLocations', 'metrics', 'tags', 'annotations'];

function documentMistakes(document: unknown, path: KeyPath): readonly Mistake[] {
  return eachOf(document, path, (rule, at) => {
    const field = String(at.at(-1));
    if (FIELDS_OF_RULES.includes(field)) return eachOf(rule, at, anyRuleMistakes);
    if (field === 'sentiment')
      return [...anyRuleMistakes(rule, at), ...sentimentMistakes(rule, at)];
    return field === 'author' ? documentMistakes(rule, at) : anyRuleMistakes(rule, at);
  });
}

/** No step after `bands` changes a text, so its labels are the sentiments themselves. */
function sentimentMistakes(rule: unknown, path: KeyPath): readonly Mistake[] {
  const bands = isObject(rule) ? rule['bands'] : undefined;
  if (!isObject(bands)) return [];
  return Object.keys(bands).flatMap((label) => {
    if (/^[BNR]$/.test(label)) return [];
    const message = `${label} is not a sentiment; expected B (good), N (neutral) or R (bad)`;
    return [{ path: [...path, 'bands'], key: label, message }];
  });
}

function anyRuleMistakes(rule: unknown, path: KeyPath): readonly Mistake[] {
  if (typeof rule === 'string') return templateMistakes(rule, path);
  if (!isObject(rule)) return [];
  const found = Object.entries(rule).flatMap(
    ([key, value]) => RULE_CHECKS.get(key)?.(value, [...path, key]) ?? [],
  );
  return [...found, ...localeNeedsStep(rule, path)];
}

const RULE_CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['text', templateMistakes],
  ['join', rulesMistakes],
  ['hash', rulesMistakes],
  ['detect', anyRuleMistakes],
  ['match', expressionMistakes],
  ['replace', replaceMistakes],
  ['scale', scaleMistakes],
  ['bands', bandMistakes],
  ['date', dateMistakes],
  ['zone', zoneMistakes],
  ['locale', localeMistakes],
  ['asOf', ruleAsOfMistakes],
  ['unlessStartOf', anyRuleMistakes],
  ['else', anyRuleMistakes],
]);

function rulesMistakes(rules: unknown, path: KeyPath): readonly Mistake[] {
  return eachOf(rules, path, anyRuleMistakes);
}

function ruleAsOfMistakes(asOf: unknown, path: KeyPath): readonly Mistake[] {
  if (typeof asOf !== 'string') return anyRuleMistakes(asOf, path);
  return asOf === IF_STATED ? [] : asOfMistakes(asOf, path);
}

function conditionMistakes(condition: unknown, path: KeyPath): readonly Mistake[] {
  if (!isObject(condition)) return [];
  const { number, below, above, matches } = condition;
  const message = 'number only works with below or above';
  return [
    ...expressionMistakes(matches, [...path, 'matches']),
    ...(number !== undefined && below === undefined && above === undefined
      ? [{ path, key: 'number', message }]
      : []),
  ];
}

function templateMistakes(template: unknown, path: KeyPath): readonly Mistake[] {
  if (typeof template !== 'string') return [];
  const parsed = parseTemplate(template);
  return 'mistake' in parsed ? [{ path, message: parsed.mistake }] : [];
}

function expressionMistakes(source: unknown, path: KeyPath): readonly Mistake[] {
  const message = typeof source === 'string' ? expressionMistake(source) : undefined;
  return message === undefined ? [] : [{ path, message }];
}

function expressionMistake(source: string): string | undefined {
  try {
    new RegExp(source, 'u');
    return exponentialPattern(source);
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: /u, '');
    return `this isn't a valid JavaScript regular expression (flag u): ${reason}`;
  }
}

function replaceMistakes(replace: unknown, path: KeyPath): readonly Mistake[] {
  if (Array.isArray(replace)) return eachOf(replace, path, replaceMistakes);
  if (!isObject(replace)) return [];
  return Object.keys(replace).flatMap((key) => {
    const message = expressionMistake(key);
    return message === undefined ? [] : [{ path, key, message }];
  });
}

function scaleMistakes(scale: unknown, path: KeyPath): readonly Mistake[] {
  const from = isObject(scale) ? scale['from'] : undefined;
  if (!Array.isArray(from) || from.length !== 2 || from[0] !== from[1]) return [];
  const message = `the range [${from[0]}, ${from[1]}] is empty; its ends must differ`;
  return [{ path: [...path, 'from'], message }];
}

function bandMistakes(bands: unknown, path: KeyPath): readonly Mistake[] {
  if (!isObject(bands)) return [];
  const labels = new Map<unknown, string>();
  return Object.entries(bands).flatMap(([label, bound]) => {
    const other = labels.get(bound);
    labels.set(bound, label);
    if (other === undefined) return [];
    const message = `${label} has the same lower bound as ${other}; bounds must differ`;
    return [{ path: [...path, label], message }];
  });
}

function dateMistakes(date: unknown, path: KeyPath): readonly Mistake[] {
  if (Array.isArray(date)) return eachOf(date, path, dateMistakes);
  if (typeof date !== 'string' || isNamedForm(date)) return [];
  const mistake = formatMistake(date);
  if (mistake === undefined) return [];
  return [{ path, message: `${mistake}${didYouMean(date, NAMED_FORM_NAMES)}` }];
}

const SUPPORTED_TOKENS = new Set(
  (
    'G GG y yy yyyy yyyyy yyyyyy M MM MMM MMMM L LL LLL LLLL d dd o ooo H HH h hh m mm q qq ' +
    's ss S SSS u uu uuu a kk kkkk W WW E EEE EEEE c ccc cccc Z ZZ ZZZ z ' +
    'D DD DDD DDDD f ff fff ffff F FF FFF FFFF'
  ).split(' '),
);

/** Tokens of other tools, with luxon's equivalents. */
const FOREIGN_TOKENS: Readonly<Record<string, string>> = {
  Y: 'the year is yyyy (or yy)',
  YY: 'the year is yyyy (or yy)',
  YYYY: 'the year is yyyy (or yy)',
  A: 'AM and PM are a',
  tt: 'AM and PM are a',
  ZZZZ: 'a zone by its name is z and an offset ZZ; abbreviations like CEST are ambiguous',
  ZZZZZ: 'a zone by its name is z and an offset ZZ',
  X: 'timestamps are epoch-seconds or epoch-millis',
  x: 'timestamps are epoch-seconds or epoch-millis',
};

/** Explains why a date format is unusable; `undefined` if it is usable. */
function formatMistake(format: string): string | undefined {
  const tokens = formatTokens(format).filter((token) => !token.literal);
  for (const { text } of tokens) {
    if (SUPPORTED_TOKENS.has(text)) continue;
    const remedy = FOREIGN_TOKENS[text] ?? `literal text goes in quotes: '${text}'`;
    return `the date format ${JSON.stringify(format)} has the unknown token ${text}; ${remedy}`;
  }
  if (!tokens.some(({ text }) => /^(?:y|kk|D|f|F)/u.test(text))) {
    return `the date format ${JSON.stringify(format)} has no year (yyyy), and the current year is never assumed`;
  }
  const names = tokens.map(({ text }) => text);
  if (names.includes('a') && names.some((name) => name.startsWith('H'))) {
    return `the date format ${JSON.stringify(format)} mixes the 24-hour clock (H) with AM and PM (a); the 12-hour clock is h`;
  }
  return undefined;
}

function localeNeedsStep(rule: Keys, path: KeyPath): readonly Mistake[] {
  const used = rule['date'] !== undefined || rule['case'] !== undefined;
  if (rule['locale'] === undefined || used) return [];
  return [{ path, key: 'locale', message: 'locale only works with date or case' }];
}

function zoneMistakes(zone: unknown, path: KeyPath): readonly Mistake[] {
  if (typeof zone !== 'string' || zone === '' || isZone(zone)) return [];
  const hint = didYouMean(zone, Intl.supportedValuesOf('timeZone'));
  const message = `there is no time zone ${JSON.stringify(zone)}${hint || '; write it like Europe/Madrid'}`;
  return [{ path, message }];
}

function localeMistakes(locale: unknown, path: KeyPath): readonly Mistake[] {
  return [locale].flat().flatMap((one) => {
    if (typeof one !== 'string' || one === '' || isLocale(one)) return [];
    const message = `there is no language ${JSON.stringify(one)}; write it like es or pt-BR`;
    return [{ path, message }];
  });
}

function isLocale(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

function asOfMistakes(asOf: unknown, path: KeyPath): readonly Mistake[] {
  if (typeof asOf !== 'string' || asOf === '' || parseIso('UTC')(asOf) !== undefined) return [];
  const message = `${JSON.stringify(asOf)} isn't an ISO 8601 date like 2024-06-03`;
  const rule = asOf.includes('{') ? '; to read a column, write { from: Column, date: iso }' : '';
  return [{ path, message: `${message}${rule}` }];
}

/** Runs a check on each entry of a list or a map. */
function eachOf(
  entries: unknown,
  path: KeyPath,
  check: (entry: unknown, path: KeyPath) => readonly Mistake[],
): readonly Mistake[] {
  if (Array.isArray(entries))
    return entries.flatMap((entry, index) => check(entry, [...path, index]));
  if (!isObject(entries)) return [];
  return Object.entries(entries).flatMap(([key, entry]) => check(entry, [...path, key]));
}
