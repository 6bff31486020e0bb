import type { Rule } from '../../mapping/mapping.js';
import { absentWords } from '../notations/placeholders.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import { isWords } from '../propose/text.js';
import {
  allChosen,
  type Chosen,
  called,
  chosen,
  columnRule,
  confidenceOf,
  type DraftField,
  type DraftSkip,
  example,
  otherThan,
  percent,
} from './draft.js';

const PARTS: readonly Role[] = ['title', 'text', 'positive', 'negative'];

/** The columns that make up the text, in the order in which they are joined. */
export function textColumns(from: Chosen): readonly ColumnProfile[] {
  const profiles = (role: Role): readonly ColumnProfile[] =>
    allChosen(from, role).map(({ profile }) => profile);
  // A survey's answers stand in the order of its questions, whichever of them is the text.
  const answers = [...profiles('text'), ...profiles('answer')].toSorted(
    (a, b) => a.column.position - b.column.position,
  );
  const parts = PARTS.flatMap((role) => (role === 'text' ? answers : profiles(role)));
  return parts.length > 0 ? parts : longestColumn(from);
}

/** When nothing looks like a review, the longest words have to do. */
function longestColumn({ profiles }: Chosen): readonly ColumnProfile[] {
  const words = profiles.filter(isWords).toSorted((a, b) => b.length - a.length);
  return words.slice(0, 1);
}

/** The rule for the text: title, text, what was liked and what was not, joined. */
export function textField(from: Chosen): DraftField | undefined {
  const columns = textColumns(from);
  if (columns.length === 0) return undefined;
  const title = chosen(from, 'title')?.profile;
  const text = chosen(from, 'text');
  const rules = columns.flatMap((profile) =>
    profile === title && text !== undefined
      ? titleRule(profile, text.profile)
      : [partRule(profile)],
  );
  const [only] = rules;
  const rule: Rule =
    rules.length === 1 && only !== undefined ? only : { join: rules, with: '\n\n' };
  const best = Math.max(0, ...PARTS.map((role) => chosen(from, role)?.score ?? 0));
  const confidence = confidenceOf(best);
  const markup = columns.some(({ markup: share }) => share > 0) ? '; markup is taken off' : '';
  const evidence = `${columns.map(called).join(', ')}: ${describe(columns)}${markup}`;
  return {
    path: ['text'],
    rule,
    confidence,
    evidence,
    ...(confidence === 'low'
      ? { todo: 'check that this is what the author wrote: no column looks like it for sure' }
      : {}),
  };
}

function describe(columns: readonly ColumnProfile[]): string {
  const longest = Math.max(...columns.map(({ words }) => words));
  return `up to ${Math.max(1, Math.round(longest))} words a value on average`;
}

function partRule(profile: ColumnProfile): Rule {
  const strip = profile.markup > 0 ? ({ strip: 'html' } as const) : {};
  const absent = absentWords(profile.filled);
  if (profile.column.list) return { join: [{ from: profile.name, ...strip }], with: '\n' };
  if (absent.length > 0) return { from: profile.name, ...strip, match: otherThan(absent) };
  return profile.markup > 0 ? { from: profile.name, ...strip } : columnRule(profile);
}

/** A title that is the text's first words is not said twice. */
function titleRule(title: ColumnProfile, text: ColumnProfile): readonly Rule[] {
  const pairs = title.column.texts.flatMap((value, index) => {
    const whole = text.column.texts[index];
    return value === undefined || whole === undefined ? [] : [[value, whole] as const];
  });
  const cut = pairs.filter(([value, whole]) => startsAlike(value, whole));
  if (pairs.length > 0 && cut.length > pairs.length * 0.9) return [];
  const elided = cut.filter(([value]) => /(?:…|\.\.\.)$/u.test(value));
  if (elided.length < pairs.length * 0.02 || elided.length < 2) return [partRule(title)];
  const strip = title.markup > 0 ? ({ strip: 'html' } as const) : {};
  return [{ from: title.name, ...strip, match: '^(?!.*(?:…|\\.\\.\\.)$).*$' }];
}

function startsAlike(title: string, text: string): boolean {
  const start = title.replace(/(?:…|\.\.\.)$/u, '').trim();
  return start.length > 3 && text.startsWith(start);
}

/** Records without a word are left out: the platform shows texts, and there is none to show. */
export function blankTextSkips(from: Chosen): readonly DraftSkip[] {
  const columns = textColumns(from);
  const names = columns.map(({ name }) => name);
  if (names.length === 0) return [];
  let blank = 0;
  for (let index = 0; index < from.records; index += 1) {
    if (columns.every(({ column }) => column.texts[index] === undefined)) blank += 1;
  }
  const [only] = columns;
  const single = names.length === 1 && only !== undefined;
  const skip: DraftSkip = {
    condition: { from: single ? only.name : names, blank: true },
    evidence:
      blank === 0
        ? 'no record of the sample is without a text'
        : `${percent(blank / from.records)} of the records have no text (${blank.toLocaleString('en')} of ${from.records.toLocaleString('en')})`,
  };
  const absent = single ? absentWords(only.filled) : [];
  if (!single || absent.length === 0) return [skip];
  const evidence = `${absent.map(example).join(', ')} in ${called(only)} stands for no text`;
  return [skip, { condition: { from: only.name, in: absent }, evidence }];
}
