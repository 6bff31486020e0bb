/**
 * Writes packages as one file each, `dist/packages/`: part of `npm run build`. Sources and build
 * output know them as `#plot`, `#yaml` and so on, by `imports` in package.json.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.js';
import { replaceFile } from './replace-file.js';

/**
 * What yargs gets instead of modules that take long to load or to run, at every start of every
 * command.
 *
 * What it measures is docferry's own help, of letters that are one column wide. string-width knows
 * emoji as well: the expression with all of them and the Segmenter take 20 ms. What it asserts are
 * mistakes of its own. And it looks for a package.json with a version, which docferry states.
 */
const PLAIN = {
  'string-width': `import { stripVTControlCharacters } from 'node:util';
    export default (text) => [...stripVTControlCharacters(text)].length;`,
  assert: `const assert = (holds, message) => {
      if (!holds) throw new Error(message);
    };
    export const strictEqual = (actual, expected, message) => assert(actual === expected, message);
    export const notStrictEqual = (actual, other, message) => assert(actual !== other, message);`,
  'escalade/sync': 'export default () => undefined;',
};

const plain = {
  name: 'plain',
  resolveId: (id) => (id in PLAIN ? `plain:${id}` : undefined),
  load: (id) => (id.startsWith('plain:') ? PLAIN[id.slice('plain:'.length)] : undefined),
};

/**
 * eld's tables, as text: V8 reads them as JSON in a quarter of the time that it takes for the same as
 * source code, which is a third of a second.
 */
const tables = {
  name: 'tables',
  load: async (id) => {
    if (!id.endsWith('/eld/src/ngrams/small.js')) return undefined;
    const { ngramsData } = await import(pathToFileURL(id));
    return `export const ngramsData = JSON.parse(${JSON.stringify(JSON.stringify(ngramsData))});`;
  },
};

const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUT = path.join(HERE, '../dist/packages');

const modules = new Set();
for (const name of readdirSync(path.join(HERE, 'packages'))) {
  const { code, moduleIds } = await bundle(path.join(HERE, 'packages', name));
  replaceFile(path.join(OUT, name), code);
  for (const id of moduleIds) modules.add(id);
}
replaceFile(path.join(OUT, 'LICENSES.txt'), licencesOf(modules));

async function bundle(input) {
  const build = await rolldown({
    input,
    // yaml gives CommonJS to Node, and modules, which can be joined without wrappers, to others.
    platform: input.endsWith('yaml.js') ? 'neutral' : 'node',
    plugins: input.endsWith('yargs.js') ? [plain] : [tables],
  });
  // They are large, and nobody steps through them: V8 has half as much to read at each start.
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: true });
  await build.close();
  return output[0];
}
