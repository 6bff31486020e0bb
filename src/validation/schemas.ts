/** Validation with the shipped schemas, which `npm run build` compiles, and with users' own. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Ajv2020, AnySchemaObject, CodeOptions, ValidateFunction } from 'ajv/dist/2020.js';
import type { ImportedDocument } from '../model/document.js';
import { OptionError } from '../model/errors.js';
import { type Problem, withRemedy } from '../model/record.js';
import { explainErrors, pathText, type SchemaMistake } from './explain-errors.js';

/**
 * Required fields: `complete` requires all but `parentSourceId` and `tags`, `minimal` only
 * `source`, `sourceId` and `text`.
 */
export type Profile = 'complete' | 'minimal';

/** Returns all problems of a document, one sentence each; empty if it is valid. */
export type ValidateDocument = (document: ImportedDocument) => readonly Problem[];

export interface ValidationOptions {
  /** Default: `complete`. Ignored if there is a `schema`. */
  readonly profile?: Profile;
  /** A JSON Schema (2020-12) instead of a profile. */
  readonly schema?: object;
  /** Name of that schema in errors, for example its path. */
  readonly schemaName?: string;
}

const VALID: readonly Problem[] = [];

/**
 * Compiles a profile or a user's own schema.
 * @throws OptionError for an unknown profile, or an unusable schema with the reason
 */
export function compileValidation({
  profile = 'complete',
  schema,
  schemaName = 'given',
}: ValidationOptions = {}): ValidateDocument {
  if (schema !== undefined) return validationBy(compileOwnSchema(schema, schemaName), () => FILL);
  if (!Object.hasOwn(PROFILE_SCHEMAS, profile)) {
    const known = Object.keys(PROFILE_SCHEMAS).join(' or ');
    throw new OptionError(`The profile is ${JSON.stringify(profile)}; expected ${known}.`);
  }
  return validationBy(shippedValidator(profile), fieldRemedy(profile));
}

/** Advice for a missing field. */
type Remedy = (field: string) => string;

function validationBy(validate: ValidateFunction, remedy: Remedy): ValidateDocument {
  return (document) => (validate(document) ? VALID : schemaProblems(validate, document, remedy));
}

function schemaProblems(
  { errors }: ValidateFunction,
  document: ImportedDocument,
  remedy: Remedy,
): readonly Problem[] {
  return explainErrors(errors ?? [], document).map(({ kind, path, predicate }) => {
    const field = pathText(path);
    const what = field === '' ? 'the document' : field;
    const reason = `${what} ${predicate}`;
    const text = kind === 'missing-field' ? withRemedy(reason, remedy(what)) : { message: reason };
    return { kind, field: field === '' ? null : field, ...text };
  });
}

const FILL = 'map it, give its rule an else, or skip such records';
const FILL_OR_MINIMAL = 'map it, or use the minimal profile if the export does not have it';

function fieldRemedy(profile: Profile): Remedy {
  if (profile === 'minimal') return () => FILL;
  const needed = new Set((profileSchema('minimal') as { required: string[] }).required);
  return (field) => (needed.has(field) ? FILL : FILL_OR_MINIMAL);
}

function compileOwnSchema(schema: unknown, name: string): ValidateFunction {
  const refuse = (reason: string): never => {
    throw new OptionError(`The schema ${name} can't be used: ${reason}.`);
  };
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return refuse('it is not a JSON object');
  }
  const { $async } = schema as AnySchemaObject;
  if ($async !== undefined) return refuse('it has $async, but validation is synchronous');
  try {
    return createAjv(schema, { regExp: REGEXP }).compile(schema);
  } catch (error) {
    return refuse(schemaReason(error));
  }
}

/** Refuses patterns that take exponential time. */
const REGEXP: NonNullable<CodeOptions['regExp']> = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, flags);
    const reason = exponentialPattern(pattern);
    if (reason !== undefined) throw new Error(reason);
    return expression;
  },
  { code: 'new RegExp' },
);

function schemaReason(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const keyword = /^strict mode: unknown keyword: (".*")$/.exec(reason)?.[1];
  if (keyword !== undefined) {
    return `it has the unknown keyword ${keyword}; if it is an annotation, start its name with x-`;
  }
  const dialect = /^no schema with key or ref (".*")$/.exec(reason)?.[1];
  if (dialect !== undefined) {
    return `its $schema is ${dialect}; expected JSON Schema 2020-12, "https://json-schema.org/draft/2020-12/schema"`;
  }
  const format = /^unknown format (".*") ignored/.exec(reason)?.[1];
  if (format !== undefined) return `it names the unknown format ${format}; use a pattern instead`;
  // ajv lists all violations of the metaschema; the first is enough.
  return reason.replace(/, data\/.*$/s, '').replace(/\.$/, '');
}

/** With the flag u, surrogates that are part of a pair don't match. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Finds texts with a lone surrogate, the result of cutting through an emoji. UTF-8 can't encode it,
 * so the text can't be sent unchanged.
 */
export function brokenText(document: ImportedDocument): readonly Problem[] {
  return [...brokenIn(document, '')];
}

function* brokenIn(value: unknown, field: string): Generator<Problem, void, undefined> {
  if (typeof value === 'string') {
    const at = value.search(LONE_SURROGATE);
    if (at < 0) return;
    const code = value.charCodeAt(at).toString(16);
    const message = `${field} holds a lone surrogate (\\u${code} at position ${at + 1}), which can't be sent; fix the export, or remove it with replace`;
    yield { kind: 'broken-text', field, message };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* brokenIn(item, `${field}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield* brokenIn(item, field === '' ? key : `${field}.${key}`);
    }
  }
}

/** Output file of `scripts/compile-schemas.mjs` for each schema. */
const FILES = {
  complete: 'profiles',
  minimal: 'profiles',
  mapping: 'mapping',
  faults: 'faults',
  report: 'report',
  'singer-config': 'singer-config',
  jobs: 'jobs',
} as const;

type Checks = Readonly<Record<string, ValidateFunction>>;

const nodeRequire = createRequire(import.meta.url);
const loaded = new Map<string, Checks>();

export function shippedValidator(schema: keyof typeof FILES): ValidateFunction {
  const file = FILES[schema];
  const checks =
    loaded.get(file) ?? (nodeRequire(`../../dist/validation/${file}.cjs`)(OWN_FORMATS) as Checks);
  loaded.set(file, checks);
  return checks[schema] as ValidateFunction;
}

export function schemaMistakes(
  schema: Exclude<keyof typeof FILES, 'complete' | 'minimal'>,
  value: unknown,
): readonly SchemaMistake[] {
  const check = shippedValidator(schema);
  return check(value) ? [] : explainErrors(check.errors ?? [], value);
}

/** Schema file of each profile, which is also the name for references from users' own schemas. */
export const PROFILE_SCHEMAS = {
  complete: 'imported-document.schema.json',
  minimal: 'imported-document-minimal.schema.json',
} as const;

/** Replaces the check of ajv-formats' fast mode, which accepts day 39 and month 19. */
const OWN_FORMATS: Readonly<Record<'date-time', (text: string) => boolean>> = {
  'date-time': isDateTime,
};

/** `schemas/` is next to both `src/` and `dist/`. */
const SCHEMAS = new URL('../../schemas/', import.meta.url);

/**
 * Creates a validator that knows both profiles. Unknown keywords are errors, because a typo like
 * `requird` would check nothing; keywords that start with `x-` are annotations.
 * @param ownSchema a user's schema to be compiled with it
 * @param code ajv's options for generated code
 */
export function createAjv(ownSchema: object = {}, code: CodeOptions = {}): Ajv2020 {
  // Loaded on demand: only users' own schemas need ajv, shipped ones are compiled.
  const { Ajv2020 } = nodeRequire('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = nodeRequire('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv2020({
    code,
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictTuples: false,
    logger: false,
  });
  addFormats.default(ajv, { mode: 'fast' });
  ajv.addFormat('date-time', OWN_FORMATS['date-time']);
  ajv.addVocabulary([...new Set(['x-expected', ...annotationsIn(ownSchema)])]);
  for (const profile of ['complete', 'minimal'] as const) {
    ajv.addSchema(profileSchema(profile), PROFILE_SCHEMAS[profile]);
  }
  return ajv;
}

export function profileSchema(profile: keyof typeof PROFILE_SCHEMAS): object {
  return JSON.parse(readFileSync(new URL(PROFILE_SCHEMAS[profile], SCHEMAS), 'utf8')) as object;
}

function annotationsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(/^x-[\w-]+$/.test(key) ? [key] : []),
    ...annotationsIn(value),
  ]);
}

const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns whether a text is an RFC 3339 timestamp of an existing day. */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME.test(text)) return false;
  const day = text.slice(8, 10);
  // Fast path: each month has 28 days. Date turns later days into those of the next month.
  return day <= '28' || new Date(text.slice(0, 10)).getUTCDate() === Number(day);
}

/** Only a repeated group with repetition in it takes exponential time. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d)/;

/**
 * Returns what is wrong with a regular expression whose time may double with each character of a
 * text, as that of `(a+)+$` does on `aaaa!`: nothing can interrupt it. Others may still take time
 * that grows with the square of a text's length.
 * @param source of a valid expression with the flag `u`
 */
export function exponentialPattern(source: string): string | undefined {
  if (!REPEATED_GROUP.test(source)) return undefined;
  const part = exponentialPart(source);
  if (part === undefined) return undefined;
  return `the expression ${JSON.stringify(source)} can take practically forever on some texts, because ${part}; rewrite it so that there is only one way to match a text, for example a+ instead of (a+)+`;
}

function exponentialPart(source: string): string | undefined {
  // Loaded on demand: few mappings have such expressions.
  const { analyse } = nodeRequire('scslre') as typeof import('scslre');
  const { reports } = analyse({ source, flags: 'u' }, { reportTypes: { Move: false } });
  const found = reports.find(({ exponential }) => exponential);
  if (found?.type === 'Self')
    return `${found.parentQuant.raw} can match the same text in many ways`;
  if (found?.type !== 'Trade') return undefined;
  return `${found.startQuant.raw} and ${found.endQuant.raw} can match the same text`;
}
