/** The shipped schemas as code: what ajv would make at every start, `npm run build` has made. */
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { OWN_FORMATS } from './create-ajv.js';
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
