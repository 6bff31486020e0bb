/** Makes the rule for the language of the texts. */
import type { Rule } from '../../mapping/mapping.js';
import { columnRule } from '../../mapping/rules.js';
import { detectLanguage } from '../../mapping/steps/text.js';
import { siblingsOf } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import { frequencies } from '../ranking.js';
import {
  columnFor,
  columnLabel,
  confidenceOf,
  type DraftField,
  type FieldChoice,
  type RuleContext,
  sharePercent,
} from './draft.js';
import { textColumns } from './text-rule.js';

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
      evidence: `${sharePercent(profile.language?.share ?? 0)} of the distinct values in ${columnLabel(profile)} are languages; blank and unknown ones are detected from the text`,
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

function siblingChoices(dominant: string): readonly FieldChoice[] {
  return siblingsOf(dominant).map((code) =>
    languageChoice(`check that the language is ${dominant}, not ${code}`, code),
  );
}

function languageChoice(ask: string, code: string): FieldChoice {
  const change = { edits: [{ path: ['document', 'language'], value: code }] };
  return { ask, when: `If all texts are ${code}`, change };
}

/** Asks for the language of short texts; offers only one that some of them have. */
function unclearChoice(dominant: string | undefined): FieldChoice {
  const ask = 'check the language: most texts are too short to detect it';
  if (dominant !== undefined) return languageChoice(ask, dominant);
  const change = { words: 'put its code under document, as in `language: fr`' };
  return { ask, when: 'If all texts are in one language', change };
}

function detectedField(rule: Rule, languages: DetectedLanguages): DraftField {
  const { examined, detected, dominant, share, clear } = languages;
  if (dominant !== undefined && isOnly(languages)) {
    return {
      path: ['language'],
      rule: dominant,
      confidence: 'high',
      evidence: `no column states it; ${sharePercent(share)} of the ${detected} texts with a detected language are ${dominant}`,
      choices: siblingChoices(dominant),
    };
  }
  const rest = clear
    ? `; ${dominant} is assumed for short and unclear texts`
    : '; unclear texts get no language';
  const found =
    dominant === undefined
      ? 'no text is clear'
      : `${sharePercent(share)} of ${detected} clear texts are ${dominant}`;
  const isUnclear = detected === 0 || detected < examined / 2;
  const confidence = clear && share > 0.97 ? 'high' : isUnclear ? 'low' : 'medium';
  const siblings = clear && dominant !== undefined ? siblingChoices(dominant) : [];
  return {
    path: ['language'],
    rule,
    confidence,
    evidence: `no column states it, so it is detected from the text: ${found}${rest}`,
    choices: confidence === 'low' ? [unclearChoice(dominant)] : siblings,
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
