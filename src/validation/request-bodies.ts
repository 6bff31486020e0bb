import type { ValidateFunction } from 'ajv/dist/2020.js';
// Imported statically, so that a bundle of the client has it.
// biome-ignore lint/correctness/useImportExtensions: the build writes it
import compiled from '../../dist/validation/api.cjs';
import { explainErrors, pathText } from './explain-errors.js';

/** Schema of a request's body in `schemas/openapi.yaml`. */
export type ApiSchema = 'Import' | 'NewMonitoring' | 'NewTitle' | 'AddedSearches';

type Checks = Readonly<Record<ApiSchema, ValidateFunction>>;

let checks: Checks | undefined;

/** Describes the mistakes in a request's body, one sentence each. */
export function bodyMistakes(schema: ApiSchema, body: unknown): readonly string[] {
  checks ??= (compiled as unknown as (formats: object) => Checks)({});
  const check = checks[schema];
  if (check(body)) return [];
  return explainErrors(check.errors ?? [], body).map(({ path, predicate }) => {
    const end = predicate.endsWith('?') ? '' : '.';
    return `${pathText(path) || 'The body'} ${predicate}${end}`;
  });
}
