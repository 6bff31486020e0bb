import type { Rule } from '../../mapping/mapping.js';
import { detectLanguage } from '../../mapping/steps/text.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import {
  allChosen,
  type Chosen,
  called,
  chosen,
  columnField,
  columnRule,
  confidenceOf,
  type DraftField,
  example,
  percent,
} from './draft.js';
import { textColumns } from './text-rule.js';

/** Address, places, counts, tags, author. */
export function otherFields(from: Chosen): readonly DraftField[] {
  return [
    ...urlField(from),
    ...locationFields(from),
    ...countFields(from),
    ...tagFields(from),
    ...authorFields(from),
  ];
}

function urlField(from: Chosen): readonly DraftField[] {
  return allChosen(from, 'url').map((best) => {
    const { profile } = best;
    const evidence =
      profile.distinctShare < 0.9
        ? `${called(profile)} is the page that the reviews stand on, not each review's own`
        : `${called(profile)} holds web addresses`;
    const rule = { from: profile.name, match: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' };
    return { ...columnField(['url'], best, evidence), rule };
  });
}

const LEVELS: readonly (readonly [Role, string])[] = [
  ['country', 'country'],
  ['region', 'state'],
  ['city', 'city'],
];

function locationFields(from: Chosen): readonly DraftField[] {
  return LEVELS.flatMap(([role, level]) =>
    allChosen(from, role).map((best) => {
      const { profile } = best;
      const evidence = `${called(profile)}, such as ${example(profile.filled[0] ?? '')}`;
      const field = columnField(['detectedLocations', level], best, evidence);
      return level === 'country' ? { ...field, rule: countryRule(profile) } : field;
    }),
  );
}

/** Codes become names, as people know them. */
function countryRule(profile: ColumnProfile): Rule {
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

function countFields(from: Chosen): readonly DraftField[] {
  return (['likes', 'comments', 'shares'] as const).flatMap((role) =>
    allChosen(from, role).map((best) => ({
      ...columnField(['metrics', role], best, `${called(best.profile)} holds counts`),
      rule: { from: best.profile.name, match: '\\d+', number: '.' },
    })),
  );
}

function tagFields(from: Chosen): readonly DraftField[] {
  const places = [...allChosen(from, 'place'), ...allChosen(from, 'placeId')].slice(0, 1);
  const columns = [...places, ...allChosen(from, 'tags')];
  return columns.map((best, index) => ({
    ...columnField(
      ['tags', String(index)],
      best,
      `${called(best.profile)}, such as ${example(best.profile.filled[0] ?? '')}`,
    ),
    rule: tagRule(best.profile),
  }));
}

function tagRule(profile: ColumnProfile): Rule {
  if (profile.column.list) return { from: profile.name };
  const split = [';', '|', ','].find(
    (mark) =>
      profile.filled.filter((text) => text.includes(mark)).length > profile.filled.length * 0.2,
  );
  const listed = profile.concepts.has('tag') && split !== undefined;
  return listed ? { from: profile.name, split } : columnRule(profile);
}

function authorFields(from: Chosen): readonly DraftField[] {
  return [
    ...allChosen(from, 'authorId').map((id) =>
      columnField(['author', 'sourceId'], id, `${called(id.profile)} identifies the author`),
    ),
    ...allChosen(from, 'username').map((best) =>
      columnField(
        ['author', 'username'],
        best,
        `${called(best.profile)} holds names`,
        `check that ${called(best.profile)} is who wrote the review`,
      ),
    ),
    ...allChosen(from, 'lives').map((best) =>
      columnField(
        ['author', 'annotations', best.profile.name],
        best,
        `${called(best.profile)}, as it stands`,
      ),
    ),
    ...allChosen(from, 'experienced').map((best) =>
      columnField(
        ['author', 'annotations', best.profile.name],
        best,
        `${called(best.profile)} is what the review is about, not when it was written`,
      ),
    ),
  ];
}

/** Most texts whose language is looked at. */
const MAX_TEXTS = 400;
/** A text of so few characters often has no language of its own. */
const SHORTEST = 25;
/** From this share on, one language is what an unclear text is taken for. */
const DOMINANT = 0.85;

/** From this share on, the rest are mistakes of detection; less texts than this don't show it. */
const ONLY = 0.995;
const MIN_FOR_ONLY = 50;
/** Texts of so many characters are told rightly, as good as always: what they are all in, the short ones are, too. */
const LONG = 80;
const MIN_LONG = 20;

/** Languages of the sampled texts. */
interface Detected {
  readonly looked: number;
  readonly told: number;
  readonly most: string | undefined;
  /** Of those that could be told. */
  readonly share: number;
  /** How many long texts have a language that was detected, and whether it is the same in all. */
  readonly long: { readonly told: number; readonly alike: boolean };
}

/** The language: from its column, else detected in the text. */
export function languageField(from: Chosen): DraftField | undefined {
  const columns = textColumns(from);
  if (columns.length === 0) return undefined;
  const best = chosen(from, 'language');
  const detected = detectedLanguages(columns, from.records);
  const detect = detectRule(columns, detected);
  if (best === undefined) return detectedField(detect, detected);
  const { profile, score } = best;
  return {
    path: ['language'],
    rule: columnOrDetected(profile, detect),
    confidence: confidenceOf(score),
    evidence: `${percent(profile.language?.share ?? 0)} of the different values in ${called(profile)} are languages; what is blank or unknown is detected`,
  };
}

function columnOrDetected(profile: ColumnProfile, detect: Rule): Rule {
  const { name, language } = profile;
  if (language?.kind === 'code') return { from: name, match: '^[a-z]{2,3}$', else: detect };
  if (language?.kind === 'tag') {
    return { from: name, match: '^[A-Za-z]{2,3}', case: 'lower', else: detect };
  }
  return { from: name, values: language?.codes ?? {}, else: detect };
}

function detectRule(columns: readonly ColumnProfile[], { most, share, told }: Detected): Rule {
  const template = columns.every(({ name }) => typeof columnRule({ name }) === 'string');
  const detect: Rule = template
    ? columns.map(({ name }) => `{${name}}`).join(' ')
    : { join: columns.map(({ name }) => ({ from: name })) };
  const clear = most !== undefined && share >= DOMINANT && told >= 5;
  return clear ? { detect, else: most } : { detect };
}

/** Whether the few texts that seem to be in another language are rather mistakes of detection. */
function isOnly({ share, told, long }: Detected): boolean {
  if (share >= ONLY && told >= MIN_FOR_ONLY) return true;
  return long.alike && long.told >= MIN_LONG && share >= DOMINANT;
}

/** Languages that are too close to each other for texts to tell. */
const SIBLINGS: readonly (readonly string[])[] = [
  ['ms', 'id'],
  ['hr', 'bs', 'sr'],
];

function siblingTodo(most: string): string | undefined {
  const others = SIBLINGS.find((codes) => codes.includes(most))?.filter((code) => code !== most);
  return others && `check that it is not ${others.join(' or ')}`;
}

function detectedField(rule: Rule, detected: Detected): DraftField {
  const { looked, told, most, share } = detected;
  if (most !== undefined && isOnly(detected)) {
    return {
      path: ['language'],
      rule: most,
      confidence: 'high',
      evidence: `no column states it; ${percent(share)} of ${told} texts whose language can be told are ${most}`,
      todo: siblingTodo(most),
    };
  }
  const clear = most !== undefined && share >= DOMINANT && told >= 5;
  const rest = clear
    ? `; what can't be told is taken for ${most}`
    : "; what can't be told stays open";
  const found =
    most === undefined
      ? 'none could be told'
      : `${percent(share)} of ${told} texts that can be told are ${most}`;
  const confidence = clear && share > 0.97 ? 'high' : told < looked / 2 ? 'low' : 'medium';
  return {
    path: ['language'],
    rule,
    confidence,
    evidence: `no column states it, so it is detected in the text: ${found}${rest}`,
    todo: confidence === 'low' ? 'check the language: most texts are too short to tell' : undefined,
  };
}

function detectedLanguages(columns: readonly ColumnProfile[], records: number): Detected {
  const counts = new Map<string, number>();
  const long: string[] = [];
  let looked = 0;
  let told = 0;
  const step = Math.max(1, records / MAX_TEXTS);
  for (let at = 0; at < records; at += step) {
    const index = Math.floor(at);
    const text = columns
      .map(({ column }) => column.texts[index] ?? '')
      .join(' ')
      .trim();
    if (text.length < SHORTEST) continue;
    looked += 1;
    const code = detectLanguage(text.slice(0, 1000));
    if (code === undefined) continue;
    told += 1;
    if (text.length >= LONG) long.push(code);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const [most, count = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const alike = long.every((code) => code === most);
  return {
    looked,
    told,
    most,
    share: told === 0 ? 0 : count / told,
    long: { told: long.length, alike },
  };
}
