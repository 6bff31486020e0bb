import { thousands } from '../../model/figures.js';
import type { Concept } from '../lexicon/name-concepts.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import { repeatsAgree } from '../propose/source-id.js';
import {
  allChosen,
  type Chosen,
  called,
  chosen,
  columnField,
  columnRule,
  type DraftField,
} from './draft.js';
import { textColumns } from './text-rule.js';

/**
 * Identify a review together with its text and what is reviewed. Counts that grow and relative dates
 * don't.
 */
const IDENTIFYING: readonly Role[] = [
  'authorId',
  'username',
  'published',
  'clock',
  'experienced',
  'score',
  'recommended',
];

/** Names of columns that identify the reviewed thing speak of nothing else. */
const OF_REVIEWED_THING: ReadonlySet<Concept> = new Set(['place', 'id', 'name', 'title']);

/** Stand in for the author, so that two people's "Great!" are two reviews. */
const WITHOUT_AUTHOR: readonly Role[] = ['lives', 'country', 'city', 'tags'];

/** The id: the review's own, else a hash of what identifies it. */
export function idFields(from: Chosen): readonly DraftField[] {
  const own = allChosen(from, 'sourceId').map((best) => {
    const name = called(best.profile);
    const question = `check that ${name} identifies the review, and stays the same in the next export`;
    return columnField(['sourceId'], best, `${name} ${identifies(best.profile, from)}`, question);
  });
  const parent = allChosen(from, 'parentSourceId').map((best) => {
    const evidence = `${called(best.profile)} names the review that is replied to`;
    return { ...columnField(['parentSourceId'], best, evidence), confidence: 'medium' as const };
  });
  return [...(own.length > 0 ? own : hashField(from)), ...parent];
}

function identifies(profile: ColumnProfile, { profiles }: Chosen): string {
  const { distinct, filled } = profile;
  const records = thousands(filled.length);
  const repeats = filled.length - distinct;
  if (repeats === 0) return `has another value in each of ${records} records`;
  if (!repeatsAgree(profile, profiles)) {
    return `has another value in each of ${records} records, but for ${repeats} that stand there twice`;
  }
  return `has ${thousands(distinct)} values in ${records} records; those that share one agree on author, date and rating, so they are the same review, and later ones are left out as duplicates`;
}

/** Whether the export shows some reviews several times, under the id of their own. */
export function idRepeats(from: Chosen): boolean {
  const profile = chosen(from, 'sourceId')?.profile;
  return profile !== undefined && repeatsAgree(profile, from.profiles);
}

function hashField(from: Chosen): readonly DraftField[] {
  const columns = hashColumns(from);
  if (columns.length === 0) return [];
  const rejected = from.profiles.filter(
    ({ concepts, filled }) => concepts.has('id') && filled.length > 0,
  );
  const why = rejected.map((profile) => `${called(profile)} ${whyNot(profile)}`);
  const because = why.length === 0 ? 'no column identifies the review' : why.slice(0, 4).join('; ');
  return [
    {
      path: ['sourceId'],
      rule: { hash: columns.map(columnRule) },
      confidence: 'medium',
      evidence: `${because}; so the id is a hash of what tells reviews apart, the same in every export`,
      todo: namelessIdTodo(from),
    },
  ];
}

/** A code of its own for each record, in a column whose name means nothing known, may be the id. */
function namelessIdTodo({ profiles, records }: Chosen): string | undefined {
  const found = profiles.find(
    ({ concepts, column, codes, words, urls, counts, distinct, filled, date }) =>
      concepts.size === 0 &&
      !column.unnamed &&
      filled.length === records &&
      distinct === records &&
      records >= ENOUGH &&
      codes > 0.95 &&
      words <= 1.05 &&
      urls === 0 &&
      !counts &&
      date === undefined,
  );
  return found && `check whether ${called(found)} is the review's id: its name does not say`;
}

const ENOUGH = 10;

/** All that makes a review this one, so that an equal hash means the same review. */
function hashColumns(from: Chosen): readonly ColumnProfile[] {
  const nameless = chosen(from, 'username') === undefined && chosen(from, 'authorId') === undefined;
  const roles = nameless ? [...IDENTIFYING, ...WITHOUT_AUTHOR] : IDENTIFYING;
  const around = [
    ...reviewedThing(from),
    ...roles.flatMap((role) => chosen(from, role)?.profile ?? []),
  ];
  const lasting = around.filter(({ date }) => date === undefined || !date.relative);
  return [...new Set([...lasting, ...textColumns(from)])].filter(({ column }) => !column.list);
}

/** Ids and names of what is reviewed; addresses of its page only where there are none. */
function reviewedThing(from: Chosen): readonly ColumnProfile[] {
  const roles: readonly Role[] = ['placeId', 'place'];
  const assigned = roles.flatMap((role) => chosen(from, role)?.profile ?? []);
  const ofThing = from.profiles.filter(
    ({ concepts, filled }) => concepts.has('place') && filled.length > 0,
  );
  const named = ofThing.filter(({ concepts }) =>
    [...concepts].every((concept) => OF_REVIEWED_THING.has(concept)),
  );
  const found = [...assigned, ...named];
  return found.length > 0 ? found : ofThing.filter(({ urls }) => urls > 0.95);
}

function whyNot({ counts, distinct, filled, filledShare, concepts }: ColumnProfile): string {
  if (counts) return 'only counts the rows';
  if (distinct < filled.length)
    return `has ${thousands(distinct)} values in ${thousands(filled.length)} records, so it is of something else`;
  if (filledShare < 1) return 'is blank in some records';
  return concepts.has('author') ? 'is of the author' : 'is no id of the review for sure';
}
