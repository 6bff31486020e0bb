import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Problem } from '../model/record.js';
import { fieldOf } from './field-of.js';
import { sentenceOf } from './sentence-of.js';

/**
 * Turns what ajv says about a document into one sentence for each thing that is wrong.
 * @param remedy what to do about a missing field
 */
export function problemsOf(
  errors: readonly ErrorObject[],
  remedy: (field: string) => string,
): readonly Problem[] {
  const problems = withoutEchoes(errors).map((error) => problemOf(error, remedy));
  // A schema that builds on another may ask for the same thing twice.
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

function problemOf(error: ErrorObject, remedy: (field: string) => string): Problem {
  const field = fieldOf(error);
  const { kind, says } = sentenceOf(error);
  const subject = field ?? 'the document';
  if (kind === 'missing-field') {
    return { kind, field, message: `${subject} ${says}; ${remedy(subject)}` };
  }
  return { kind, field, message: `${subject} ${says}` };
}

/** Keywords that only sum up what other errors say, or that their branches explain at length. */
const CHOICES = new Set(['anyOf', 'oneOf', 'propertyNames', 'contains']);

/**
 * Leaves out what says the same thing again: every branch of a choice that failed, `if` beside
 * its `then`, and any other check of a value whose type is wrong.
 */
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => CHOICES.has(keyword));
  const wrongTypes = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  );
  return errors.filter((error) => {
    if (error.keyword === 'if') return false;
    if (choices.some((choice) => isBranchOf(error, choice))) return false;
    return error.keyword === 'type' || !wrongTypes.has(error.instancePath);
  });
}

function isBranchOf(error: ErrorObject, choice: ErrorObject): boolean {
  if (error === choice || !isWithin(error.instancePath, choice.instancePath)) return false;
  if (isWithin(error.schemaPath, choice.schemaPath)) return true;
  // A branch that is a $ref speaks with the path of what it refers to.
  return referencesIn(choice.schema).some((reference) => isWithin(error.schemaPath, reference));
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}
