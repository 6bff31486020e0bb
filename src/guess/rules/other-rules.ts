import type { Rule } from '../../mapping/mapping.js';
import { detectLanguage } from '../../mapping/steps/text.js';
import { isAnonymous } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Candidate, Role } from '../propose/candidate.js';
import { frequencies } from '../ranking.js';
import {
  anyExcept,
  columnField,
  columnFor,
  columnLabel,
  columnRule,
  columnsFor,
  confidenceOf,
  type DraftField,
  type FieldChoice,
  percent,
  quoted,
  type RuleContext,
} from './draft.js';
import { textColumns } from './text-rule.js';

/** Makes fields for the URL, locations, counts, tags and author. */
export function otherFields(context: RuleContext): readonly DraftField[] {
  return [
    ...urlField(context),
    ...locationFields(context),
    ...countFields(context),
    ...tagFields(context),
    ...authorFields(context),
  ];
}

function urlField(context: RuleContext): readonly DraftField[] {
  return columnsFor(context, 'url').map((best) => {
    const { profile } = best;
    const evidence =
      profile.distinctShare < 0.9
        ? `${columnLabel(profile)} is a page with several reviews, not each review's own`
        : `${columnLabel(profile)} holds web addresses`;
    const rule = { from: profile.name, match: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' };
    return { ...columnField(['url'], best, evidence), rule };
  });
}

const LEVELS: readonly (readonly [Role, string])[] = [
  ['country', 'country'],
  ['region', 'state'],
  ['city', 'city'],
];

function locationFields(context: RuleContext): readonly DraftField[] {
  return LEVELS.flatMap(([role, level]) =>
    columnsFor(context, role).map((best) => {
      const { profile } = best;
      const evidence = `${columnLabel(profile)}, for example ${quoted(profile.filled[0] ?? '')}`;
      const field = columnField(['detectedLocations', level], best, evidence);
      return level === 'country' ? { ...field, rule: countryRule(profile) } : field;
    }),
  );
}

/** Makes the rule for a country; codes become English names. */
export function countryRule(profile: ColumnProfile): Rule {
  const codes = [...new Set(profile.filled)].filter((text) => /^[A-Za-z]{2}$/u.test(text));
  if (codes.length < profile.distinct * 0.8 || codes.length === 0) return columnRule(profile);
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const values: Record<string, string> = {};
  for (const code of codes.toSorted().slice(0, 80)) {
    const name = names.of(code.toUpperCase());
    if (name !== undefined) values[code] = name;
  }
  return { from: profile.name, values, else: columnRule(profile) };
}

function countFields(context: RuleContext): readonly DraftField[] {
  return (['likes', 'comments', 'shares'] as const).flatMap((role) =>
    columnsFor(context, role).map((best) => ({
      ...columnField(['metrics', role], best, `${columnLabel(best.profile)} holds counts`),
      rule: countRule(best.profile),
    })),
  );
}

const GROUPED = "\\d{1,3}(?:[.,\\s'’]\\d{3})+(?!\\d)";

/** Reads a count, also one with separators between groups of three digits. */
function countRule({ name, filled }: ColumnProfile): Rule {
  const grouped = filled.flatMap((text) => new RegExp(GROUPED, 'u').exec(text)?.[0] ?? []);
  if (grouped.length === 0) return { from: name, match: '\\d+', number: '.' };
  const dotted = grouped.filter((text) => text.includes('.')).length;
  const mark = dotted > grouped.length / 2 ? ',' : '.';
  return { from: name, match: `${GROUPED}|\\d+`, number: mark };
}

function tagFields(context: RuleContext): readonly DraftField[] {
  const places = [...columnsFor(context, 'place'), ...columnsFor(context, 'placeId')].slice(0, 1);
  const columns = [...places, ...columnsFor(context, 'tags')];
  return columns.map((best, index) => ({
    ...columnField(
      ['tags', String(index)],
      best,
      `${columnLabel(best.profile)}, for example ${quoted(best.profile.filled[0] ?? '')}`,
    ),
    rule: tagRule(best.profile),
  }));
}

export function tagRule(profile: ColumnProfile): Rule {
  if (profile.column.list) return { from: profile.name };
  const split = [';', '|', ','].find(
    (mark) =>
      profile.filled.filter((text) => text.includes(mark)).length > profile.filled.length * 0.2,
  );
  const listed = profile.concepts.has('tag') && split !== undefined;
  return listed ? { from: profile.name, split } : columnRule(profile);
}

function authorFields(context: RuleContext): readonly DraftField[] {
  return [
    ...columnsFor(context, 'authorId').map((id) =>
      columnField(['author', 'sourceId'], id, `${columnLabel(id.profile)} identifies the author`),
    ),
    ...columnsFor(context, 'username').flatMap(usernameField),
    ...columnsFor(context, 'lives').map((best) =>
      columnField(
        ['author', 'annotations', best.profile.name],
        best,
        `${columnLabel(best.profile)}, unchanged`,
      ),
    ),
    ...columnsFor(context, 'experienced')
      .filter(({ profile }) => !isOnSameDay(profile, columnFor(context, 'published')?.profile))
      .map((best) =>
        columnField(
          ['author', 'annotations', best.profile.name],
          best,
          `${columnLabel(best.profile)} is the date of the experience, not of the review`,
        ),
      ),
  ];
}

function usernameField(best: Candidate): readonly DraftField[] {
  const { profile } = best;
  const anonymous = anonymousIn(profile);
  if (anonymous.length === profile.distinct) return [];
  const none = anonymous.slice(0, 3).map(quoted).join(', ');
  const evidence = `${columnLabel(profile)} holds names${none === '' ? '' : `; ${none} ${anonymous.length === 1 ? 'counts' : 'count'} as no name`}`;
  const field = columnField(['author', 'username'], best, evidence);
  return [{ ...field, rule: usernameRule(profile) }];
}

/** Makes the rule for an author's name; people without one aren't the same author. */
export function usernameRule(profile: ColumnProfile): Rule {
  const anonymous = anonymousIn(profile);
  return anonymous.length === 0
    ? columnRule(profile)
    : { from: profile.name, match: anyExcept(anonymous) };
}

function anonymousIn({ filled }: ColumnProfile): readonly string[] {
  return [...new Set(filled)].filter(isAnonymous);
}

/** Minimum share of dates on the day of the review, for example of when a survey was opened. */
const MIN_SAME_DAY = 0.9;
/** Length of a day in most notations. */
const DAY_LENGTH = 10;

function isOnSameDay({ column, filled }: ColumnProfile, other: ColumnProfile | undefined): boolean {
  const day = (text: string | undefined): string | undefined => text?.slice(0, DAY_LENGTH);
  const same = column.texts.filter(
    (text, at) => text !== undefined && day(text) === day(other?.column.texts[at]),
  );
  return same.length >= filled.length * MIN_SAME_DAY;
}

/** Number of texts whose language is detected. */
const MAX_TEXTS = 400;
/** Length in characters below which detection is unreliable. */
const MIN_LENGTH = 25;
/** Share from which the most frequent language is assumed for unclear texts. */
const DOMINANT_SHARE = 0.85;

/** Share from which a language is taken for the only one, and the rest for detection errors. */
const SINGLE_LANGUAGE_SHARE = 0.995;
/** Number of texts needed for that. */
const MIN_FOR_SINGLE_LANGUAGE = 50;
/** Length in characters from which detection is nearly always right. If all long texts share a language, so do the short ones. */
const LONG_TEXT = 80;
/** Number of long texts needed for that. */
const MIN_LONG_TEXTS = 20;

/** Detected languages of the sampled texts. */
interface DetectedLanguages {
  /** Number of texts that are long enough. */
  readonly examined: number;
  /** Number of those whose language was detected. */
  readonly detected: number;
  /** The most frequent language. */
  readonly dominant: string | undefined;
  /** Share of the dominant language in the detected ones. */
  readonly share: number;
  /** Whether unclear texts are likely in the dominant language, too. */
  readonly clear: boolean;
  /** Number of long texts with a detected language, and whether all have the dominant one. */
  readonly long: { readonly detected: number; readonly alike: boolean };
}

/** Makes the language: from its column, otherwise detected in the text. */
export function languageFields(context: RuleContext): readonly DraftField[] {
  const columns = textColumns(context);
  if (columns.length === 0) return [];
  const best = columnFor(context, 'language');
  const detected = detectedLanguages(columns, context.records);
  const detect = detectRule(columns, detected);
  if (best === undefined) return [detectedField(detect, detected)];
  const { profile, score } = best;
  return [
    {
      path: ['language'],
      rule: columnOrDetected(profile, detect),
      confidence: confidenceOf(score),
      evidence: `${percent(profile.language?.share ?? 0)} of the distinct values in ${columnLabel(profile)} are languages; blank and unknown ones are detected from the text`,
    },
  ];
}

function columnOrDetected(profile: ColumnProfile, detect: Rule): Rule {
  const { name, language } = profile;
  if (language?.kind === 'code') return { from: name, match: '^[a-z]{2,3}$', else: detect };
  if (language?.kind === 'tag') {
    return { from: name, match: '^[A-Za-z]{2,3}', case: 'lower', else: detect };
  }
  return { from: name, values: language?.codes ?? {}, else: detect };
}

/** Makes the rule that detects the language; short texts get the file's, if it has one. */
function detectRule(
  columns: readonly ColumnProfile[],
  { dominant, share, clear }: DetectedLanguages,
): Rule {
  const template = columns.map(({ name }) => `{${name}}`).join(' ');
  const isTemplate = columns.every(
    ({ name, column }) => !column.list && typeof columnRule({ name }) === 'string',
  );
  const join = columns.map(({ name }) => ({ from: name }));
  if (!clear || dominant === undefined) return { detect: isTemplate ? template : { join } };
  const long = share >= NEARLY_ALL && !UNSPACED.includes(dominant) ? { match: LONG_ENOUGH } : {};
  const text = Object.keys(long).length > 0 ? { text: template, ...long } : template;
  return { detect: isTemplate ? text : { join, ...long }, else: dominant };
}

/** Number of clear texts that show which language is the file's. */
const MIN_CLEAR = 5;
/** Minimum share of a language to be the file's, whatever is detected in short texts. */
const NEARLY_ALL = 0.95;
/** Languages whose sentences may be a few characters long. */
const UNSPACED: readonly string[] = ['zh', 'ja', 'ko', 'th'];
const LONG_ENOUGH = `^[\\s\\S]{${MIN_LENGTH},}$`;

/** Returns whether the few texts in other languages are probably detection errors. */
function isOnly({ share, detected, long }: DetectedLanguages): boolean {
  if (share >= SINGLE_LANGUAGE_SHARE && detected >= MIN_FOR_SINGLE_LANGUAGE) return true;
  return long.alike && long.detected >= MIN_LONG_TEXTS && share >= DOMINANT_SHARE;
}

/** Languages that detection confuses. */
const SIBLINGS: readonly (readonly string[])[] = [
  ['ms', 'id'],
  ['hr', 'bs', 'sr'],
];

function siblingChoices(dominant: string): readonly FieldChoice[] {
  const siblings = SIBLINGS.find((codes) => codes.includes(dominant)) ?? [];
  return siblings
    .filter((code) => code !== dominant)
    .map((code) => languageChoice(`check that the language is ${dominant}, not ${code}`, code));
}

function languageChoice(ask: string, code: string): FieldChoice {
  const instead = { path: ['document', 'language'], value: code };
  return { ask, when: `If all texts are ${code}`, instead };
}

function detectedField(rule: Rule, languages: DetectedLanguages): DraftField {
  const { examined, detected, dominant, share, clear } = languages;
  if (dominant !== undefined && isOnly(languages)) {
    return {
      path: ['language'],
      rule: dominant,
      confidence: 'high',
      evidence: `no column states it; ${percent(share)} of the ${detected} texts with a detected language are ${dominant}`,
      choices: siblingChoices(dominant),
    };
  }
  const rest = clear
    ? `; ${dominant} is assumed for short and unclear texts`
    : '; unclear texts get no language';
  const found =
    dominant === undefined
      ? 'no text is clear'
      : `${percent(share)} of ${detected} clear texts are ${dominant}`;
  const isUnclear = detected === 0 || detected < examined / 2;
  const confidence = clear && share > 0.97 ? 'high' : isUnclear ? 'low' : 'medium';
  return {
    path: ['language'],
    rule,
    confidence,
    evidence: `no column states it, so it is detected from the text: ${found}${rest}`,
    choices:
      confidence === 'low'
        ? [
            languageChoice(
              'check the language: most texts are too short to detect it',
              dominant ?? 'en',
            ),
          ]
        : [],
  };
}

/** Scripts that are nearly always one language's, among the languages of reviews. */
const SCRIPT_LANGUAGES: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/\p{Script=Devanagari}{2}/u, 'hi'],
  [/\p{Script=Thai}{2}/u, 'th'],
  [/\p{Script=Hebrew}{2}/u, 'he'],
  [/\p{Script=Hangul}{2}/u, 'ko'],
  [/\p{Script=Hiragana}{2}/u, 'ja'],
  [/\p{Script=Han}{4}/u, 'zh'],
  [/\p{Script=Greek}{2}/u, 'el'],
];

/** Returns the language of a text by its script; `undefined` for scripts of several languages. */
function scriptLanguage(text: string): string | undefined {
  return SCRIPT_LANGUAGES.find(([pattern]) => pattern.test(text))?.[1];
}

function detectedLanguages(columns: readonly ColumnProfile[], records: number): DetectedLanguages {
  const step = Math.max(1, records / MAX_TEXTS);
  const texts = Array.from({ length: Math.ceil(records / step) }, (_, at) =>
    columns
      .map(({ column }) => column.texts[Math.floor(at * step)] ?? '')
      .join(' ')
      .trim(),
  );
  const examined = texts
    .map((text) => ({ text, script: scriptLanguage(text) }))
    .filter(({ text, script }) => text.length >= MIN_LENGTH || script !== undefined);
  const detected = examined.flatMap(({ text, script }) => {
    const code = detectLanguage(text.slice(0, 1000)) ?? script;
    return code === undefined ? [] : [{ code, isLong: text.length >= LONG_TEXT }];
  });
  const [dominant, times = 0] = frequencies(detected.map(({ code }) => code))[0] ?? [];
  const long = detected.filter(({ isLong }) => isLong);
  const share = detected.length === 0 ? 0 : times / detected.length;
  return {
    examined: examined.length,
    detected: detected.length,
    dominant,
    share,
    clear: share >= DOMINANT_SHARE && detected.length >= MIN_CLEAR,
    long: { detected: long.length, alike: long.every(({ code }) => code === dominant) },
  };
}
