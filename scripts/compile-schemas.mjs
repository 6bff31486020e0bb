/**
 * Writes the shipped schemas as code, so that no run waits for them to be compiled: part of
 * `npm run build`, after tsc. Sources and build output both find the code in `dist/`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { createAjv, PROFILE_SCHEMAS } from '../dist/validation/create-ajv.js';
import { replaceFile } from './replace-file.js';

const ROOT = new URL('../', import.meta.url);

const profiles = createAjv({}, { source: true, formats: _`formats` });
write('dist/validation/profile-schemas.cjs', standalone.default(profiles, PROFILE_SCHEMAS));

const mappings = new Ajv2020({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  code: { source: true },
});
mappings.addSchema(readJson('schemas/mapping.schema.json'), 'mapping');
write(
  'dist/mapping/mapping-schema.cjs',
  standalone.default(mappings, { validateMapping: 'mapping' }),
);

/** @param code what ajv makes: it sets `exports`, and calls the formats it is to be given `formats` */
function write(path, code) {
  replaceFile(
    fileURLToPath(new URL(path, ROOT)),
    `module.exports = (formats) => {\n${code.replace('"use strict";', '"use strict"; const exports = {};')}\nreturn exports;\n};\n`,
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
}
