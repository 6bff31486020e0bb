import type { Rule, RuleObject } from '../../mapping/mapping.js';
import { nameWords } from '../name-concepts.js';
import { type RatingGroup, type RatingScale, scaleOf } from '../notations/rating-column.js';
import type { ColumnProfile } from '../profile-column.js';
import { SENTIMENTS } from '../propose/score.js';
import {
  allChosen,
  type Chosen,
  called,
  chosen,
  confidenceOf,
  type DraftField,
  example,
  percent,
} from './draft.js';

/** A group of ratings with its scale. */
interface Scaled {
  readonly group: RatingGroup;
  readonly scale: RatingScale;
}

/** The score, from 1 to 5, and the sentiment that follows from it. */
export function scoreFields(from: Chosen): readonly DraftField[] {
  const best = chosen(from, 'score');
  const stated = sentimentColumn(from);
  if (best === undefined) return stated === undefined ? recommendedField(from) : [stated];
  const { profile, score } = best;
  const nps = isNps(profile);
  const scaled = scaledGroups(from, profile, nps);
  if (scaled.length === 0) return stated === undefined ? [] : [stated];
  const doubtful = scaled.find(({ scale }) => scale.doubtful);
  const confidence = doubtful === undefined ? confidenceOf(score) : 'medium';
  const field: DraftField = {
    path: ['metrics', 'score'],
    rule: chain(scaled.map((one) => scoreRule(profile.name, one))),
    confidence,
    evidence: evidenceOf(profile, scaled, nps),
    ...todoOf(profile, doubtful, score),
  };
  return [stated ?? sentimentField(profile, scaled, nps), field];
}

/** Parts of the rating, such as cleanliness, each as a metric of its own. */
export function aspectFields(from: Chosen): readonly DraftField[] {
  return allChosen(from, 'aspect').flatMap(({ profile }) => {
    const scaled = scaledGroups(from, profile, false);
    if (scaled.length === 0) return [];
    return {
      path: ['metrics', aspectName(profile)],
      rule: chain(scaled.map((one) => scoreRule(profile.name, one))),
      confidence: 'medium' as const,
      evidence: `a part of the rating: ${evidenceOf(profile, scaled, false)}`,
    };
  });
}

function aspectName({ name }: ColumnProfile): string {
  return nameWords(name).join(' ');
}

/** The question how likely a recommendation is, from 0 to 10. */
function isNps({ concepts, name, rating }: ColumnProfile): boolean {
  const most = Math.max(0, ...(rating?.groups ?? []).map((group) => group.most));
  return most > 5 && most <= 10 && (concepts.has('recommend') || /\bnps\b/iu.test(name));
}

function scaledGroups(from: Chosen, profile: ColumnProfile, nps: boolean): readonly Scaled[] {
  const beside = chosen(from, 'highest')?.profile.filled[0];
  const said = /(?:^|\D)(?:of|von|sur|de|uit|z|max|0|1)[\s_-]*(5|10|20|100)(?:\D|$)/iu.exec(
    profile.name,
  )?.[1];
  const highest = beside ?? said;
  const groups = profile.rating?.groups ?? [];
  const scaled = groups.flatMap((group) => {
    const options = { nps, highest: highest === undefined ? undefined : Number(highest) };
    const scale = scaleOf(group, options) ?? scaleOf(group, { nps: false });
    return scale === undefined ? [] : [{ group, scale }];
  });
  // A bare number is read last, as it can't tell a text in another notation from a mistake.
  return scaled.toSorted((a, b) => Number(isBare(a.group)) - Number(isBare(b.group)));
}

function isBare({ notation }: RatingGroup): boolean {
  return notation.match === undefined && notation.values === undefined;
}

/** One rule, of which each answers for what the one before has no match for. */
function chain(rules: readonly RuleObject[]): Rule {
  const [first, ...rest] = rules;
  if (first === undefined) return {};
  return rest.length === 0 ? first : { ...first, else: chain(rest) };
}

function scoreRule(name: string, scaled: Scaled): RuleObject {
  const { lowest, highest } = scaled.scale;
  const identity = lowest === 1 && highest === 5;
  return {
    ...numberRule(name, scaled),
    scale: { from: [lowest, highest], to: [1, 5] },
    ...(identity ? {} : { round: 2 }),
  };
}

function numberRule(name: string, { group, scale }: Scaled): RuleObject {
  const { notation, mark } = group;
  if (notation.values !== undefined) return { from: name, values: notation.values };
  const match = scale.zeroIsNone ? '^(?!0+(?:[.,]0+)?$).+$' : notation.match;
  return {
    from: name,
    ...(match === undefined ? {} : { match }),
    ...(mark === 'mixed' ? { replace: { ',': '.' } } : {}),
    number: mark === 'mixed' ? '.' : mark,
  };
}

function bandsOf({ lowest, highest }: RatingScale, nps: boolean): Readonly<Record<string, number>> {
  if (nps) return { B: 9, N: 7, R: 0 };
  if (highest === 5) return { B: 4, N: 3, R: Math.min(lowest, 1) };
  if (highest === 50) return { B: 40, N: 30, R: 0 };
  return { B: highest * 0.7, N: highest * 0.5, R: lowest };
}

function sentimentField(
  profile: ColumnProfile,
  scaled: readonly Scaled[],
  nps: boolean,
): DraftField {
  const rules = scaled.map((one) => ({
    ...numberRule(profile.name, one),
    bands: bandsOf(one.scale, nps),
  }));
  const how = nps
    ? '9 and 10 are good, up to 6 is bad, as usual for this question'
    : 'four fifths of the stars, or 7 of 10, are good; less than 3 stars, or 5 of 10, is bad';
  return {
    path: ['sentiment'],
    rule: chain(rules),
    confidence: 'medium',
    evidence: `no column states it, so it follows from the rating: ${how}`,
  };
}

function evidenceOf(profile: ColumnProfile, scaled: readonly Scaled[], nps: boolean): string {
  const count = profile.filled.length.toLocaleString('en');
  const parts = scaled.map(({ group, scale }) => {
    const mark =
      group.mark === ','
        ? ' with a decimal comma'
        : group.mark === 'mixed'
          ? ' with decimal commas and points'
          : '';
    const scaleText =
      scale.lowest === 1 && scale.highest === 5
        ? 'kept'
        : `scaled from ${scale.lowest}–${scale.highest} to 1–5`;
    return `${percent(group.count / profile.filled.length)} are ${group.notation.name} from ${group.least} to ${group.most}${mark}, ${scaleText}`;
  });
  const zero = scaled.some(({ scale }) => scale.zeroIsNone) ? '; 0 counts as no rating' : '';
  const question = nps ? '; the question how likely a recommendation is' : '';
  return `of ${count} values in ${called(profile)}, ${parts.join('; ')}${zero}${question}`;
}

function todoOf(
  profile: ColumnProfile,
  doubtful: Scaled | undefined,
  score: number,
): Pick<DraftField, 'todo'> {
  if (confidenceOf(score) === 'low') {
    return { todo: `check that ${called(profile)} is the rating: its name does not say so` };
  }
  if (doubtful === undefined) return {};
  const { lowest, highest } = doubtful.scale;
  const what = doubtful.scale.zeroIsNone
    ? 'that 0 means "not rated"'
    : `the scale, ${lowest} to ${highest}`;
  return { todo: `check ${what}: the values alone don't prove it` };
}

/** A column that states the sentiment. */
function sentimentColumn(from: Chosen): DraftField | undefined {
  const best = chosen(from, 'sentiment');
  if (best === undefined) return undefined;
  const { profile } = best;
  const values: Record<string, string> = {};
  for (const text of new Set(profile.filled)) {
    const label = SENTIMENTS.find(([pattern]) => pattern.test(text))?.[1];
    if (label !== undefined) values[text] = label;
  }
  return {
    path: ['sentiment'],
    rule: { from: profile.name, values },
    confidence: 'high',
    evidence: `${called(profile)} states it in words`,
  };
}

/** Thumbs up or down are no score, but a sentiment. */
function recommendedField(from: Chosen): readonly DraftField[] {
  const best = chosen(from, 'recommended');
  if (best === undefined) return [];
  const { profile } = best;
  const values: Record<string, string> = {};
  for (const text of new Set(profile.filled)) {
    values[text] = /^(?:false|no|nein|non|não|ne|0|not\b.*|.*not recommended.*)$/iu.test(text)
      ? 'R'
      : 'B';
  }
  const [first = ''] = profile.filled;
  return [
    {
      path: ['sentiment'],
      rule: { from: profile.name, values },
      confidence: 'medium',
      evidence: `${called(profile)} says whether it is recommended (such as ${example(first)}); there is no rating`,
    },
  ];
}
