/**
 * Joins docferry's own modules into few files, as each takes its time to open: what is started or
 * imported from outside replaces the compiler's files of these names, and loads what stands in
 * `dist/joined/`. Part of `npm run build`, after the compiler.
 */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { replaceFile } from './replace-file.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = path.join(ROOT, 'src');
const DIST = path.join(ROOT, 'dist');

/** What is started or imported from outside; each stays where the compiler puts it. */
const DOORS = [
  ...['cli/main', 'index', 'api/index', 'sandbox/index'],
  ...['transform/pool/run-transform', 'formats/parquet/run-decoder', 'sandbox/engine/store-thread'],
];

/**
 * What is loaded together, the first one first: modules, and all that they load at once. Everything
 * else is divided by who loads it.
 */
const JOINED = {
  // What a thread shares with the command line, and what tells that the rest can't be loaded.
  base: /\/src\/(cli\/system-failure|model\/(errors|names|on-demand)|outputs\/output-file)\.ts$/,
  // What every line needs, `--help` too.
  start: /\/src\/cli\/command-line\.ts$/,
  // What every command needs, a Tab too.
  arguments: /\/src\/cli\/(arguments\/read-arguments|completion\/flags)\.ts$/,
  // What a Tab asks for ids of runs: the work is loaded when it is done.
  ask: /\/src\/(cli\/(commands\/runs|completion\/answer-tab)|operations\/runs\/run-ids)\.ts$/,
  // What it asks for flags.
  flags: /\/src\/cli\/commands\/import\.ts$/,
  transform: /\/src\/transform\/(compile-transform|pool\/pack-documents)\.ts$/,
  // What `validate` needs besides, and nearly all of it `import`.
  run: /\/src\/(cli\/runs\/show-run|cli\/output\/progress-display|formats\/open-sources|mapping\/load\/load-mapping|operations\/validate-documents|report\/report-text)\.ts$/,
  send: /\/src\/(cli\/runs\/run-import|operations\/import-documents|operations\/pipeline\/(keep-run|sending))\.ts$/,
};

/** Packages that an earlier step has joined, by the names of `imports` in package.json. Plot is large, and seldom wanted. */
const OWN_PACKAGES = {
  '#p-limit': 'packages/p-limit.js',
  '#string-width': 'packages/string-width.js',
  '#xxhash': 'packages/xxhash.js',
  '#yaml': 'packages/yaml.js',
  '#yargs': 'packages/yargs.js',
};

const groups = Object.entries(JOINED).map(([name, test], at, all) => ({
  name,
  test,
  priority: all.length - at,
}));

const build = await rolldown({
  input: Object.fromEntries(DOORS.map((name) => [name, path.join(SRC, `${name}.ts`)])),
  platform: 'node',
  tsconfig: path.join(ROOT, 'tsconfig.json'),
  external: (id) => !id.startsWith('.') && !path.isAbsolute(id) && !(id in OWN_PACKAGES),
  plugins: [{ name: 'places', resolveId: resolveOwnPackage, transform: keepPlaces }],
  checks: { ineffectiveDynamicImport: false },
});
const { output } = await build.generate({
  format: 'esm',
  chunkFileNames: 'joined/[name].js',
  codeSplitting: { groups },
  minifyInternalExports: false,
});
await build.close();

/** By the names of files that have nothing of their own: which file has it. */
const passedOn = new Map(output.flatMap(({ fileName, code }) => passing(fileName, code)));
const kept = output.filter(({ fileName }) => !passedOn.has(path.basename(fileName)));
for (const { fileName, code } of kept) {
  replaceFile(path.join(DIST, fileName), withBuiltins(straight(code)));
}
removeOthers(
  path.join(DIST, 'joined'),
  kept.map(({ fileName }) => path.basename(fileName)),
);
chmodSync(path.join(DIST, 'cli/main.js'), 0o755);

/** @param {string} id */
function resolveOwnPackage(id) {
  return id in OWN_PACKAGES ? path.join(DIST, OWN_PACKAGES[id]) : undefined;
}

/**
 * Modules find files by their own place: to each it stays the one that the compiler gives it.
 * @param {string} code
 * @param {string} id
 */
function keepPlaces(code, id) {
  if (!code.includes('import.meta.url')) return undefined;
  const place = id.startsWith(DIST)
    ? path.relative(DIST, id)
    : path.relative(SRC, id).replace(/\.tsx?$/, '.js');
  if (DOORS.includes(place.replace(/\.js$/, ''))) return undefined;
  const own = `new URL(${JSON.stringify(`../${place}`)}, import.meta.url).href`;
  return code.replaceAll('import.meta.url', own);
}

/**
 * The name of a file that only passes on what another has under the same names, and that one's.
 * @param {string} fileName
 * @param {string} code
 * @returns {[string, string][]}
 */
function passing(fileName, code) {
  const names = /^export \{ [\w$]+(?:, [\w$]+)* \} from "\.\/([\w-]+\.js)";\s*$/;
  const [, from] = (fileName.startsWith('joined/') && names.exec(code)) || [];
  return from === undefined ? [] : [[path.basename(fileName), from]];
}

/** Imports from where it stands, without a file between that takes its time to open. */
function straight(code) {
  return code.replace(
    /((?:\bfrom |\bimport\()"\.{1,2}\/(?:joined\/)?)([\w-]+\.js)"/g,
    (_, before, name) => `${before}${whereItStands(name)}"`,
  );
}

function whereItStands(name) {
  const next = passedOn.get(name);
  return next === undefined ? name : whereItStands(next);
}

/**
 * Takes Node's own modules as values. To import them, Node reads each of their exports, some of
 * which are large modules that are loaded when they are read: Web Crypto, or workers.
 * @param {string} code
 */
function withBuiltins(code) {
  return code.replace(/^import (.+) from "([\w:/]+)";$/gm, (statement, names, id) => {
    if (!isBuiltin(id)) return statement;
    const [, whole, some] = /^(?:\* as )?([\w$]+)?(?:, )?(\{.+\})?$/.exec(names) ?? [];
    const value = `process.getBuiltinModule("${id}")`;
    const parts = [
      ...(whole === undefined ? [] : [`${whole} = ${value}`]),
      ...(some === undefined ? [] : [`${some.replaceAll(' as ', ': ')} = ${whole ?? value}`]),
    ];
    return `const ${parts.join(', ')};`;
  });
}

/** What an earlier build has left. */
function removeOthers(folder, names) {
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(path.join(folder, name));
  }
}
