import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * What would have been right, in words: the schema's own `x-expected`, else made from the keyword.
 * `undefined` where there are no words but ajv's.
 */
export function expectedBy(error: ErrorObject): string | undefined {
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
  minItems: entriesFrom,
  maxItems: entriesUpTo,
  minProperties: entriesFrom,
  maxProperties: entriesUpTo,
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

function entriesFrom(least: unknown): string {
  return `${String(least)} or more entries`;
}

function entriesUpTo(most: unknown): string {
  return `at most ${String(most)} entries`;
}

/** Names the forms of a choice if each has a name of its own. */
function choice(branches: unknown): string | undefined {
  if (!Array.isArray(branches)) return undefined;
  const forms = branches.map(formOf);
  return forms.includes(undefined)
    ? `one of the ${branches.length} forms that the schema allows`
    : or([...new Set(forms as string[])]);
}

function formOf(branch: unknown): string | undefined {
  if (typeof branch !== 'object' || branch === null) return undefined;
  const schema = branch as Readonly<Record<string, unknown>>;
  const own = schema['x-expected'];
  if (typeof own === 'string') return own;
  for (const keyword of ['const', 'enum', 'format', 'type']) {
    if (keyword in schema) return WORDS[keyword]?.(schema[keyword]);
  }
  return undefined;
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

/** Made for the first long text: whoever has all texts well waits 9 ms less for the start. */
let graphemes: Intl.Segmenter | undefined;

/** Names a value in a message: what it is, and an excerpt of it, without control characters. */
export function showValue(value: unknown): string {
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
