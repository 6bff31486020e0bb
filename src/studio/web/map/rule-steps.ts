/** The steps of a rule that the field's panel shows, each with controls that take the rule apart and write it. */
import type { Rule } from '../../../mapping/mapping.js';
import { columnRule, mainColumns } from '../../../mapping/rules.js';
import { kindOf, objectOf, withColumns, withStep } from '../../../operations/studio/rule-parts.js';
import { SENTIMENTS } from '../parts.js';
import type { MappedField } from '../session/mapping-fields.js';

export interface Control {
  readonly label: string;
  /** `column` is a list of the file's columns. */
  readonly type: 'text' | 'number' | 'checkbox' | 'select' | 'column';
  readonly value: string;
  /** The choices of a `select`. */
  readonly options?: readonly (readonly [value: string, text: string])[];
  /** Gives the rule for another value; `undefined` if the value makes none. */
  rule(value: string): Rule | undefined;
}

export interface RuleStep {
  /** Heading of the controls; empty for none. */
  readonly title: string;
  /** The controls for a rule; none if it doesn't have the step. */
  controls(rule: Rule | undefined, field: MappedField): readonly Control[];
  /** For a step that one button adds and a second one takes away. */
  readonly added?: AddedStep;
}

interface AddedStep {
  readonly key: 'scale' | 'bands';
  /** Text of the button that adds it. */
  readonly button: string;
  /** The step's value when it is added. */
  readonly initial: object;
  /** Whether it can be added to a rule of this field. */
  fits(field: string): boolean;
}

export const STEPS: readonly RuleStep[] = [
  { title: 'Between the columns', controls: between },
  { title: '', controls: fixedValue },
  {
    title: 'Range',
    controls: rangeEnds,
    added: {
      key: 'scale',
      button: 'Add a range',
      initial: { from: [0, 10], to: [1, 5] },
      fits: (field) => field.startsWith('metrics.') || field === 'sentiment',
    },
  },
  {
    title: 'Thresholds',
    controls: thresholds,
    added: {
      key: 'bands',
      button: 'Add thresholds',
      initial: { B: 4, N: 3, R: 1 },
      fits: (field) => field === 'sentiment',
    },
  },
  { title: 'If it’s empty', controls: fallback },
];

/** Whether a rule reads the record, so that its value can be missing. */
export function isRead(rule: Rule | undefined): boolean {
  return rule !== undefined && kindOf(rule) !== 'constant';
}

const SEPARATORS = [
  [' ', 'a space'],
  ['\n', 'a new line'],
  ['\n\n', 'an empty line'],
  [', ', 'a comma'],
  [': ', 'a colon'],
  ['own', 'another text'],
] as const;

function between(rule: Rule | undefined): readonly Control[] {
  if (kindOf(rule) !== 'join') return [];
  const value = objectOf(rule).with ?? ' ';
  const isKnown = SEPARATORS.some(([separator]) => separator === value);
  const write = (text: string): Rule => withStep(rule, 'with', text === 'own' ? ' – ' : text);
  const options = { options: SEPARATORS, rule: write };
  const choice = { label: 'Between them', value: isKnown ? value : 'own', ...options } as const;
  if (isKnown) return [{ type: 'select', ...choice }];
  const own = { label: 'Text between them', type: 'text', value, rule: write } as const;
  return [{ type: 'select', ...choice }, own];
}

function fixedValue(rule: Rule | undefined, field: MappedField): readonly Control[] {
  const value = constantText(rule) ?? '';
  const write = (text: string) => (text === '' ? undefined : constant(text, isFigure(field)));
  return [{ label: 'Or the same for every record', type: 'text', value, rule: write }];
}

function isFigure({ path }: MappedField): boolean {
  return path[1] === 'metrics';
}

const ENDS = [
  ['Lowest', 'from', 0],
  ['Highest', 'from', 1],
  ['Lowest becomes', 'to', 0],
  ['Highest becomes', 'to', 1],
] as const;

function rangeEnds(rule: Rule | undefined): readonly Control[] {
  const { scale } = objectOf(rule);
  if (scale === undefined) return [];
  return ENDS.map(([label, side, end]) => ({
    label,
    type: 'number',
    value: String(scale[side][end]),
    rule: (value) =>
      withStep(rule, 'scale', { ...scale, [side]: scale[side].with(end, Number(value)) }),
  }));
}

function thresholds(rule: Rule | undefined): readonly Control[] {
  const { bands = {} } = objectOf(rule);
  return Object.entries(bands).map(([name, bound]) => ({
    label: `${SENTIMENTS[name] ?? name} from`,
    type: 'number',
    value: String(bound),
    rule: (value) => withStep(rule, 'bands', { ...bands, [name]: Number(value) }),
  }));
}

/** The value of records that have none, or none that can be read. */
function fallback(rule: Rule | undefined, field: MappedField): readonly Control[] {
  if (!isRead(rule)) return [];
  const { else: other, onError = '' } = objectOf(rule);
  const without = withStep(withStep(rule, 'onError', undefined), 'else', undefined);
  const fixed = (value: string): Rule =>
    value === '' ? without : withStep(rule, 'else', constant(value, isFigure(field)));
  const read = (name: string): Rule => withStep(rule, 'else', columnRule({ name }));
  const always = (value: string): Rule =>
    withStep(rule, 'onError', value === '' ? undefined : 'else');
  const text = constantText(other) ?? '';
  const columns = mainColumns(other).join(', ');
  const controls: readonly Control[] = [
    { label: 'Use this value', type: 'text', value: text, rule: fixed },
    { label: 'Or another column', type: 'column', value: columns, rule: read },
    { label: 'Also if it can’t be read', type: 'checkbox', value: onError, rule: always },
  ];
  return other === undefined ? controls.slice(0, 2) : controls;
}

/** A rule that gives the same value for each record. */
function constant(value: string, isFigure: boolean): Rule {
  if (isFigure && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  return /[{}]/u.test(value) ? { value } : value;
}

/** Text of a constant rule; `undefined` for any other. */
function constantText(rule: Rule | undefined): string | undefined {
  if (kindOf(rule) !== 'constant') return undefined;
  return String(typeof rule === 'object' ? rule.value : rule);
}

/** The rule to show with other columns, until the server has made one that fits their values. */
export function sketchColumns(
  rule: Rule | undefined,
  columns: readonly string[],
): Rule | undefined {
  const [first, ...others] = columns.map((name) => columnRule({ name }));
  if (others.length === 0) return first ?? rule;
  return withColumns(rule, columns) ?? { join: [first, ...others] as readonly Rule[] };
}
