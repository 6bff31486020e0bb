/** Words ajv's errors as sentences, for documents, mappings and fault plans alike. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean } from '../model/errors.js';
import type { KeyPath } from '../model/json-path.js';
import type { ProblemKind } from '../model/record.js';
import { printable, quote, typeText } from '../model/text.js';

export interface SchemaMistake {
  readonly kind: ProblemKind;
  /** Path of the wrong, missing or unknown value. */
  readonly path: KeyPath;
  /** Length of the part of `path` that leads to the containing value. */
  readonly parentLength: number;
  /** A key of the containing value that is unknown, or needs another key. */
  readonly key?: string;
  /** Predicate for the value at the path: `is missing`, `is "x"; expected a number`. */
  readonly predicate: string;
}

/** Formats a path on one line: `metrics[0].value`. */
export function pathText(path: KeyPath): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return printable(text.replace(/^\./u, ''));
}

export function explainErrors(
  errors: readonly ErrorObject[],
  value: unknown,
): readonly SchemaMistake[] {
  const mistakes = withoutRedundant(errors).map((error) => explain(error, value));
  // A schema that extends another may require the same thing twice.
  return [
    ...new Map(mistakes.map((one) => [`${one.path.join('/')} ${one.predicate}`, one])).values(),
  ];
}

function explain(error: ErrorObject, value: unknown): SchemaMistake {
  const { keyword, params, parentSchema } = error;
  const path = pointerPath(error.instancePath, value);
  const parentLength = path.length;
  switch (keyword) {
    case 'required':
      return {
        kind: 'missing-field',
        path: [...path, missingProperty(error)],
        parentLength,
        predicate: 'is missing',
      };
    case 'dependentRequired':
    case 'dependencies': {
      const key: string = params['property'];
      const predicate = `is missing, but required with ${key}`;
      return {
        kind: 'missing-field',
        path: [...path, missingProperty(error)],
        parentLength,
        key,
        predicate,
      };
    }
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames': {
      const key = unknownKey(error);
      const predicate = `is an unknown key${remedy(key, Object.keys(parentSchema?.['properties'] ?? {}))}`;
      return { kind: 'unknown-field', path: [...path, key], parentLength, key, predicate };
    }
    default:
      return { kind: problemKind(error), path, parentLength, predicate: predicateOf(error) };
  }
}

function missingProperty({ params }: ErrorObject): string {
  return params['missingProperty'];
}

function unknownKey({ params }: ErrorObject): string {
  return (
    params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'] ?? ''
  );
}

const MAX_NAMES = 30;

function remedy(key: string, properties: readonly string[]): string {
  const known = properties.filter((name) => name !== '$schema');
  const list =
    known.length > 0 && known.length <= MAX_NAMES ? `; known are ${known.join(', ')}` : '';
  return didYouMean(key, known) || list;
}

/** Kinds by schema keyword, for messages of the form "is …; expected …". */
const KINDS: Readonly<Record<string, ProblemKind>> = {
  type: 'wrong-type',
  enum: 'not-allowed-value',
  const: 'not-allowed-value',
  not: 'not-allowed-value',
  'false schema': 'not-allowed-value',
  multipleOf: 'not-allowed-value',
  uniqueItems: 'repeated-value',
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

function problemKind({ keyword, schema, data }: ErrorObject): ProblemKind {
  const blank = keyword === 'pattern' && schema === '\\S';
  if (blank && typeof data === 'string') return 'blank';
  return KINDS[keyword] ?? 'schema';
}

function predicateOf(error: ErrorObject): string {
  const { keyword, data, schema, params, message = "doesn't match the schema" } = error;
  if (keyword === 'uniqueItems') return repeated(error);
  const keys = keyword === 'oneOf' ? requiredKeys(schema) : undefined;
  if (keys !== undefined) return oneOfKeys(keys, Object(data));
  const expected = expectedBy(error);
  const allowed: readonly unknown[] = keyword === 'enum' ? params['allowedValues'] : [];
  const texts = allowed.filter((one) => typeof one === 'string');
  const hint = typeof data === 'string' ? didYouMean(data, texts) : '';
  // A whole file of another kind isn't quoted: it may be a key.
  const isWhole = error.instancePath === '' && typeof data !== 'object';
  const found = isWhole ? typeText(data) : showValue(data);
  return `is ${found}; ${expected === undefined ? `it ${message}` : `expected ${expected}`}${hint}`;
}

function repeated({ params, data }: ErrorObject): string {
  const [first, second] = [params['j'], params['i']].map(Number).sort((a, b) => a - b);
  const value: unknown = Array.isArray(data) ? data[first ?? 0] : undefined;
  return `holds ${showValue(value)} twice, at [${first}] and [${second}]; expected unique values`;
}

/** Lists the keys of each branch, if a choice is between required keys. */
function requiredKeys(branches: unknown): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(branches)) return undefined;
  const keys = branches.map((branch): unknown => branch?.['required']);
  return keys.every((all): all is string[] => Array.isArray(all)) ? keys : undefined;
}

function oneOfKeys(keys: readonly (readonly string[])[], data: object): string {
  const found = keys.flat().filter((key) => Object.hasOwn(data, key));
  const expected = keys.map((together) => together.join(' with ')).join(', ');
  const has = found.length === 0 ? 'lacks a key' : `has ${found.join(' and ')}`;
  return `${has}; expected exactly one of ${expected}`;
}

function pointerPath(pointer: string, value: unknown): KeyPath {
  const path: (string | number)[] = [];
  let current = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(current) ? Number(key) : key;
    path.push(step);
    current = (current as Record<string | number, unknown>)[step];
  }
  return path;
}

/** Keywords whose errors summarise those of their branches. */
const CHOICES = new Set(['anyOf', 'oneOf', 'propertyNames', 'contains']);

/**
 * Drops redundant errors: those of a failed choice's branches, `if` next to its `then`, other
 * checks of a value of the wrong type, and a missing choice of keys where there is an unknown key.
 */
function withoutRedundant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = new Map<string, readonly ErrorObject[]>();
  for (const error of errors.filter(({ keyword }) => CHOICES.has(keyword))) {
    choices.set(error.instancePath, [...(choices.get(error.instancePath) ?? []), error]);
  }
  // A wrong type in one branch means nothing for the whole choice.
  const own = errors.filter((error) => !isBranch(error, choices));
  const at = (keyword: string): ReadonlySet<string> =>
    new Set(own.flatMap((error) => (error.keyword === keyword ? error.instancePath : [])));
  const [wrongTypes, unknownKeys] = [at('type'), at('additionalProperties')];
  return own.filter((error) => {
    const { keyword, instancePath } = error;
    if (keyword === 'if') return false;
    if (keyword === 'oneOf' && unknownKeys.has(instancePath)) return false;
    return keyword === 'type' || !wrongTypes.has(instancePath);
  });
}

type Choices = ReadonlyMap<string, readonly ErrorObject[]>;

/** Returns whether an error belongs to a branch of a choice, which is at its value or around it. */
function isBranch(error: ErrorObject, choices: Choices): boolean {
  let place = error.instancePath;
  for (;;) {
    if (choices.get(place)?.some((choice) => isBranchOf(error, choice))) return true;
    if (place === '') return false;
    place = place.slice(0, place.lastIndexOf('/'));
  }
}

function isBranchOf(error: ErrorObject, choice: ErrorObject): boolean {
  if (error === choice) return false;
  if (isAtOrBelow(error.schemaPath, choice.schemaPath)) return true;
  // Errors of a branch that is a $ref have the schema path of its target.
  return referencesIn(choice.schema).some((reference) => isAtOrBelow(error.schemaPath, reference));
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}

/**
 * Describes the expected value: the schema's own `x-expected`, or words for the keyword.
 * `undefined` if there are only ajv's words.
 */
function expectedBy(error: ErrorObject): string | undefined {
  const { keyword, schema, parentSchema, params } = error;
  if (Array.isArray(params['passingSchemas'])) return 'a value of exactly one of the allowed forms';
  const own: unknown = parentSchema?.['x-expected'];
  if (typeof own === 'string') return own;
  return EXPECTED_WORDS[keyword]?.(schema);
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Words for a keyword's value after "expected". */
const EXPECTED_WORDS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  type: (types) => or([types].flat().map((type) => TYPES[String(type)] ?? String(type))),
  enum: (values) => (Array.isArray(values) ? or(values.map(literal)) : undefined),
  const: (value) => literal(value),
  format: (name) => `the format ${String(name)}`,
  pattern: (pattern) => `text that matches ${String(pattern)}`,
  minLength: (least) => `${String(least)} or more characters`,
  maxLength: (most) => `at most ${String(most)} characters`,
  minItems: (least) => `${String(least)} or more entries`,
  maxItems: (most) => `at most ${String(most)} entries`,
  minProperties: (least) => `${String(least)} or more entries`,
  maxProperties: (most) => `at most ${String(most)} entries`,
  minimum: (least) => `${String(least)} or more`,
  exclusiveMinimum: (bound) => `more than ${String(bound)}`,
  maximum: (most) => `at most ${String(most)}`,
  exclusiveMaximum: (bound) => `less than ${String(bound)}`,
  multipleOf: (step) => `a multiple of ${String(step)}`,
  not: () => "a value that the schema doesn't exclude",
  'false schema': () => 'no value: the schema excludes it',
  anyOf: choice,
  oneOf: choice,
};

function choice(branches: unknown): string | undefined {
  return Array.isArray(branches)
    ? `one of the ${branches.length} forms that the schema allows`
    : undefined;
}

function or(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[\w.:-]+$/.test(value) ? value : quote(value);
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return String(value);
}
