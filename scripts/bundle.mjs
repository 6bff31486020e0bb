/**
 * Completes what tsc builds: bundles the studio's page and the tables of language detection, and
 * makes the program executable. Part of `npm run build`, after tsc.
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = path.join(ROOT, 'src/studio/web');
const TO = path.join(ROOT, 'dist');
const licences = new Map();

await bundle('studio/web/app.js', {
  input: path.join(PAGE, 'app.tsx'),
  platform: 'browser',
  // Modules name each other as they are called once they are built.
  resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
  tsconfig: path.join(PAGE, 'tsconfig.json'),
});
await bundle('mapping/steps/eld.cjs', {
  input: fileURLToPath(import.meta.resolve('eld/small')),
  platform: 'node',
  plugins: [{ name: 'tables', load: tablesAsData }],
});
const parts = readdirSync(path.join(PAGE, 'styles')).map((name) => path.join(PAGE, 'styles', name));
const styles = parts.toSorted().map((file) => readFileSync(file, 'utf8'));
writeFileSync(path.join(TO, 'studio/web/app.css'), styles.join('\n'));
const SQL = 'runs/postgres/database/sql';
mkdirSync(path.join(TO, SQL), { recursive: true });
for (const file of [
  'studio/web/index.html',
  'report/html/page.css',
  ...readdirSync(path.join(ROOT, 'src', SQL)).map((name) => `${SQL}/${name}`),
]) {
  copyFileSync(path.join(ROOT, 'src', file), path.join(TO, file));
}
// In a clone, npx runs the file itself.
chmodSync(path.join(TO, 'cli/main.js'), 0o755);
writeFileSync(path.join(TO, 'LICENSES.txt'), [...licences.values()].toSorted().join('\n---\n\n'));

async function bundle(file, options) {
  const build = await rolldown(options);
  const format = file.endsWith('.cjs') ? 'cjs' : 'esm';
  const { output } = await build.generate({
    ...{ format, exports: 'named', codeSplitting: false, minify: true },
  });
  await build.close();
  mkdirSync(path.dirname(path.join(TO, file)), { recursive: true });
  writeFileSync(path.join(TO, file), output[0].code);
  for (const id of output[0].moduleIds) addLicence(id);
}

/** Packages whose code is in a bundle ask for a copy of their licence beside it. */
function addLicence(module) {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module) ?? [];
  if (folder === undefined || licences.has(folder)) return;
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  licences.set(folder, `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8')}`);
}

/**
 * eld's tables, compressed, and read as JSON: V8 takes a fifth of a second and 100 MB more for the same
 * as source code, in each thread. Most n-grams share their scores with others.
 */
async function tablesAsData(id) {
  if (!id.endsWith('/eld/src/ngrams/small.js')) return undefined;
  const { ngrams, ...others } = (await import(pathToFileURL(id))).ngramsData;
  const byScores = new Map();
  // Sorted, they compress better.
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
}
