/**
 * Writes packages as one file each, `dist/packages/`: part of `npm run build`. Sources and build
 * output know them as `#plot`, `#yaml` and so on, by `imports` in package.json.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
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
 * eld's tables, compressed, and read as JSON: V8 takes a third of a second for the same as source code,
 * and an installation would be 1.6 MB larger. Most n-grams have their scores in common with others.
 */
const tables = {
  name: 'tables',
  load: async (id) => {
    if (!id.endsWith('/eld/src/ngrams/small.js')) return undefined;
    const { ngrams, ...others } = (await import(pathToFileURL(id))).ngramsData;
    const byScores = new Map();
    // In order, they are compressed further.
    for (const ngram of Object.keys(ngrams).sort()) {
      const scores = JSON.stringify(ngrams[ngram]);
      byScores.set(scores, [...(byScores.get(scores) ?? []), ngram]);
    }
    const shared = [...byScores].map(([scores, all]) => [JSON.parse(scores), all.join('\n')]);
    const packed = brotliCompressSync(JSON.stringify({ ...others, shared })).toString('base64');
    return `import { brotliDecompressSync } from 'node:zlib';
      const { shared, ...others } = JSON.parse(brotliDecompressSync(Buffer.from('${packed}', 'base64')));
      const ngrams = {};
      for (const [scores, all] of shared) for (const ngram of all.split('\\n')) ngrams[ngram] = scores;
      export const ngramsData = { ...others, ngrams };`;
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
