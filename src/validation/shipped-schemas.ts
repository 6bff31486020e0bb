/** The shipped schemas as code: what ajv would make at every start, `npm run build` has made. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Ajv2020, CodeOptions, ValidateFunction } from 'ajv/dist/2020.js';
import { explainErrors, type SchemaMistake } from './explain-errors.js';

/** The file that `scripts/compile-schemas.mjs` writes each of them to. */
const FILES = {
  complete: 'profiles',
  minimal: 'profiles',
  mapping: 'mapping',
  faults: 'faults',
  report: 'report',
  'singer-config': 'singer-config',
} as const;

type Checks = Readonly<Record<string, ValidateFunction>>;

const load = createRequire(import.meta.url);
const loaded = new Map<string, Checks>();

/** The check that a shipped schema was compiled into. */
export function shippedCheck(schema: keyof typeof FILES): ValidateFunction {
  const file = FILES[schema];
  const compile = (): Checks => load(`../../dist/validation/${file}.cjs`)(OWN_FORMATS);
  const checks = loaded.get(file) ?? compile();
  loaded.set(file, checks);
  return checks[schema] as ValidateFunction;
}

/** What a shipped schema finds wrong with a value. */
export function schemaMistakes(
  schema: Exclude<keyof typeof FILES, 'complete' | 'minimal'>,
  value: unknown,
): readonly SchemaMistake[] {
  const check = shippedCheck(schema);
  return check(value) ? [] : explainErrors(check.errors ?? [], value);
}

/** The schema of each profile; also the name under which a user's own schema can refer to it. */
export const PROFILE_SCHEMAS = {
  complete: 'imported-document.schema.json',
  minimal: 'imported-document-minimal.schema.json',
} as const;

/** The fast mode of ajv-formats takes a 39th day in a 19th month for a date. */
const OWN_FORMATS: Readonly<Record<'date-time', (text: string) => boolean>> = {
  'date-time': isDateTime,
};

/** Loads ajv only where a user's own schema is compiled: shipped schemas are code already. */
const nodeRequire = createRequire(import.meta.url);

/** `schemas/` lies beside `src/` as well as beside `dist/`. */
const SCHEMAS = new URL('../../schemas/', import.meta.url);

/** Notes that editors and OpenAPI know, and that check nothing. */
const NOTES = [
  'defaultSnippets',
  'deprecationMessage',
  'enumDescriptions',
  'example',
  'externalDocs',
  'markdownDescription',
  'markdownEnumDescriptions',
  'xml',
];

/**
 * Makes a validator that knows both profiles. A keyword it doesn't know is an error, as a slip
 * such as `requird` would check nothing; keywords that start with `x-` are notes.
 * @param ownSchema a user's schema that is to be compiled with it
 * @param code how the build wants its code
 */
export function createAjv(ownSchema: object = {}, code: CodeOptions = {}): Ajv2020 {
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
  ajv.addVocabulary([...NOTES, ...new Set(['x-expected', ...notesIn(ownSchema)])]);
  for (const profile of ['complete', 'minimal'] as const) {
    ajv.addSchema(profileSchema(profile), PROFILE_SCHEMAS[profile]);
  }
  return ajv;
}

/** Reads the schema of a profile. */
export function profileSchema(profile: keyof typeof PROFILE_SCHEMAS): object {
  return JSON.parse(readFileSync(new URL(PROFILE_SCHEMAS[profile], SCHEMAS), 'utf8')) as object;
}

function notesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(/^x-[\w-]+$/.test(key) ? [key] : []),
    ...notesIn(value),
  ]);
}

const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** Every month has this many days. */
const MIN_DAYS = 28;

/** Whether a text is a timestamp after RFC 3339 that names a day of the calendar. */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME.test(text)) return false;
  const day = twoDigits(text, 8);
  if (day <= MIN_DAYS) return true;
  return day <= daysIn(Number(text.slice(0, 4)), twoDigits(text, 5));
}

/** Reads two digits without cutting a piece out of the text: this runs for every document. */
function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

const ZERO = 48;

/** @param month from 1 to 12 */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
