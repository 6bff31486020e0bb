/** Words the questions about a draft, each with the edit of the mapping that answers it. */
import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleObject } from '../mapping/mapping.js';
import { columnRule, ruleColumns } from '../mapping/rules.js';
import { capital } from '../model/text.js';
import type { Draft } from './draft-mapping.js';
import { repairedEdit } from './repairs.js';
import {
  answerLabel,
  columnFor,
  columnLabel,
  type DraftField,
  type DraftSkip,
  dottedName,
  type Edit,
  editText,
  FIELDS,
  type FieldChoice,
  type GuessQuestion,
  isWhole,
  leastEdits,
  type QuestionAnswer,
  type RuleContext,
  type WordedChange,
  without,
} from './rules/draft.js';
import { idFields } from './rules/id-rule.js';
import { languageFields } from './rules/language-rule.js';
import { isOfReply, mayTellApart } from './rules/lasting.js';
import { blankTextSkips, textColumns, textFields } from './rules/text-rule.js';

/** Questions about a field; those that no edit of the mapping answers become remarks. */
interface Asked {
  readonly questions: readonly GuessQuestion[];
  readonly remarks: readonly string[];
}

/**
 * Words all questions about a field's rule.
 * @param isHarmful tests edits: a harmful alternative isn't asked about, and a doubt has no such remedy
 */
export function questionsAbout(
  field: DraftField,
  draft: Draft,
  isHarmful: (edits: readonly Edit[]) => boolean,
): Asked {
  const { doubts = [], choices = [] } = field;
  const check = `check that ${subjectOf(field, draft)}: ${doubts.join('; ')}`;
  const all = [
    ...(doubts.length === 0
      ? []
      : [{ ask: check, when: IF_NOT, edits: editsWithout(field, draft) }]),
    ...choices.map(({ ask, when, change }) => ({ ask, when, ...answerOf(change, field, draft) })),
  ];
  const questions = all.flatMap((one) => {
    if (!isHarmful(one.edits)) return [one];
    return one.when === IF_NOT ? [{ ...one, edits: [] }] : [];
  });
  // An answer that replaces the rule undoes answers about its parts, so it comes after them.
  const ordered = questions.toSorted(
    (one, other) =>
      Number(isWhole(one.edits, draft.fields)) - Number(isWhole(other.edits, draft.fields)),
  );
  const asked = ordered.map(({ ask, when, edits: made, ...worded }) => {
    const edits = made.map((one) => repairedEdit(one, draft.context));
    const { words: answer = editText(edits, draft.fields), ...listed }: Partial<WordedChange> =
      worded;
    const changes = leastEdits(edits, draft.fields);
    const answers = changes.length === 0 ? [] : [answerWith(changes, when, field)];
    const todo = answer === '' ? '' : `${ask}. ${when}, ${answer}`;
    return { field: dottedName(field), ask, todo, answers, ...listed };
  });
  return {
    questions: asked.filter(({ todo }) => todo !== ''),
    remarks: asked.flatMap(({ ask, todo }) => (todo === '' ? [`${capital(ask)}.`] : [])),
  };
}

/** When an answer is given if the rule is wrong, not if something else is right. */
const IF_NOT = 'If not';

const SHORT: Readonly<Record<string, string>> = {
  [IF_NOT]: 'No',
  'If it is': 'Yes',
  'If so': 'Yes',
};

/** Words an answer as a button: `The month comes first`; a short one with what it changes. */
function answerWith(
  changes: readonly Edit[],
  when: string,
  { path: own, rule }: DraftField,
): QuestionAnswer {
  const short = SHORT[when];
  const known = ruleColumns(rule);
  const rules = changes.flatMap(({ path: [, ...path], value }) =>
    typeof value === 'object' && value !== null && own.every((key, at) => key === path[at])
      ? [value as RuleObject]
      : [],
  );
  const added = [...new Set(rules.flatMap(ruleColumns))].filter((name) => !known.includes(name));
  const hash = rules.find(isHash);
  const named = hash === undefined ? added.slice(0, MAX_NAMED) : ruleColumns(hash);
  const verb = hash === undefined ? 'use' : 'make an id of';
  const effect = changes.every(({ value }) => value === undefined)
    ? ', leave it out'
    : added.length > 0
      ? `, ${verb} ${named.map((name) => JSON.stringify(name)).join(', ')}`
      : '';
  const label = short === undefined ? answerLabel(when) : short + effect;
  return { label, changes, ...(changes[0]?.path[0] === 'asOf' ? { input: 'date' } : {}) };
}

function subjectOf(field: DraftField, { context }: Draft): string {
  const named = ruleColumns(field.rule);
  const columns = context.profiles.filter(({ name }) => named.includes(name)).map(columnLabel);
  const meaning =
    FIELDS[dottedName(field)]?.meaning ??
    `belongs in ${field.path[0] === 'tags' ? 'tags' : dottedName(field)}`;
  if (isHash(field.rule)) return `the hash ${meaning}`;
  const subject = columns.length === 0 ? 'it' : columns.slice(0, MAX_NAMED).join(', ');
  return `${subject} ${columns.length > 1 ? meaning.replace(/^is /u, 'are ') : meaning}`;
}

/** Maximum number of columns named in a question. */
const MAX_NAMED = 3;

/** The edits of an answer, none if it changes nothing; or what to do instead. */
function answerOf(
  change: FieldChoice['change'],
  field: DraftField,
  draft: Draft,
): Partial<WordedChange> & { readonly edits: readonly Edit[] } {
  if ('words' in change) return { edits: [], ...change };
  return { edits: 'edits' in change ? change.edits : editsTo(change, field, draft) };
}

/** The edits if a field's column is the wrong one; none if no other could be its text. */
function editsWithout(field: DraftField, draft: Draft): readonly Edit[] {
  const { context } = draft;
  const role = FIELDS[dottedName(field)]?.role;
  const best = role && columnFor(context, role)?.profile;
  const columns =
    field.path[0] === 'text' ? textColumns(context) : best === undefined ? [] : [best];
  if (isHash(field.rule)) return longerHash(field, draft);
  if (columns.length > 0) return editsTo(without(context, columns), field, draft);
  return [{ path: ['document', ...field.path] }];
}

function isHash(rule: Rule): rule is RuleObject & Required<Pick<RuleObject, 'hash'>> {
  return typeof rule === 'object' && rule.hash !== undefined;
}

/** Adds to a hash the columns that it lacks; no edit if there are none. */
function longerHash({ path, rule }: DraftField, { context }: Draft): readonly Edit[] {
  const used = new Set(ruleColumns(rule));
  const others = context.profiles.filter((one) => !used.has(one.name) && mayTellApart(one));
  if (!isHash(rule) || others.length === 0) return [];
  return [
    { path: ['document', ...path], value: { hash: [...rule.hash, ...others.map(columnRule)] } },
  ];
}

/** Lists what changes in the mapping with other columns or roles: the field, and those that go with it. */
function editsTo(
  changed: RuleContext,
  field: DraftField,
  { context, makers }: Draft,
): readonly Edit[] {
  const isText = field.path[0] === 'text';
  // Only a reply is left.
  if (isText && textColumns(changed).every(isOfReply)) return [];
  const maker = makers.get(dottedName(field));
  const others = isText ? [textFields, languageFields] : maker === undefined ? [] : [maker];
  // A hash keeps its columns: answers to several questions would undo each other in it.
  const [own, other] = [context, changed].map((one) => columnFor(one, 'sourceId')?.profile);
  const make = new Set(own === other ? others : [...others, idFields]);
  const [now, then] = [context, changed].map((one) => [...make].flatMap((makes) => makes(one)));
  return [
    ...changedFields(now ?? [], then ?? []),
    ...(isText ? skipEdits(blankTextSkips(context), blankTextSkips(changed)) : []),
  ];
}

/** Changes the condition that skips records without a text, and leaves those that answers added. */
function skipEdits([now]: readonly DraftSkip[], [then]: readonly DraftSkip[]): readonly Edit[] {
  if (isDeepStrictEqual(now?.condition, then?.condition)) return [];
  return [{ path: ['skip', '-blank'], value: then?.condition }];
}

function changedFields(now: readonly DraftField[], then: readonly DraftField[]): readonly Edit[] {
  const inDocument = ({ path }: DraftField): Edit['path'] => ['document', ...path];
  const isIn = (list: readonly DraftField[], field: DraftField, isEqual: boolean): boolean =>
    list.some(
      (one) =>
        dottedName(one) === dottedName(field) &&
        (!isEqual || isDeepStrictEqual(one.rule, field.rule)),
    );
  return [
    ...then
      .filter((field) => !isIn(now, field, true))
      .map((field) => ({ path: inDocument(field), value: field.rule })),
    ...now
      .filter((field) => !isIn(then, field, false))
      .map((field) => ({ path: inDocument(field) })),
  ];
}
