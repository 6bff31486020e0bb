/** Makes the fields that take a column's value: address, places, counts, tags and author. */
import type { Rule } from '../../mapping/mapping.js';
import { columnRule } from '../../mapping/rules.js';
import { repairEncoding } from '../../mapping/steps/repair-encoding.js';
import { count } from '../../model/figures.js';
import { escapeRegExp } from '../../model/text.js';
import { countSteps } from '../notations/counts.js';
import { isAnonymous } from '../notations/known-values.js';
import { askedText, type ColumnProfile } from '../profile-column.js';
import type { Candidate } from '../propose/candidate.js';
import { valuesInFile } from '../repairs.js';
import {
  anyExcept,
  columnField,
  columnFor,
  columnLabel,
  columnsFor,
  type DraftField,
  FIELDS,
  type FieldChoice,
  quoted,
  type RuleContext,
} from './draft.js';
import { refusalsOfName } from './withdrawn.js';

/** Makes fields for the URL, locations, counts, tags and author. */
export function otherFields(context: RuleContext): readonly DraftField[] {
  return [
    ...draftFields(TAKEN, context),
    ...tagFields(context),
    ...draftFields(TAKEN_OF_AUTHOR, context),
    ...annotationFields(context),
  ];
}

/** How the column of a field is described, and read if its value isn't taken unchanged. */
interface TakenColumn {
  readonly evidence: (profile: ColumnProfile) => string;
  /** Makes the rule; none if the column holds no value for the field. */
  readonly rule?: (profile: ColumnProfile, context: RuleContext) => Rule | undefined;
}

type TakenColumns = Readonly<Record<string, TakenColumn>>;

const example: TakenColumn['evidence'] = ({ filled }) => `, for example ${quoted(filled[0] ?? '')}`;
const counts: TakenColumn = { evidence: () => ' holds counts', rule: countRule };

const TAKEN: TakenColumns = {
  url: {
    evidence: ({ distinctShare }) =>
      distinctShare < 0.9
        ? " is a page with several reviews, not each review's own"
        : ' holds web addresses',
    rule: urlRule,
  },
  'detectedLocations.country': { evidence: example, rule: countryRule },
  'detectedLocations.state': { evidence: example },
  'detectedLocations.city': { evidence: example },
  'metrics.likes': counts,
  'metrics.comments': counts,
  'metrics.shares': counts,
};

const TAKEN_OF_AUTHOR: TakenColumns = {
  'author.sourceId': { evidence: () => ' identifies the author' },
  'author.username': { evidence: namesEvidence, rule: usernameRule },
};

function draftFields(taken: TakenColumns, context: RuleContext): readonly DraftField[] {
  return Object.entries(taken).flatMap(([name, { evidence, rule = columnRule }]) => {
    const role = FIELDS[name]?.role;
    const best = role && columnFor(context, role);
    const made = best && rule(best.profile, context);
    if (best === undefined || made === undefined) return [];
    const about = columnLabel(best.profile) + evidence(best.profile);
    const choices = name === 'author.username' ? withheldChoices(best.profile, context) : [];
    return [{ ...columnField(name.split('.'), best, about), rule: made, choices }];
  });
}

export function urlRule({ name }: ColumnProfile): Rule {
  return { from: name, match: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' };
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

export function countRule({ name, filled }: ColumnProfile): Rule {
  return { from: name, ...countSteps(filled) };
}

/** Minimum share of numbers in a column of them. */
const MIN_NUMBERS = 0.9;

function tagFields(context: RuleContext): readonly DraftField[] {
  // A number that identifies a shop tells a reader nothing.
  const ids = columnsFor(context, 'placeId').filter(
    ({ profile }) => profile.integers < MIN_NUMBERS,
  );
  const places = [...columnsFor(context, 'place'), ...ids].slice(0, 1);
  const columns = [...places, ...columnsFor(context, 'tags')];
  return columns.map((best, index) => {
    const evidence = columnLabel(best.profile) + example(best.profile);
    const field = columnField(['tags', String(index)], best, evidence);
    return { ...field, rule: tagRule(best.profile) };
  });
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

function namesEvidence(profile: ColumnProfile): string {
  const anonymous = anonymousIn(profile);
  const none = anonymous.slice(0, 3).map(quoted).join(', ');
  const verb = anonymous.length === 1 ? 'counts' : 'count';
  return ` holds names${none === '' ? '' : `; ${none} ${verb} as no name`}`;
}

/** Makes the rule for an author's name; people without one aren't the same author. */
export function usernameRule(profile: ColumnProfile, context: RuleContext): Rule | undefined {
  const anonymous = anonymousIn(profile);
  if (anonymous.length === profile.distinct) return undefined;
  const asked = context.profiles.filter((one) => refusalsOfName(one).length > 0);
  if (asked.length > 0) return withheldRule(profile, asked, anonymous);
  return anonymous.length === 0
    ? columnRule(profile)
    : { from: profile.name, match: anyExcept(anonymous) };
}

/** Shows a name only where all answers allow it; nowhere if a template can't name their columns. */
function withheldRule(
  { name }: ColumnProfile,
  asked: readonly ColumnProfile[],
  anonymous: readonly string[],
): Rule | undefined {
  const columns = [...asked.map((one) => one.name), name];
  if (/[{}]/u.test(columns.join(''))) return undefined;
  // An answer that is new in a later file may be a refusal, too.
  const allowed = asked.map((one) => {
    const refused = refusalsOfName(one);
    const answers = [...new Set(one.filled)].filter((text) => !refused.includes(text));
    return `(?:${valuesInFile([one], ['', ...answers])
      .map(escapeRegExp)
      .join('|')})\\|`;
  });
  const own = anonymous.length === 0 ? '[^]+$' : anyExcept(anonymous).slice(1);
  const text = columns.map((column) => `{${column}}`).join('|');
  return { text, match: `^${allowed.join('')}(${own})` };
}

/** Says whose names are left out. */
function withheldChoices(named: ColumnProfile, context: RuleContext): readonly FieldChoice[] {
  return context.profiles.flatMap((asked) => {
    const answers = refusalsOfName(asked);
    if (answers.length === 0) return [];
    const times = asked.filled.filter((text) => answers.includes(text)).length;
    const stated = `${columnLabel(asked)} is ${answers.map(quoted).join(' or ')}`;
    const ask = `${stated} in ${count(times, 'record')}: the author's name is left out there, and wherever the answer is a new one`;
    const value = usernameRule(named, { ...context, profiles: [] });
    const edits = [{ path: ['document', 'author', 'username'], value }];
    return { ask, when: 'To import it all the same', change: { edits } };
  });
}

function anonymousIn({ filled }: ColumnProfile): readonly string[] {
  return [...new Set(filled)].filter(isAnonymous);
}

/** Makes annotations of the author: where they live, and when the experience was. */
function annotationFields(context: RuleContext): readonly DraftField[] {
  const published = columnFor(context, 'published')?.profile;
  const experienced = columnsFor(context, 'experienced').filter(
    ({ profile }) => !isOnSameDay(profile, published),
  );
  const annotation = (best: Candidate, evidence: string): DraftField => {
    const { profile } = best;
    const path = ['author', 'annotations', repairEncoding(profile.name)];
    return columnField(path, best, columnLabel(profile) + evidence);
  };
  return [
    ...columnsFor(context, 'lives').map((best) => annotation(best, ', unchanged')),
    ...experienced.map((best) =>
      annotation(best, ' is the date of the experience, not of the review'),
    ),
    ...columnsFor(context, 'choice').map(({ profile }) => choiceField(profile, context)),
  ];
}

/** Makes an annotation of the answers to a survey's closed question. */
function choiceField(profile: ColumnProfile, { profiles }: RuleContext): DraftField {
  const asked = askedText(profile);
  const isTaken = profiles.some(
    (one) => one !== profile && [one.name, askedText(one)].includes(asked),
  );
  return {
    path: ['author', 'annotations', isTaken ? profile.name : asked],
    rule: columnRule(profile),
    confidence: 'medium',
    evidence: `answers to a closed question${example(profile)}`,
  };
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
