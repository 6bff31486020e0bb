/** Checks a mapping against its schema, and says in plain words what does not fit. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { didYouMean } from '../model/nearest-name.js';
import { onDemand } from '../model/on-demand.js';
import type { Mistake } from './mistake.js';
import { shorten } from './value.js';

interface CompiledSchema {
  readonly validateMapping: ValidateFunction;
}

/** Made by the build, `scripts/compile-schemas.mjs`: what ajv would make at every start. */
const compiled = onDemand<() => CompiledSchema>('../../dist/mapping/mapping-schema.cjs');

let validate: ValidateFunction | undefined;

/** What the schema finds wrong. */
export function schemaMistakes(value: unknown): readonly Mistake[] {
  validate ??= compiled()().validateMapping;
  if (validate(value)) return [];
  return (validate.errors ?? []).flatMap((error) => explain(error, value));
}

/** A sentence for each keyword of the schema that a mapping can offend. */
function explain(error: ErrorObject, value: unknown): readonly Mistake[] {
  const path = pathOf(error.instancePath, value);
  const { params, keyword, data } = error;
  // One of several: said once, by the keyword that holds the choice.
  if (/\/oneOf\/\d+\//u.test(error.schemaPath) || keyword === 'if') return [];
  switch (keyword) {
    case 'additionalProperties':
      return [unknownKey(path, params['additionalProperty'], error.parentSchema)];
    case 'required':
      return [{ path, message: `${params['missingProperty']} is missing` }];
    case 'dependentRequired': {
      const { property, missingProperty } = params;
      return [{ path, key: property, message: `${property} needs ${missingProperty} beside it` }];
    }
    case 'oneOf':
      return [{ path, message: choice(error) }];
    case 'type':
      return [{ path, message: `expected ${typeNames(params['type'])}, found ${kindOf(data)}` }];
    default:
      return [{ path, message: otherMessage(error) }];
  }
}

function unknownKey(
  path: readonly (string | number)[],
  key: string,
  schema: ErrorObject['parentSchema'],
): Mistake {
  const known = Object.keys(schema?.['properties'] ?? {}).filter((name) => name !== '$schema');
  const hint = didYouMean(key, known) || `; known are ${known.join(', ')}`;
  return { path, key, message: `unknown key ${JSON.stringify(key)}${hint}` };
}

/** `oneOf` is used for keys of which exactly one has to stand. */
function choice({ schema, data }: ErrorObject): string {
  const keys = (schema as readonly { readonly required: readonly string[] }[]).flatMap(
    ({ required }) => required,
  );
  // An entry without anything in it is no object: it has no keys.
  const found = keys.filter((key) => Object.hasOwn(Object(data), key));
  const expected = `exactly one of ${keys.join(', ')} has to stand here`;
  return found.length === 0 ? `${expected}, found none` : `${expected}, found ${found.join(', ')}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
  null: 'null',
};

function typeNames(types: string | readonly string[]): string {
  const names = [types].flat().map((type) => TYPE_NAMES[type] ?? type);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : shorten(value);
}

function otherMessage({ keyword, params, data }: ErrorObject): string {
  const found = `found ${shorten(data)}`;
  switch (keyword) {
    case 'enum': {
      const allowed: readonly string[] = params['allowedValues'];
      const hint = typeof data === 'string' ? didYouMean(data, allowed) : '';
      return `expected ${allowed.map((one) => JSON.stringify(one)).join(' or ')}, ${found}${hint}`;
    }
    case 'const':
      return `expected ${JSON.stringify(params['allowedValue'])}, ${found}`;
    case 'minLength':
      return 'it must not be empty';
    case 'maxLength':
      return `at most ${params['limit']} character is allowed, ${found}`;
    case 'minItems':
    case 'minProperties':
      return params['limit'] === 1
        ? 'it must not be empty'
        : `at least ${params['limit']} entries are needed, ${found}`;
    case 'maxItems':
      return `at most ${params['limit']} entries are allowed, ${found}`;
    case 'minimum':
      return `it must be ${params['limit']} or more, ${found}`;
    case 'maximum':
      return `it must be ${params['limit']} or less, ${found}`;
    default:
      return `${keyword} does not hold, ${found}`;
  }
}

/** A JSON pointer as keys and indexes; what is an index depends on the value it points into. */
function pathOf(pointer: string, value: unknown): readonly (string | number)[] {
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
