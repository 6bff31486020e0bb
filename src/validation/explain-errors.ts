/** Puts what ajv finds into sentences: of documents, mappings and fault plans alike. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean } from '../model/errors.js';
import type { ProblemKind } from '../model/record.js';

/** Keys and indexes from the top of a value. */
export type KeyPath = readonly (string | number)[];

/** One thing that a schema finds wrong. */
export interface SchemaMistake {
  /** Kinds are stable; what has no kind of its own is `schema`. */
  readonly kind: ProblemKind;
  /** What is wrong, missing or unknown. */
  readonly path: KeyPath;
  /** Of it, how much leads to the value in which it was found. */
  readonly inside: number;
  /** A key of that value which stands there, and shouldn't, or not alone. */
  readonly key?: string;
  /** To stand behind what the path names: `is missing`, `is "x"; expected a number`. */
  readonly says: string;
}

/** A path as a reader writes it: `metrics[0].value`. */
export function pathText(path: KeyPath): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return text.replace(/^\./u, '');
}

/** One sentence for each thing that is wrong with a value. */
export function explainErrors(
  errors: readonly ErrorObject[],
  value: unknown,
): readonly SchemaMistake[] {
  const mistakes = withoutEchoes(errors).map((error) => explain(error, value));
  // A schema that builds on another may ask for the same thing twice.
  return [...new Map(mistakes.map((one) => [`${one.path.join('/')} ${one.says}`, one])).values()];
}

function explain(error: ErrorObject, value: unknown): SchemaMistake {
  const { keyword, params, parentSchema } = error;
  const path = pathOf(error.instancePath, value);
  const inside = path.length;
  switch (keyword) {
    case 'required':
      return { kind: 'missing-field', path: [...path, missing(error)], inside, says: 'is missing' };
    case 'dependentRequired':
    case 'dependencies': {
      const key: string = params['property'];
      const says = `is missing, though ${key} is there`;
      return { kind: 'missing-field', path: [...path, missing(error)], inside, key, says };
    }
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames': {
      const key = unknownKey(error);
      const says = `is an unknown key${remedy(key, Object.keys(parentSchema?.['properties'] ?? {}))}`;
      return { kind: 'unknown-field', path: [...path, key], inside, key, says };
    }
    default:
      return { kind: kindOf(error), path, inside, says: says(error) };
  }
}

function missing({ params }: ErrorObject): string {
  return params['missingProperty'];
}

function unknownKey({ params }: ErrorObject): string {
  return (
    params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'] ?? ''
  );
}

/** More names than this are no help. */
const MAX_NAMES = 30;

function remedy(key: string, properties: readonly string[]): string {
  const known = properties.filter((name) => name !== '$schema');
  const list =
    known.length > 0 && known.length <= MAX_NAMES ? `; known are ${known.join(', ')}` : '';
  return didYouMean(key, known) || list;
}

/** Kinds by schema keyword, for whatever can be said as "is …; expected …". */
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

function kindOf({ keyword, schema, data }: ErrorObject): ProblemKind {
  const blank = keyword === 'pattern' && schema === '\\S';
  if (blank && typeof data === 'string') return 'blank';
  return KINDS[keyword] ?? 'schema';
}

function says(error: ErrorObject): string {
  const { keyword, data, schema, params, message = 'breaks the schema' } = error;
  if (keyword === 'uniqueItems') return repeated(error);
  const keys = keyword === 'oneOf' ? requiredKeys(schema) : undefined;
  if (keys !== undefined) return oneOfKeys(keys, Object(data));
  const expected = expectedBy(error);
  const allowed: readonly unknown[] = keyword === 'enum' ? params['allowedValues'] : [];
  const texts = allowed.filter((one) => typeof one === 'string');
  const hint = typeof data === 'string' ? didYouMean(data, texts) : '';
  return `is ${showValue(data)}; ${expected === undefined ? `it ${message}` : `expected ${expected}`}${hint}`;
}

function repeated({ params, data }: ErrorObject): string {
  const [first, second] = [params['j'], params['i']].map(Number).sort((a, b) => a - b);
  const value: unknown = Array.isArray(data) ? data[first ?? 0] : undefined;
  return `holds ${showValue(value)} twice, as [${first}] and [${second}]; expected different values`;
}

/** Of a choice between keys, or sets of keys, those of each branch. */
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

/** A JSON pointer as keys and indexes; what is an index depends on the value it points into. */
function pathOf(pointer: string, value: unknown): KeyPath {
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

/** Keywords that only sum up what other errors say, or that their branches explain at length. */
const CHOICES = new Set(['anyOf', 'oneOf', 'propertyNames', 'contains']);

/**
 * Leaves out what says the same thing again: every branch of a choice that failed, `if` beside
 * its `then`, any other check of a value whose type is wrong, and that one of several keys is
 * missing where an unknown key stands.
 */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = choicesByPlace(errors);
  // That a value has the wrong type for one branch says nothing of the whole choice.
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

function choicesByPlace(errors: readonly ErrorObject[]): Choices {
  const choices = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    if (!CHOICES.has(error.keyword)) continue;
    const there = choices.get(error.instancePath);
    if (there === undefined) choices.set(error.instancePath, [error]);
    else there.push(error);
  }
  return choices;
}

/** Looks at the choices of the value and of all around it: there are few, however many in all. */
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

/**
 * What would have been right, in words: the schema's own `x-expected`, else made from the keyword.
 * `undefined` where there are no words but ajv's.
 */
function expectedBy(error: ErrorObject): string | undefined {
  const { keyword, schema, parentSchema, params } = error;
  if (Array.isArray(params['passingSchemas'])) return 'only one of the forms that it fits';
  const own: unknown = parentSchema?.['x-expected'];
  if (typeof own === 'string') return own;
  return WORDS[keyword]?.(schema);
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

/** How a keyword's value reads after "expected". */
const WORDS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
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
  not: () => 'something that the schema does not rule out',
  'false schema': () => 'nothing here: the schema rules it out',
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

/** Longest excerpt of a text in a message, in characters as people count them. */
const LONGEST = 40;
/** One character as people count them may have many code units; no more than this is looked at. */
const MAX_UNITS = LONGEST * 16;

/** Made for the first long text: it takes 9 ms. */
let graphemes: Intl.Segmenter | undefined;

/** Names a value in a message: what it is, and an excerpt of it, without control characters. */
function showValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return String(value);
}

/** Puts a text in quotes: shortened between characters, never inside one, and safe to print. */
export function quote(text: string): string {
  return escapeInvisible(JSON.stringify(excerpt(text)));
}

/** The beginning of a text, cut between characters. */
export function excerpt(text: string): string {
  if (text.length <= LONGEST) return text;
  let end = 0;
  let count = 0;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { index, segment } of graphemes.segment(text.slice(0, MAX_UNITS))) {
    if (count === LONGEST) break;
    end = index + segment.length;
    count += 1;
  }
  if (end === text.length) return text;
  // A single character longer than the window would be cut: leave its lone surrogate out.
  return `${text.slice(0, end).replace(/\p{Cs}$/u, '')}…`;
}

/** JSON escapes C0 and lone surrogates; this adds C1, line separators and changes of direction. */
function escapeInvisible(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
