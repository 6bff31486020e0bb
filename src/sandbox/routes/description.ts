import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** `schemas/` lies beside `src/` as well as beside `dist/`. */
const DESCRIPTION = new URL('../../../schemas/openapi.yaml', import.meta.url);

let read: unknown;

/** The API as OpenAPI describes it, as it is answered at `/openapi.json`. Read once, when asked for. */
export function description(): unknown {
  read ??= parse(readFileSync(DESCRIPTION, 'utf8'));
  return read;
}
