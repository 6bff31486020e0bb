import type { Rule, RuleObject } from '../../mapping/mapping.js';
import { repairEncoding } from '../../mapping/steps/repair-encoding.js';
import { count } from '../../model/figures.js';
import { escapeRegExp } from '../../model/text.js';
import { nameWords } from '../lexicon/name-concepts.js';
import { isPlaceholder, type SentimentLabel, sentimentOf } from '../notations/known-values.js';
import {
  type RatingGroup,
  type RatingScale,
  scaleInName,
  scaleOf,
} from '../notations/rating-column.js';
import type { ColumnProfile } from '../profile-column.js';
import { thingOf } from '../propose/candidate.js';
import { sentimentNotation, sidesOf } from '../propose/score.js';
import {
  anyExcept,
  columnFor,
  columnLabel,
  columnsFor,
  confidenceOf,
  type DraftField,
  type FieldChoice,
  lookUp,
  quoted,
  type RuleContext,
  sharePercent,
  withProfile,
} from './draft.js';

/** Ratings of a column in one notation, with their scale. */
interface ScaledGroup {
  readonly group: RatingGroup;
  readonly scale: RatingScale;
  /** Texts that mean "no rating". */
  readonly absent: readonly string[];
}

/** Makes the score, from 1 to 5, and the sentiment derived from it. */
export function scoreFields(context: RuleContext): readonly DraftField[] {
  const best = columnFor(context, 'score');
  const stated = sentimentColumn(context);
  if (best === undefined) return stated === undefined ? recommendedField(context) : [stated];
  const { profile, score } = best;
  const nps = isNps(profile);
  const scaled = scaledGroups(context, profile, nps);
  if (scaled.length === 0) return stated === undefined ? [] : [stated];
  const doubtful = scaled.find(({ scale }) => scale.other !== undefined);
  const confidence = doubtful === undefined ? confidenceOf(score) : 'medium';
  const thing = thingOf(profile, context);
  const words = unknownWordChoices(context, profile);
  const field: DraftField = {
    path: ['metrics', 'score'],
    rule: chain(scaled.map((one) => scoreRule(profile, one))),
    confidence,
    evidence: evidenceOf(profile, scaled, nps),
    doubts: [
      ...(thing === undefined
        ? []
        : [`it is the same wherever ${columnLabel(thing)} is the same, as an average is`]),
      ...(confidenceOf(score) === 'low' ? ["its name doesn't show it"] : []),
      ...(words.length === 0 ? unratedDoubts(profile) : []),
    ],
    choices: [
      ...(doubtful === undefined ? [] : scaleChoices(context, profile, doubtful.scale)),
      ...words,
    ],
  };
  return [stated ?? sentimentField(profile, scaled, nps), field];
}

/** Names the words that count as no rating although nothing says so: `seven`. */
function unratedDoubts({ rating }: ColumnProfile): readonly string[] {
  const words = (rating?.absent ?? []).filter((text) => !isPlaceholder(text));
  if (words.length === 0) return [];
  return [
    `${words.map(quoted).join(', ')} ${words.length === 1 ? 'counts' : 'count'} as no rating`,
  ];
}

/** Asks whether an unknown word, for example `Abysmal`, is the lowest or the highest rating, if no other word is. */
function unknownWordChoices(context: RuleContext, profile: ColumnProfile): readonly FieldChoice[] {
  const { rating } = profile;
  const [group] = rating?.groups ?? [];
  const [word] = rating?.absent ?? [];
  const { values } = group?.notation ?? {};
  if (rating === undefined || group === undefined || values === undefined) return [];
  if (word === undefined || isPlaceholder(word)) return [];
  return [1, 5].flatMap((end): readonly FieldChoice[] => {
    if (Object.values(values).includes(end)) return [];
    const notation = { ...group.notation, values: { ...values, [word]: end } };
    const known = { ...rating, groups: [{ ...group, notation }], absent: [] };
    const ask = `say what ${quoted(word)} is: it counts as no rating`;
    const change = withProfile(context, profile, { rating: known });
    return [{ ask, when: `If it is ${end} of 5`, change }];
  });
}

/** Makes a metric for each aspect of the rating, for example cleanliness. */
export function aspectFields(context: RuleContext): readonly DraftField[] {
  return columnsFor(context, 'aspect').flatMap(({ profile }) => {
    const scaled = scaledGroups(context, profile, false);
    if (scaled.length === 0) return [];
    // A word that the sample lacks makes no record invalid.
    const rules = scaled
      .map((one) => scoreRule(profile, one))
      .map(({ unlisted: _, ...rule }) => rule);
    return {
      path: ['metrics', nameWords(profile.name).join(' ')],
      rule: chain(rules),
      confidence: 'medium' as const,
      evidence: `an aspect of the rating: ${evidenceOf(profile, scaled, false)}`,
    };
  });
}

/**
 * Returns whether the values answer the Net Promoter question: how likely a recommendation is, from
 * 0 to 10.
 */
function isNps({ concepts, name, rating }: ColumnProfile): boolean {
  const most = Math.max(0, ...(rating?.groups ?? []).map((group) => group.most));
  return most > 5 && most <= 10 && (concepts.has('recommend') || /\bnps\b/iu.test(name));
}

function scaledGroups(
  context: RuleContext,
  profile: ColumnProfile,
  nps: boolean,
): readonly ScaledGroup[] {
  const best = columnFor(context, 'highest')?.profile.filled[0];
  const { groups = [], absent = [], scale: answered } = profile.rating ?? {};
  const named =
    best === undefined ? scaleInName(repairEncoding(profile.name)) : { highest: Number(best) };
  const stated = answered ?? (isSchoolMark(profile.name) ? SCHOOL_MARKS : named);
  const scaled = groups.flatMap((group) => {
    const scale = scaleOf(group, { ...stated, nps }) ?? scaleOf(group, { nps: false });
    return scale === undefined ? [] : [{ group, scale, absent }];
  });
  // The rule of bare numbers fails on other notations, and that of units may read them.
  return scaled.toSorted((a, b) => looseness(a.group) - looseness(b.group));
}

const SCHOOL_MARKS = { lowest: 1, highest: 6 };

/** Returns whether values are German school marks, from 1 (best) to 6 (worst). */
function isSchoolMark(name: string): boolean {
  return /schulnote/iu.test(name);
}

function looseness({ notation }: RatingGroup): number {
  const isBare = notation.match === undefined && notation.values === undefined;
  return isBare ? 2 : Number(notation.highest === undefined);
}

/** Chains rules by `else`: each applies where those before it match nothing. */
function chain(rules: readonly RuleObject[]): Rule {
  const [first, ...rest] = rules;
  if (first === undefined) return {};
  return rest.length === 0 ? first : { ...first, else: chain(rest) };
}

function scoreRule(profile: ColumnProfile, scaled: ScaledGroup): RuleObject {
  const { lowest, highest } = scaled.scale;
  const identity = lowest === 1 && highest === 5;
  const from: readonly [number, number] = isSchoolMark(profile.name) ? [6, 1] : [lowest, highest];
  return {
    ...numberRule(profile, scaled),
    scale: { from, to: [1, 5] },
    ...(identity ? {} : { round: 2 }),
  };
}

function numberRule(profile: ColumnProfile, { group, scale, absent }: ScaledGroup): RuleObject {
  const { name, rating } = profile;
  const { notation, mark } = group;
  if (notation.values !== undefined) {
    // Texts of other notations are left to the rules in `else`.
    const isOnly = rating?.groups.length === 1;
    return isOnly ? lookUp(profile, notation.values) : { from: name, values: notation.values };
  }
  const match = numberMatch(notation.match, scale.zeroIsNone, absent);
  return {
    from: name,
    ...(match === undefined ? {} : { match }),
    number: mark,
  };
}

const ZERO = '0+(?:[.,]0+)?';

/** Makes the expression that extracts the number and excludes texts that mean "not rated"; `undefined` if none is needed. */
function numberMatch(
  match: string | undefined,
  zeroIsNone: boolean,
  absent: readonly string[],
): string | undefined {
  if (match !== undefined) {
    return zeroIsNone ? match.replace('(\\d', `((?!${ZERO}(?![\\d.,]))\\d`) : match;
  }
  if (zeroIsNone) return `^(?!(?:${[ZERO, ...absent.map(escapeRegExp)].join('|')})$).+$`;
  return absent.length === 0 ? undefined : anyExcept(absent);
}

function bandsOf({ lowest, highest }: RatingScale, nps: boolean): Readonly<Record<string, number>> {
  if (nps) return { B: 9, N: 7, R: 0 };
  if (highest === 5) return { B: 4, N: 3, R: Math.min(lowest, 1) };
  if (highest === 50) return { B: 40, N: 30, R: 0 };
  // 7 * 0.7 is 4.8999999999999995.
  return { B: Math.round(highest * 7) / 10, N: highest * 0.5, R: lowest };
}

function sentimentField(
  profile: ColumnProfile,
  scaled: readonly ScaledGroup[],
  nps: boolean,
): DraftField {
  const rules = scaled.map((one) =>
    isSchoolMark(profile.name)
      ? { ...scoreRule(profile, one), bands: { B: 4, N: 3, R: 1 } }
      : { ...numberRule(profile, one), bands: bandsOf(one.scale, nps) },
  );
  const how = nps
    ? '9 and 10 are good, 6 and below is bad, as usual for this question'
    : '4 or more of 5 stars (7 of 10) is good, less than 3 (5 of 10) is bad';
  return {
    path: ['sentiment'],
    rule: chain(rules),
    confidence: 'medium',
    evidence: `no column states it, so it is derived from the rating: ${how}`,
  };
}

function evidenceOf(profile: ColumnProfile, scaled: readonly ScaledGroup[], nps: boolean): string {
  const parts = scaled.map(
    ({ group, scale }) =>
      `${sharePercent(group.count / profile.filled.length)} are ${group.notation.name} from ${group.least} to ${group.most}, on a scale from ${scale.lowest} to ${scale.highest}`,
  );
  const notes = [
    ...(isSchoolMark(profile.name) ? ['as a school grade, 1 is the best'] : []),
    ...(scaled.some(({ scale }) => scale.zeroIsNone) ? ['0 counts as no rating'] : []),
    ...(nps ? ['the Net Promoter question: how likely a recommendation is'] : []),
  ];
  const values = count(profile.filled.length, 'value');
  return [`of ${values} in ${columnLabel(profile)}, ${parts.join('; ')}`, ...notes].join('; ');
}

/** Asks about a scale that the values alone don't show. */
function scaleChoices(
  context: RuleContext,
  profile: ColumnProfile,
  { lowest, highest, zeroIsNone, other }: RatingScale,
): readonly FieldChoice[] {
  if (profile.rating === undefined || other === undefined) return [];
  const [from, to] = other;
  const rating = { ...profile.rating, scale: { lowest: from, highest: to } };
  const change = withProfile(context, profile, { rating });
  const [check, answer] = zeroIsNone
    ? ['that 0 means "not rated"', 'it is the lowest rating']
    : [`the scale, ${lowest} to ${highest}`, `it is ${from} to ${to}`];
  const ask = `check ${check}: the values alone don't show it`;
  return [{ ask, when: `If ${answer}`, change }];
}

/** Makes the sentiment from a column that states it. */
function sentimentColumn(context: RuleContext): DraftField | undefined {
  const best = columnFor(context, 'sentiment');
  const notation = best === undefined ? undefined : sentimentNotation(best.profile);
  if (best === undefined || notation === undefined) return undefined;
  const { profile, score } = best;
  const label = columnLabel(profile);
  const texts = [...new Set(profile.filled)];
  const labels = texts.map((text) => [text, sentimentOf(text) ?? LABEL_OF_SIGN[Number(text)]]);
  const flags = texts.map((text) => [text, /^(?:true|\+?1)/iu.test(text) ? 'B' : 'R']);
  const known = (notation === 'flags' ? flags : labels).filter(([, one]) => one !== undefined);
  return {
    path: ['sentiment'],
    confidence: confidenceOf(score),
    rule: lookUp(profile, Object.fromEntries(known)),
    evidence: `${label} states it: ${known
      .map(([text, one]) => `${quoted(String(text))} is ${one}`)
      .slice(0, 4)
      .join(', ')}`,
    choices: notation === 'flags' ? [sideChoice(profile, flags)] : [],
  };
}

/** Asks which of two flags is the good one. */
function sideChoice(profile: ColumnProfile, flags: readonly (readonly string[])[]): FieldChoice {
  const good = flags.find(([, side]) => side === 'B')?.[0] ?? '1';
  const bad = flags.find(([, side]) => side === 'R')?.[0] ?? '0';
  const swapped = flags.map(([text, side]) => [text, side === 'B' ? 'R' : 'B']);
  return {
    ask: `check that ${quoted(good)} in ${JSON.stringify(profile.name)} is the positive value`,
    when: `If ${quoted(bad)} is`,
    change: {
      edits: [
        {
          path: ['document', 'sentiment'],
          value: lookUp(profile, Object.fromEntries(swapped)),
        },
      ],
    },
  };
}

const LABEL_OF_SIGN: Readonly<Record<number, SentimentLabel>> = { 1: 'B', 0: 'N', [-1]: 'R' };

/** Makes the sentiment from thumbs up and down, which are no score. */
function recommendedField(context: RuleContext): readonly DraftField[] {
  return columnsFor(context, 'recommended').map(({ profile }) => {
    const sides = [...sidesOf(profile)].map(([text, good]) => [text, good ? 'B' : 'R']);
    return {
      path: ['sentiment'],
      rule: lookUp(profile, Object.fromEntries(sides)),
      confidence: 'medium',
      evidence: `${columnLabel(profile)} holds good or bad (for example ${quoted(profile.filled[0] ?? '')}), and no column is a rating`,
    };
  });
}
