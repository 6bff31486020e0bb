import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isDateTime } from './date-time.js';

/** The schema of each profile; also the name under which a user's own schema can refer to it. */
export const PROFILE_SCHEMAS = {
  complete: 'imported-document.schema.json',
  minimal: 'imported-document-minimal.schema.json',
} as const;

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
 */
export function createAjv(ownSchema: object = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictTuples: false,
    logger: false,
  });
  addFormats.default(ajv, { mode: 'fast' });
  // The fast mode of ajv-formats takes a 39th day in a 19th month for a date.
  ajv.addFormat('date-time', isDateTime);
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
