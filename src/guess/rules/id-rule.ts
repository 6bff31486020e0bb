import type { Rule } from '../../mapping/mapping.js';
import { columnRule } from '../../mapping/rules.js';
import { thousands } from '../../model/figures.js';
import { hasAny } from '../lexicon/name-concepts.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/roles.js';
import { isNamedId, isOnlyId, repeatsAgree } from '../propose/source-id.js';
import {
  columnField,
  columnFor,
  columnLabel,
  columnsFor,
  type DraftField,
  type FieldChoice,
  type RuleContext,
  withRole,
} from './draft.js';
import { unstableReason } from './lasting.js';
import { textColumns } from './text-rule.js';

/**
 * Roles that identify a review, in addition to its text and the reviewed thing. Without values that
 * change from export to export, like counts and relative dates.
 */
const IDENTIFYING: readonly Role[] = [
  'authorId',
  'username',
  'published',
  'clock',
  'experienced',
  'score',
  'recommended',
  'language',
];

/** Roles used instead of a missing author, so that two people's "Great!" are two reviews. */
const WITHOUT_AUTHOR: readonly Role[] = ['lives', 'country', 'city', 'tags'];

/** Makes the id: the review's own, otherwise a hash of the columns that identify it. */
export function idFields(context: RuleContext): readonly DraftField[] {
  const own = columnsFor(context, 'sourceId').map((best) => {
    const evidence = `${columnLabel(best.profile)} ${identifies(best.profile, context)}`;
    return columnField(['sourceId'], best, evidence);
  });
  const parent = columnsFor(context, 'parentSourceId').map((best) => {
    const evidence = `${columnLabel(best.profile)} names the review that this one replies to`;
    return { ...columnField(['parentSourceId'], best, evidence), confidence: 'medium' as const };
  });
  return [...(own.length > 0 ? own : hashField(context)), ...parent];
}

function identifies(profile: ColumnProfile, { profiles }: RuleContext): string {
  const { distinct, filled } = profile;
  const records = thousands(filled.length);
  const repeats = filled.length - distinct;
  if (repeats === 0) return `is unique in all ${records} records`;
  if (!repeatsAgree(profile, profiles)) {
    return `is unique in ${records} records, except for ${repeats} repeated ${repeats === 1 ? 'value' : 'values'}`;
  }
  return `has ${thousands(distinct)} values in ${records} records; those that share one agree on author, date and rating, so they are the same review, and repeats are skipped as duplicates`;
}

/** Returns whether the export contains some reviews several times under the same id. */
export function idRepeats(context: RuleContext): boolean {
  const profile = columnFor(context, 'sourceId')?.profile;
  return profile !== undefined && repeatsAgree(profile, context.profiles);
}

function hashField(context: RuleContext): readonly DraftField[] {
  const columns = hashColumns(context);
  if (columns.length === 0) return [];
  const rejected = context.profiles.filter(
    ({ concepts, filled }) => concepts.has('id') && filled.length > 0,
  );
  const why = rejected.map((profile) => `${columnLabel(profile)} ${nonIdReason(profile)}`);
  const because = why.length === 0 ? 'no column identifies the review' : why.slice(0, 4).join('; ');
  return [
    {
      path: ['sourceId'],
      rule: { hash: columns.map(hashedRule) },
      confidence: 'medium',
      evidence: `${because}, so the id is a hash of the columns that identify a review, the same in every export`,
      repeats: repeatedReviews(context, columns),
      choices: possibleId(context),
    },
  ];
}

/**
 * Counts records that differ from an earlier one only in what is about the export; 0 if other records
 * share a hash, too, or if two people may have written the same: "Great!", five stars.
 */
function repeatedReviews(context: RuleContext, hashed: readonly ColumnProfile[]): number {
  const compared = context.profiles.filter(
    ({ isRowNumber, concepts }) => !isRowNumber && !concepts.has('scraped'),
  );
  const texts = textColumns(context);
  const firsts = new Map<string, string>();
  let repeats = 0;
  for (let record = 0; record < context.records; record += 1) {
    const key = textsAt(hashed, record);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, textsAt(compared, record));
    else if (first !== textsAt(compared, record) || !isLong(texts, record)) return 0;
    else repeats += 1;
  }
  return repeats;
}

/** Number of words beyond which two people seldom write the same. */
const MAX_COMMON_WORDS = 6;

function isLong(texts: readonly ColumnProfile[], record: number): boolean {
  const words = texts.flatMap(({ column }) => column.texts[record]?.trim().split(/\s+/u) ?? []);
  return words.length > MAX_COMMON_WORDS;
}

function textsAt(profiles: readonly ColumnProfile[], record: number): string {
  return JSON.stringify(profiles.map(({ column }) => column.texts[record] ?? null));
}

function hashedRule(profile: ColumnProfile): Rule {
  return profile.column.list ? { join: [{ from: profile.name }] } : columnRule(profile);
}

/** Asks about a unique column that may be the id: a running number, or codes with a vague name. */
function possibleId(context: RuleContext): readonly FieldChoice[] {
  const { profiles, records } = context;
  const unique = profiles.filter(
    (profile) =>
      profile.distinct === records ||
      (profile.filled.length === records && repeatsAgree(profile, profiles)),
  );
  const named = unique.find((profile) => (profile.isRowNumber ? isNamedId : isOnlyId)(profile));
  const found = named ?? (records < MIN_RECORDS ? undefined : unique.find(isNamelessId));
  if (found === undefined) return [];
  const doubt = found.isRowNumber
    ? 'it only numbers the records, and may restart in the next export'
    : "its name doesn't show it, but a review edited later would keep it, unlike the hash";
  const ask = `check whether ${columnLabel(found)} is the review's id: ${doubt}`;
  const change = withRole(context, 'sourceId', { role: 'sourceId', profile: found, score: 1 });
  return [{ ask, when: 'If it is', change }];
}

/** Number of records from which unique codes are probably ids. */
const MIN_RECORDS = 10;

/** Returns whether values are codes under a name that doesn't identify them. */
function isNamelessId(profile: ColumnProfile): boolean {
  const { concepts, column, codes, words, urls, isRowNumber, date } = profile;
  const isUnclear = concepts.size === 0 && !column.unnamed && date === undefined && !isRowNumber;
  return isUnclear && codes > 0.95 && words <= 1.05 && urls === 0;
}

/** Lists the columns that together identify a review, so that equal hashes mean the same review. */
function hashColumns(context: RuleContext): readonly ColumnProfile[] {
  const nameless =
    columnFor(context, 'username') === undefined && columnFor(context, 'authorId') === undefined;
  const roles = nameless ? [...IDENTIFYING, ...WITHOUT_AUTHOR] : IDENTIFYING;
  const around = [
    ...reviewedThing(context),
    ...roles.flatMap((role) => columnFor(context, role)?.profile ?? []),
  ];
  const single = around.filter((one) => !one.column.list && unstableReason(one) === undefined);
  return [...new Set([...single, ...textColumns(context)])];
}

/** Lists ids and names of the reviewed thing; the URL of its page only if there are none. */
function reviewedThing(context: RuleContext): readonly ColumnProfile[] {
  const roles: readonly Role[] = ['placeId', 'place'];
  const assigned = roles.flatMap((role) => columnFor(context, role)?.profile ?? []);
  const ofThing = context.profiles.filter(
    ({ concepts, filled }) => concepts.has('place') && filled.length > 0,
  );
  const named = ofThing.filter(({ concepts }) =>
    [...concepts].every((concept) => hasAny({ concepts: new Set([concept]) }, 'ofThing')),
  );
  const found = [...assigned, ...named];
  return found.length > 0 ? found : ofThing.filter(({ urls }) => urls > 0.95);
}

/** Reason why a column isn't used as the id, as a predicate: `only counts the rows`. */
export function nonIdReason({
  isRowNumber,
  distinct,
  filled,
  filledShare,
  concepts,
}: ColumnProfile): string {
  if (isRowNumber) return 'only numbers the rows';
  if (distinct < filled.length)
    return `has ${thousands(distinct)} values in ${thousands(filled.length)} records, so it identifies something else`;
  if (filledShare < 1) return 'is blank in some records';
  return concepts.has('author') ? 'identifies the author' : 'may not be an id of the review';
}
