/** Compiles a rule into a function, once per run; no text is evaluated as code. */
import type { RecordValue } from '../../model/record.js';
import { type AsOf, compileDate } from '../dates/read-date.js';
import type { Locales, Rule, RuleObject, Scalar } from '../mapping.js';
import { IF_STATED, parseTemplate, ruleColumns, type TemplatePart } from '../rules.js';
import { compileBands, compileNumber, compileRound, compileScale } from '../steps/number.js';
import { compileRepairEncoding } from '../steps/repair-encoding.js';
import { compileStripHtml } from '../steps/strip-html.js';
import {
  compileCase,
  compileHash,
  compileJoin,
  compileMatch,
  compileReplace,
  compileSplit,
  compileTruncate,
  compileUnlessStartOf,
  compileValues,
  detectLanguage,
} from '../steps/text.js';
import {
  applyStep,
  asText,
  type CompiledRule,
  Failure,
  type Step,
  type Subject,
  trim,
} from '../steps/value.js';
import { columnSubject, columnValue } from './column.js';

export interface RuleScope {
  /** Columns of records that are lists; `null` if records are objects. */
  readonly columns: readonly string[] | null;
  readonly zone: string;
  readonly locale: Locales;
  /** Default moment that relative dates count back from; a rule may override it. */
  readonly asOf: AsOf | undefined;
}

export function compileRule(rule: Rule, scope: RuleScope): CompiledRule {
  if (typeof rule === 'string') return compileTemplate(rule, scope.columns, true);
  if (typeof rule !== 'object') return () => rule;
  const input = compileInput(rule, scope);
  const steps = compileSteps(rule, scope);
  const run = steps.reduce(withStep, input);
  return rule.else === undefined ? run : withElse(run, rule, scope);
}

function compileInput(rule: RuleObject, scope: RuleScope): CompiledRule {
  // In garbled text a no-break space belongs to the letter before it: `lÃ\u00a0`.
  const trimmed = rule.trim !== false && rule.repair === undefined;
  if (rule.from !== undefined) return compileFrom(rule.from, scope, trimmed);
  if (rule.text !== undefined) return compileTemplate(rule.text, scope.columns, trimmed);
  if (rule.join !== undefined) {
    const parts = rule.join.map((part) => compileRule(part, scope));
    return compileJoin(parts, rule.with ?? ' ', trimmed);
  }
  if (rule.hash !== undefined)
    return compileHash(rule.hash.map((part) => compileRule(part, scope)));
  if (rule.detect !== undefined) return compileDetect(rule.detect, scope);
  return constant(rule.value, trimmed);
}

function compileFrom(
  from: string | readonly string[],
  scope: RuleScope,
  trimmed: boolean,
): CompiledRule {
  const names = typeof from === 'string' ? [from] : from;
  const readers = names.map((name) => columnValue(name, scope.columns, trimmed));
  const [only] = readers;
  if (only !== undefined && readers.length === 1) return only;
  return (record) => {
    for (const read of readers) {
      const value = read(record);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

function compileDetect(rule: Rule, scope: RuleScope): CompiledRule {
  const read = compileRule(rule, scope);
  const subject = columnSubject(ruleColumns(rule));
  return (record) => {
    const text = asText(read(record), subject);
    return typeof text === 'string' ? detectLanguage(text) : text;
  };
}

/** Settings that steps take in addition to their own. */
interface StepContext extends RuleScope {
  readonly rule: RuleObject;
  readonly trimmed: boolean;
  /** The rule's columns, for messages. */
  readonly subject: Subject;
}

type StepName =
  | ('repair' | 'strip' | 'match' | 'replace' | 'case' | 'split' | 'values' | 'number' | 'scale')
  | ('round' | 'bands' | 'date' | 'truncate' | 'unlessStartOf');

type CompileStep<Setting> = (setting: Setting, context: StepContext) => Step;

/** The steps of a rule. They run in this order, however they are ordered in the file. */
export const STEPS: {
  readonly [Name in StepName]: CompileStep<NonNullable<RuleObject[Name]>>;
} = {
  repair: (_, { trimmed }) => compileRepairEncoding(trimmed),
  strip: (_, { trimmed }) => compileStripHtml(trimmed),
  match: (pattern, { trimmed }) => compileMatch(pattern, trimmed),
  replace: (replacements, { trimmed }) => compileReplace(replacements, trimmed),
  case: (to, { rule, locale }) => compileCase(to, rule.locale ?? locale),
  split: (separator, { trimmed }) => compileSplit(separator, trimmed),
  values: (values, { rule, subject }) => compileValues(values, rule, subject),
  number: (mark, { subject }) => compileNumber(mark, subject),
  scale: (scale, { subject }) => compileScale(scale, subject),
  round: (decimals, { subject }) => compileRound(decimals, subject),
  bands: (bands, { subject }) => compileBands(bands, subject),
  date: compileDateStep,
  truncate: compileTruncate,
  unlessStartOf: (rule, scope) => compileUnlessStartOf(compileRule(rule, scope)),
};

function compileSteps(rule: RuleObject, scope: RuleScope): readonly Step[] {
  const { else: _, unlessStartOf: __, ...own } = rule;
  const subject = columnSubject(ruleColumns(own));
  const context = { ...scope, rule, subject, trimmed: rule.trim !== false };
  return Object.entries(STEPS).flatMap(([name, compile]) => {
    const setting = rule[name as StepName];
    return setting === undefined ? [] : (compile as CompileStep<unknown>)(setting, context);
  });
}

function compileDateStep(date: string | readonly string[], context: StepContext): Step {
  const { rule, subject } = context;
  const { zone = context.zone, locale = context.locale, asOf } = rule;
  const isOwn = asOf !== undefined && asOf !== IF_STATED;
  const isUnstated = asOf === IF_STATED && context.asOf === undefined;
  const stated = isOwn ? compileAsOf(asOf, { ...context, zone }) : context.asOf;
  const countFrom = isUnstated ? () => UNSTATED : stated;
  const read = compileDate([date].flat(), { zone, locale, asOf: countFrom, subject });
  if (!isUnstated) return read;
  return (value, record) => {
    const found = read(value, record);
    return found === UNSTATED ? undefined : found;
  };
}

/** Says that a relative date has no value, as there is no moment to count back from. */
const UNSTATED = new Failure([]);

/**
 * Compiles the moment that relative dates count back from: a constant, or a value of the record.
 */
export function compileAsOf(asOf: string | RuleObject, scope: RuleScope): AsOf {
  const constant = typeof asOf === 'string';
  const read = compileRule(constant ? { value: asOf, date: 'iso' } : asOf, scope);
  const { text, columns } = columnSubject(constant ? [] : ruleColumns(asOf));
  const subject = { text: `asOf, ${text}`, columns };
  const parseAgain = compileDate(['iso'], { zone: scope.zone, locale: scope.locale, subject });
  return (record) => {
    const value = applyStep(read(record), parseAgain, record);
    if (value instanceof Failure) return value;
    if (typeof value === 'string') return Date.parse(value);
    const message = `${subject.text}: it is blank, so there is no date to count back from`;
    return new Failure([{ kind: 'unreadable-date', message, columns, value: '' }]);
  };
}

function withStep(run: CompiledRule, step: Step): CompiledRule {
  return (record: RecordValue) => applyStep(run(record), step, record);
}

/** Uses `else` for blank values, and for failures if the rule has `onError: else`. */
function withElse(run: CompiledRule, rule: RuleObject, scope: RuleScope): CompiledRule {
  const fallback = compileRule(rule.else ?? '', scope);
  const forFailures = rule.onError === 'else';
  return (record) => {
    const value = run(record);
    const usesFallback = value === undefined || (forFailures && value instanceof Failure);
    return usesFallback ? fallback(record) : value;
  };
}

/** Compiles a template; its value is `undefined` if all its placeholders are blank. */
function compileTemplate(
  template: string,
  columns: readonly string[] | null,
  trimmed: boolean,
): CompiledRule {
  const parsed = parseTemplate(template);
  const parts = 'parts' in parsed ? parsed.parts : [];
  if (!parts.some((part) => 'column' in part)) {
    return constant(parts.map((part) => ('literal' in part ? part.literal : '')).join(''), trimmed);
  }
  const readers = parts.map((part) => partReader(part, columns, trimmed));
  const [first] = readers;
  if (first !== undefined && readers.length === 1) return first;
  const isColumn = parts.map((part) => 'column' in part);
  return (record) => {
    let text = '';
    let filled = false;
    for (let index = 0; index < readers.length; index++) {
      const piece = (readers[index] as PartReader)(record);
      if (piece instanceof Failure) return piece;
      if (piece === undefined) continue;
      text += piece;
      filled ||= isColumn[index] as boolean;
    }
    if (!filled) return undefined;
    return trimmed ? trim(text) : text;
  };
}

type PartReader = (record: RecordValue) => string | Failure | undefined;

function partReader(
  part: TemplatePart,
  columns: readonly string[] | null,
  trimmed: boolean,
): PartReader {
  if ('literal' in part) return () => part.literal;
  const read = columnValue(part.column, columns, trimmed);
  const subject = columnSubject([part.column]);
  return (record) => asText(read(record), subject);
}

/** Returns the same value for each record; a blank text is `undefined`. */
export function constant(value: Scalar | undefined, trimmed: boolean): CompiledRule {
  const fixed = typeof value === 'string' && trimmed ? trim(value) : value;
  return () => (fixed === '' ? undefined : fixed);
}
