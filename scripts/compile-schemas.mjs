/**
 * Writes the shipped schemas as code, so that no run waits for them to be compiled: part of
 * `npm run build`, after tsc. Sources and build output both find the code in `dist/`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { _ } from 'ajv';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import standalone from 'ajv/dist/standalone/index.js';
import { parse } from 'yaml';
import { createAjv, PROFILE_SCHEMAS } from '../dist/validation/schemas.js';

const ROOT = new URL('../', import.meta.url);

const { components } = parse(readFileSync(new URL('schemas/openapi.yaml', ROOT), 'utf8'));
const ajv = createAjv(components, { source: true, formats: _`formats` });
write('profiles', PROFILE_SCHEMAS);
for (const name of ['mapping', 'faults', 'report', 'singer-config', 'jobs']) {
  ajv.addSchema(
    JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, ROOT), 'utf8')),
    name,
  );
  write(name, { [name]: name });
}
// The bodies of requests, which the sandbox checks.
ajv.addVocabulary(['components']);
ajv.addSchema({ components }, 'api');
const bodies = ['Import', 'NewMonitoring', 'NewTitle', 'AddedSearches'];
write('api', Object.fromEntries(bodies.map((name) => [name, `api#/components/schemas/${name}`])));

/**
 * What ajv makes sets `exports`, and calls the formats that it is to be given `formats`.
 * @param schemas by the names of their checks
 */
function write(name, schemas) {
  // How long a text is, the code asks a function of ajv's, for which a package would be searched.
  const code = standalone
    .default(ajv, schemas)
    .replace('require("ajv/dist/runtime/ucs2length").default', `(${ucs2length.default})`);
  writeFileSync(
    new URL(`dist/validation/${name}.cjs`, ROOT),
    // In brackets, so that V8 reads it once: it is called at once.
    `module.exports = (function (formats) {\n${code.replace('"use strict";', '"use strict"; const exports = {};')}\nreturn exports;\n});\n`,
  );
}
