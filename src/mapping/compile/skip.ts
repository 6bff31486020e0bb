/** Conditions under which a record is left out on purpose. */
import type { RecordValue } from '../../model/record.js';
import type { Scalar, SkipCondition } from '../mapping.js';
import { compileExpression } from '../steps/expression.js';
import { numberReader } from '../steps/number.js';
import { Failure, failure, isList, type Value } from '../steps/value.js';
import { columnSubject } from './column.js';
import { compileRule, type RuleScope } from './compile-rule.js';

/** Whether the condition holds; a failure if the record does not let that be said. */
export type SkipTest = (record: RecordValue) => boolean | Failure;

/** A condition, ready to run. */
export function compileSkip(condition: SkipCondition, scope: RuleScope): SkipTest {
  const read = compileRule({ from: condition.from }, scope);
  if (condition.blank !== undefined) {
    const wanted = condition.blank;
    return (record) => (read(record) === undefined) === wanted;
  }
  const holds = question(condition);
  return (record) => {
    const value: Value = read(record);
    if (value === undefined || value instanceof Failure) return value ?? false;
    return isList(value) ? anyOf(value, holds) : holds(value);
  };
}

type Question = (value: Scalar) => boolean | Failure;

function question(condition: SkipCondition): Question {
  if (condition.in !== undefined) {
    const listed = new Set(condition.in.map(String));
    return (value) => listed.has(String(value));
  }
  if (condition.matches !== undefined) {
    const test = compileExpression(condition.matches, 'u', (pattern, text) => pattern.test(text));
    return (value) => test(String(value));
  }
  return numberQuestion(condition);
}

function numberQuestion(condition: SkipCondition): Question {
  const { from, below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY } = condition;
  const mark = condition.number ?? '.';
  const readNumber = numberReader(mark);
  const subject = columnSubject(typeof from === 'string' ? [from] : from);
  return (value) => {
    const number = typeof value === 'number' ? value : readNumber(String(value));
    if (number !== undefined) return number < below || number > above;
    return failure('unreadable-number', subject, value, `a number with the decimal mark "${mark}"`);
  };
}

/** A list fits when one of its values does. */
function anyOf(values: readonly Scalar[], holds: Question): boolean | Failure {
  let failed: Failure | undefined;
  for (const value of values) {
    const answer = holds(value);
    if (answer === true) return true;
    if (answer instanceof Failure) failed = answer;
  }
  return failed ?? false;
}
