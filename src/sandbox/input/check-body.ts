import { pathText } from '../../validation/explain-errors.js';
import { type ApiSchema, schemaMistakes } from '../../validation/schemas.js';
import { Refusal } from '../refusal.js';

/**
 * Checks a body against its schema in `schemas/openapi.yaml`. Refuses it with a message for each
 * mistake.
 */
export function checkBody(schema: ApiSchema, body: unknown): void {
  const mistakes = schemaMistakes(schema, body);
  if (mistakes.length === 0) return;
  const messages = mistakes.map(({ path, predicate }) => {
    const end = predicate.endsWith('?') ? '' : '.';
    return `${pathText(path) || 'The body'} ${predicate}${end}`;
  });
  throw new Refusal('invalid', messages);
}
