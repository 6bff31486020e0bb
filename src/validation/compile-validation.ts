import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { ImportedDocument } from '../model/document.js';
import { OptionError } from '../model/errors.js';
import type { Problem } from '../model/record.js';
import { explainErrors, pathText } from './explain-errors.js';
import { createAjv, PROFILE_SCHEMAS, profileSchema, shippedCheck } from './shipped-schemas.js';

/**
 * Which fields a document must have: `complete` asks for all but `parentSourceId` and `tags`,
 * `minimal` for `source`, `sourceId` and `text`.
 */
export type Profile = 'complete' | 'minimal';

/** Says everything that is wrong with a document, one sentence each; empty when it is valid. */
export type ValidateDocument = (document: ImportedDocument) => readonly Problem[];

/** What documents are held against: a profile, or a schema of the user's own. */
export interface ValidationOptions {
  /** Default: `complete`. Of no consequence beside `schema`. */
  readonly profile?: Profile;
  /** A JSON Schema (2020-12) instead of a profile. */
  readonly schema?: object;
  /** What to call that schema in errors, such as its path. */
  readonly schemaName?: string;
}

const VALID: readonly Problem[] = [];

/**
 * Compiles a profile, or a user's own schema, into a function.
 * @throws OptionError for an unknown profile or a schema that can't be used, with the reason
 */
export function compileValidation(options: ValidationOptions = {}): ValidateDocument {
  if (options.schema === undefined) return profileOnDemand(options.profile ?? 'complete');
  return validationBy(compileOwnSchema(options.schema, options.schemaName ?? 'given'));
}

function validationBy({ validate, remedy }: Compiled): ValidateDocument {
  return (document) => (validate(document) ? VALID : problemsOf(validate, document, remedy));
}

function problemsOf(
  { errors }: ValidateFunction,
  document: ImportedDocument,
  remedy: Compiled['remedy'],
): readonly Problem[] {
  return explainErrors(errors ?? [], document).map(({ kind, path, says }) => {
    const field = pathText(path);
    const what = field === '' ? 'the document' : field;
    const todo = kind === 'missing-field' ? `; ${remedy(what)}` : '';
    return { kind, field: field === '' ? null : field, message: `${what} ${says}${todo}` };
  });
}

interface Compiled {
  readonly validate: ValidateFunction;
  /** What to do about a missing field. */
  readonly remedy: (field: string) => string;
}

const FILL = 'map it, give its rule an else, or skip such records';
const FILL_OR_MINIMAL = 'map it, or use the minimal profile if the export does not have it';

/** Loaded for the first document that isn't good at a glance: many a run has none. */
function profileOnDemand(profile: Profile): ValidateDocument {
  if (!Object.hasOwn(PROFILE_SCHEMAS, profile)) {
    const known = Object.keys(PROFILE_SCHEMAS).join(' or ');
    throw new OptionError(`The profile is ${JSON.stringify(profile)}; expected ${known}.`);
  }
  let validate: ValidateDocument | undefined;
  return (document) => {
    validate ??= validationBy(compileProfile(profile));
    return validate(document);
  };
}

function compileProfile(profile: Profile): Compiled {
  const validate = shippedCheck(profile);
  if (profile === 'minimal') return { validate, remedy: () => FILL };
  const needed = new Set((profileSchema('minimal') as { required: string[] }).required);
  return { validate, remedy: (field) => (needed.has(field) ? FILL : FILL_OR_MINIMAL) };
}

function compileOwnSchema(schema: unknown, name: string): Compiled {
  const refuse = (reason: string): never => {
    throw new OptionError(`The schema ${name} can't be used: ${reason}.`);
  };
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return refuse('it is not a JSON object');
  }
  const { $schema, $async } = schema as AnySchemaObject;
  if ($schema !== undefined && !isDialect2020($schema)) {
    return refuse(
      `it says $schema ${JSON.stringify($schema)}; expected JSON Schema 2020-12, "${DIALECT}"`,
    );
  }
  if ($async !== undefined) return refuse('it says $async, and documents are checked at once');
  try {
    return { validate: createAjv(schema).compile(schema), remedy: () => FILL };
  } catch (error) {
    return refuse(reasonOf(error));
  }
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

function isDialect2020(dialect: unknown): boolean {
  return typeof dialect === 'string' && dialect.replace(/#$/, '') === DIALECT;
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const keyword = /^strict mode: unknown keyword: (".*")$/.exec(reason)?.[1];
  if (keyword !== undefined) {
    return `it has the unknown keyword ${keyword}; if that is a note of your own, start its name with x-`;
  }
  const format = /^unknown format (".*") ignored/.exec(reason)?.[1];
  if (format !== undefined) return `it names the unknown format ${format}; use a pattern instead`;
  // ajv lists every way in which the schema of schemas is missed: the first says enough.
  return reason.replace(/, data\/.*$/s, '').replace(/\.$/, '');
}

/** With the u flag, whole pairs are one character and don't match. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Finds texts that hold a lone surrogate, as a cut through an emoji leaves it. UTF-8 can't carry
 * one, so such a text could not be sent unchanged.
 */
export function brokenText(document: ImportedDocument): readonly Problem[] {
  return [...brokenIn(document, '')];
}

function* brokenIn(value: unknown, field: string): Generator<Problem, void, undefined> {
  if (typeof value === 'string') {
    const at = value.search(LONE_SURROGATE);
    if (at >= 0) yield problem(field, value, at);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* brokenIn(item, `${field}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield* brokenIn(item, field === '' ? key : `${field}.${key}`);
    }
  }
}

function problem(field: string, text: string, at: number): Problem {
  const code = text.charCodeAt(at).toString(16);
  return {
    kind: 'broken-text',
    field,
    message: `${field} holds a lone surrogate (\\u${code} at position ${at + 1}), which can't be sent; fix the export, or take it out with a replace`,
  };
}
