/**
 * Writes the shipped schemas as code, so that no run waits for them to be compiled: part of
 * `npm run build`, after tsc. Sources and build output both find the code in `dist/`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { _ } from 'ajv';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import standalone from 'ajv/dist/standalone/index.js';
import { createAjv, PROFILE_SCHEMAS } from '../dist/validation/schemas.js';

const ROOT = new URL('../', import.meta.url);

const ajv = createAjv({}, { source: true, formats: _`formats` });
write('profiles', PROFILE_SCHEMAS);
for (const name of ['mapping', 'faults', 'report', 'singer-config']) {
  ajv.addSchema(
    JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, ROOT), 'utf8')),
    name,
  );
  write(name, { [name]: name });
}

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
