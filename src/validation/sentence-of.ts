import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ProblemKind } from '../model/record.js';
import { expectedBy } from './expected-by.js';
import { showValue } from './show-value.js';

/** What an error says about its field, to stand behind the field's name. */
export interface Sentence {
  readonly kind: ProblemKind;
  readonly says: string;
}

/** Error kinds by schema keyword, for whatever can be said as "is … ; expected …". */
const KINDS: Readonly<Record<string, ProblemKind>> = {
  type: 'wrong-type',
  enum: 'not-allowed-value',
  const: 'not-allowed-value',
  not: 'not-allowed-value',
  'false schema': 'not-allowed-value',
  multipleOf: 'not-allowed-value',
  format: 'bad-format',
  pattern: 'bad-format',
  minLength: 'too-short',
  minItems: 'too-short',
  minProperties: 'too-short',
  maxLength: 'too-long',
  maxItems: 'too-long',
  maxProperties: 'too-long',
  minimum: 'too-small',
  exclusiveMinimum: 'too-small',
  maximum: 'too-large',
  exclusiveMaximum: 'too-large',
};

/** Puts one error of ajv into words. Kinds are stable; what has no kind of its own is `schema`. */
export function sentenceOf(error: ErrorObject): Sentence {
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return { kind: 'missing-field', says: `is missing${because(error)}` };
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return {
        kind: 'unknown-field',
        says: `is a field that the schema does not know${of(error)}`,
      };
    case 'uniqueItems':
      return { kind: 'repeated-value', says: repeated(error) };
    default:
      return { kind: kindOf(error), says: `is ${showValue(error.data)}; ${expectation(error)}` };
  }
}

function kindOf({ keyword, schema, data }: ErrorObject): ProblemKind {
  const blank = keyword === 'pattern' && schema === '\\S';
  if (blank && typeof data === 'string') return 'blank';
  return KINDS[keyword] ?? 'schema';
}

function expectation(error: ErrorObject): string {
  const expected = expectedBy(error);
  return expected === undefined
    ? `it ${error.message ?? 'breaks the schema'}`
    : `expected ${expected}`;
}

function because({ params }: ErrorObject): string {
  const given: unknown = params['property'];
  return typeof given === 'string' ? `, though ${given} is there` : '';
}

/** The fields there are, if they make a list that can be read. */
function of({ parentSchema }: ErrorObject): string {
  const properties: unknown = parentSchema?.['properties'];
  if (typeof properties !== 'object' || properties === null) return '';
  const names = Object.keys(properties);
  return names.length === 0 || names.length > 15 ? '' : `; it knows ${names.join(', ')}`;
}

function repeated({ params, data }: ErrorObject): string {
  const [first, second] = [params['j'], params['i']].map(Number).sort((a, b) => a - b);
  const value: unknown = Array.isArray(data) ? data[first ?? 0] : undefined;
  return `holds ${showValue(value)} twice, as [${first}] and [${second}]; expected different values`;
}
