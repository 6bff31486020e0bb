/** Restores garbled values before columns are profiled, and adds the step that does it to the rules. */
import type { Rule } from '../mapping/mapping.js';
import { ruleColumns } from '../mapping/rules.js';
import { repairEncoding } from '../mapping/steps/repair-encoding.js';
import { count } from '../model/figures.js';
import { quote } from '../model/text.js';
import type { Column } from './columns.js';
import { GARBLED } from './plausibility.js';
import type { ColumnProfile } from './profile-column.js';
import {
  columnLabel,
  type DraftField,
  type Edit,
  type GuessQuestion,
  leastEdits,
  questionOf,
  type RuleContext,
} from './rules/draft.js';

/** Number of garbled values from which a column is repaired, or their share if that is less, but two. */
const MIN_GARBLED = 3;
const MIN_GARBLED_SHARE = 0.01;

/** Restores the garbled values of a column, if it has more than a stray one. */
export function repairedColumn(column: Column): Column {
  const texts = column.texts.map((text) => text && repairEncoding(text));
  const changed = texts.filter((text, at) => text !== column.texts[at]).length;
  const enough = Math.max(2, Math.min(MIN_GARBLED, texts.length * MIN_GARBLED_SHARE));
  return changed >= enough ? { ...column, texts, garbled: column.texts } : column;
}

/** Lists values as they are in the file, where a condition finds them. */
export function valuesInFile(
  columns: readonly ColumnProfile[],
  values: readonly string[],
): readonly string[] {
  const others = columns.flatMap(({ column: { texts, garbled = [] } }) =>
    garbled.flatMap((text, at) => (values.includes(texts[at] ?? '') ? (text ?? []) : [])),
  );
  return [...new Set([...values, ...others])];
}

/** Adds the step to a rule that reads a garbled column. Hashes stay: ids don't depend on repairs. */
export function repairedRule(rule: Rule, context: RuleContext): Rule {
  const names = ruleColumns(rule);
  const garbled = context.profiles.filter(({ column }) => column.garbled !== undefined);
  if (!garbled.some(({ name }) => names.includes(name))) return rule;
  if (typeof rule !== 'object') {
    const [name = ''] = names;
    const input = rule === `{${name}}` ? { from: name } : { text: String(rule) };
    return { ...input, repair: 'encoding' };
  }
  const keys = Object.entries(rule).flatMap(([key, value]) => {
    if (key === 'from' || key === 'text') return [[key, value], REPAIR];
    if (key === 'join') return [[key, value.map((part: Rule) => repairedRule(part, context))]];
    return [[key, INNER.has(key) ? repairedRule(value, context) : value]];
  });
  return Object.fromEntries(keys);
}

const REPAIR = ['repair', 'encoding'];
/** Keys of a rule whose value is a rule. */
const INNER: ReadonlySet<string> = new Set(['detect', 'unlessStartOf', 'else']);

/** Adds the step to the rule that an edit writes. */
export function repairedEdit(edit: Edit, context: RuleContext): Edit {
  if (edit.path[0] !== 'document' || edit.value === undefined) return edit;
  return { ...edit, value: repairedRule(edit.value as Rule, context) };
}

/** Asks whether the values that the fields' rules repair are garbled. */
export function repairQuestions(
  { profiles }: RuleContext,
  fields: readonly DraftField[],
): readonly GuessQuestion[] {
  const repaired = fields.filter(({ rule }) => JSON.stringify(rule).includes(STEP));
  const shown = repaired.filter(({ rule }) => !UNDERSTOOD.test(JSON.stringify(rule)));
  const read = repaired.flatMap(({ rule }) => ruleColumns(rule));
  const columns = profiles.filter(({ name, column }) => column.garbled && read.includes(name));
  if (columns.length === 0) return [];
  const isMany = columns.length > MAX_SHOWN;
  const names = isMany ? count(columns.length, 'column') : columns.map(columnLabel).join(', ');
  const ask = `${names}: garbled text is repaired, for example ${examples(columns)}${lost(columns)}`;
  const edits = shown.map(({ path, rule }) => {
    const value: unknown = JSON.parse(JSON.stringify(rule).replaceAll(STEP, ''));
    return { path: ['document', ...path], value };
  });
  const question = { field: null, ask, when: 'If the text is right as it is' };
  return [questionOf({ ...question, edits: leastEdits(edits, fields) }, fields)];
}

/** Steps in a rule's JSON that can't read a date, a number or a word before it is repaired. */
const UNDERSTOOD = /"(?:date|number|values)":/u;

/** The step in a rule's JSON, after the rule's input. */
const STEP = ',"repair":"encoding"';

/** Number of columns, and of repairs, that a question shows. */
const MAX_SHOWN = 3;

/** Shows the first repaired word of some values: `"cafÃ©" to "café"`. */
function examples(columns: readonly ColumnProfile[]): string {
  const words = columns.flatMap(({ column: { texts, garbled = [] } }) =>
    garbled.flatMap((text = '', at) => {
      const restored = texts[at]?.split(' ') ?? [];
      const pairs = text.split(' ').map((word, index) => [word, restored[index] ?? '']);
      const changed = pairs.find(([word, other]) => word !== other);
      return changed?.map(quote).join(' to ') ?? [];
    }),
  );
  return new Intl.ListFormat('en-GB').format([...new Set(words)].slice(0, MAX_SHOWN));
}

/** Counts the values that look garbled after the repair. */
function lost(columns: readonly ColumnProfile[]): string {
  const left = columns.flatMap(({ filled }) => filled.filter((text) => GARBLED.test(text)));
  if (left.length === 0) return '';
  return `, but not ${count(left.length, 'value')} with lost characters, for example ${quote(left[0] ?? '')}`;
}
