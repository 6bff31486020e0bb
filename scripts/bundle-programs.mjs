/**
 * Joins docferry's own modules into few files, as each takes its time to open: what is started or
 * imported from outside loads what stands in `dist/joined/`. Part of `npm run build`, after the
 * compiler.
 *
 * They are CommonJS, which V8 can be given with what it has compiled of it before (see
 * src/cli/start-cache.ts). What is imported stays a module, which passes it on.
 */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { rolldown } from 'rolldown';
import { replaceFile } from './replace-file.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = path.join(ROOT, 'src');
const DIST = path.join(ROOT, 'dist');

/** What the command is, as CommonJS: to start a module, Node loads more of its own. */
const MAIN = 'cli/main';
const COMMAND_LINE = 'cli/command-line';
/** For whoever starts it as a clone does. An `import` would have Node look for what it exports. */
const MAIN_AS_MODULE = `#!/usr/bin/env node
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./main.cjs');
`;
/** What is started: the command line by {@link MAIN}, threads and processes by what needs them. */
const STARTED = [
  COMMAND_LINE,
  ...['transform/pool/run-transform', 'formats/parquet/run-decoder', 'sandbox/engine/store-thread'],
];
/** What is imported from outside, by `exports` in package.json. */
const IMPORTED = ['index', 'api/index', 'sandbox/index'];

/**
 * What is loaded together, the first one first: modules, and all that they load at once. Everything
 * else is divided by who loads it.
 */
const JOINED = {
  // What a thread shares with the command line, and what tells that the rest can't be loaded.
  base: /\/src\/(cli\/system-failure|model\/(errors|names|on-demand|zone-periods)|outputs\/output-file)\.ts$/,
  // What the sandbox's threads share with what sends, none of which they load.
  rankings: /\/src\/service\/rankings\.ts$/,
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

/** In what is joined, that is how others are loaded as well. */
const REQUIRE = 'createRequire(import.meta.url)';

const groups = Object.entries(JOINED).map(([name, test], at, all) => ({
  name,
  test,
  priority: all.length - at,
}));

const places = { name: 'places', resolveId: resolveOwnPackage, transform: keepPlaces };
const output = await join([...STARTED, ...IMPORTED], {
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'joined/[name].cjs',
  // V8 takes no import() in what it is given compiled.
  dynamicImportInCjs: false,
  codeSplitting: { groups },
});
for (const { name, exports } of output.filter(({ isEntry }) => isEntry)) {
  if (IMPORTED.includes(name)) replaceFile(path.join(DIST, `${name}.js`), door(name, exports));
}
markBuild(output);
removeOthers(
  path.join(DIST, 'joined'),
  output.map(({ fileName }) => path.basename(fileName)),
);
// It starts everything, and nobody else loads it.
await join([MAIN], { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false });
replaceFile(path.join(DIST, `${MAIN}.js`), MAIN_AS_MODULE);
for (const kind of ['cjs', 'js']) chmodSync(path.join(DIST, `${MAIN}.${kind}`), 0o755);

/**
 * Joins modules and all that they load, and writes the files.
 * @param {readonly string[]} names below `src/`
 */
async function join(names, options) {
  const build = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, path.join(SRC, `${name}.ts`)])),
    platform: 'node',
    tsconfig: path.join(ROOT, 'tsconfig.json'),
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id) && !(id in OWN_PACKAGES),
    plugins: [places],
    checks: { emptyImportMeta: false, ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({
    ...options,
    minifyInternalExports: false,
    charset: 'ascii',
    comments: { jsdoc: false },
  });
  await build.close();
  for (const { fileName, code } of output) replaceFile(path.join(DIST, fileName), code);
  return output;
}

/**
 * Makes the command line's own file another one whenever any file is: what one build has answered
 * and kept is not for another.
 */
function markBuild(output) {
  const { fileName, code } = output.find(({ name }) => name === COMMAND_LINE);
  const build = crc32(output.map((file) => file.code).join(''));
  replaceFile(path.join(DIST, fileName), `${code}// Build ${build.toString(16)}\n`);
}

/** A module that passes on what a joined file exports. */
function door(name, exports) {
  const file = `./${path.basename(name)}.cjs`;
  return `import joined from '${file}';\nexport const { ${exports.join(', ')} } = joined;\n`;
}

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
  if (code.includes(REQUIRE)) return code.replace(REQUIRE, 'require');
  const place = id.startsWith(DIST)
    ? path.relative(DIST, id)
    : path.relative(SRC, id).replace(/\.tsx?$/, '.js');
  if ([MAIN, ...STARTED].includes(place.replace(/\.js$/, ''))) return undefined;
  const own = `new URL(${JSON.stringify(`../${place}`)}, import.meta.url).href`;
  return code.replaceAll('import.meta.url', own);
}

/** What an earlier build has left. */
function removeOthers(folder, names) {
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(path.join(folder, name));
  }
}
