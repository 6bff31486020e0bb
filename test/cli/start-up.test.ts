import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docferry, type Ended } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { workbookOfTexts } from '../helpers/workbook.js';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'docferry-start-up-'));
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write('reviews.csv', 'id,text,date\n1,"Good, clean",2026-01-31\n2,Noisy at night,2026-02-01\n');
  const rows = [
    ['id', 'text', 'date'],
    ['1', 'Good', '2026-01-31'],
  ];
  writeFileSync(path.join(folder, 'r.xlsx'), await workbookOfTexts(rows));
  write('mapping.yaml', mappingWith('language: { value: en }'));
  write('detecting.yaml', mappingWith('language: { detect: "{text}", else: en }'));
  write('schema.json', JSON.stringify({ type: 'object', required: ['text'] }));
});

afterAll(() => rmSync(folder, { recursive: true }));

function mappingWith(language: string): string {
  return `profile: minimal\ndocument:\n  sourceId: "{id}"\n  text: "{text}"\n  ${language}\n  published: { from: date, date: yyyy-MM-dd }\n`;
}

/** What a command loads: packages, docferry's own modules (packages joined at the build too), and files. */
interface Loaded {
  readonly packages: readonly string[];
  readonly modules: readonly string[];
  readonly files: readonly string[];
}

/** Runs a command with V8 listing the files whose code it was given, of packages as well. */
async function loadedBy(...args: string[]): Promise<Loaded> {
  return await loaded(args, '');
}

async function loaded(args: readonly string[], stdin: string): Promise<Loaded> {
  return sorted((await loadedByThread(args, stdin)).flat());
}

/** The addresses of all that each thread loads, the main one first. */
async function loadedByThread(args: readonly string[], stdin = ''): Promise<readonly string[][]> {
  const lists = mkdtempSync(path.join(folder, 'loaded-'));
  const ended = await docferry(args, { cwd: folder, stdin, env: { NODE_V8_COVERAGE: lists } });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const thread = (name: string): number => Number(/-(\d+)\.json$/.exec(name)?.[1]);
  return readdirSync(lists)
    .toSorted((one, other) => thread(one) - thread(other))
    .map((name) =>
      JSON.parse(readFileSync(path.join(lists, name), 'utf8')).result.map(
        ({ url }: { readonly url: string }) => url,
      ),
    );
}

function sorted(urls: readonly string[]): Loaded {
  const files = [...urls.filter((url) => !url.includes('/node_modules/')), ...joinedIn(urls)];
  const [packages, modules, names] = [
    first(urls, PACKAGE),
    first(files, MODULE),
    first(files, FILE),
  ];
  return { packages, modules, files: names } as Loaded;
}

/** The files that the build has joined into those that were loaded: each stands below its name. */
function joinedIn(urls: readonly string[]): readonly string[] {
  return urls
    .filter((url) => url.includes('/dist/') && !url.includes('/node_modules/'))
    .flatMap((url) => readFileSync(fileURLToPath(url), 'utf8').match(JOINED) ?? [])
    .map((line) => line.replace(/^\/\/ (src|dist)/, '/dist').replace(/\.tsx?$/, '.js'));
}

const JOINED = /^\/\/ (?:src|dist)\/.*$/gm;

const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const MODULE = /\/dist\/(?!joined)(packages\/\w+(?=\.)|\w+(?=\/))/;

const FILE = /\/dist\/(?!joined)([\w/-]+)\.c?js$/;

/** What the expression captures in each text that it matches, once each, sorted. */
function first(texts: readonly string[], expression: RegExp): string[] {
  return [...new Set(texts.flatMap((text) => expression.exec(text)?.[1] ?? []))].toSorted();
}

describe('a command loads only what it needs:', () => {
  it('--help no package, and nothing that reads, maps or sends', async () => {
    expect(await loadedBy('--help')).toMatchObject({
      packages: [],
      modules: ['cli', 'model', 'operations', 'outputs', 'report'],
    });
  });

  it('a Tab no package, and nothing that reads, maps or sends', async () => {
    const shown = await loaded(['--complete-line'], 'docferry runs show ');
    expect(shown).toMatchObject({
      packages: [],
      modules: ['cli', 'model', 'operations', 'outputs', 'packages/yargs', 'report', 'runs'],
    });
  });

  longTest('a Tab behind a command that sends nothing that does', async () => {
    const { packages, modules } = await loaded(['--complete-line'], 'docferry import --');
    expect(packages).toEqual([]);
    expect(modules.filter((name) => SENDING.has(name))).toEqual([]);
  });

  it('validate nothing that sends, compiles schemas, decodes or detects languages', async () => {
    const { packages, modules, files } = await loadedBy(...VALIDATE, '-m', 'mapping.yaml');
    expect(packages).toEqual([]);
    expect(modules.filter((name) => SENDING.has(name))).toEqual([]);
    expect(modules).toContain('transform');
    expect(modules).not.toContain('packages/eld');
    expect(modules).not.toContain('packages/plot');
    expect(modules).not.toContain('telemetry');
    expect(files).toContain('report/report-text');
    // Its documents are good at a glance.
    expect(files).toContain('validation/mapping');
    expect(files).not.toContain('validation/profiles');
    expect(files.filter((name) => FOR_JOBS.has(name))).toEqual([]);
  });

  longTest('validate that tells a job what tells it', async () => {
    const flags = ['--metrics', 'm.prom', '--summary', 's.md', '--annotations'];
    const { files } = await loadedBy(...VALIDATE, '-m', 'mapping.yaml', ...flags);
    expect(files).toEqual(expect.arrayContaining([...FOR_JOBS]));
  });

  longTest('validate with a page of its report what draws it', async () => {
    const command = [...VALIDATE, '-m', 'mapping.yaml', '--html', 'page.html'];
    const { packages, modules } = await loadedBy(...command);
    expect(packages).toContain('hono');
    expect(modules).toContain('packages/plot');
    expect(modules.filter((name) => SENDING.has(name))).toEqual([]);
  });

  longTest('validate with a schema of the user what compiles it', async () => {
    const command = [...VALIDATE, '-m', 'mapping.yaml', '--schema', 'schema.json'];
    expect((await loadedBy(...command)).packages).toContain('ajv-formats');
  });

  longTest('validate with a mapping that detects languages what detects them', async () => {
    const { modules } = await loadedBy(...VALIDATE, '-m', 'detecting.yaml');
    expect(modules).toContain('packages/eld');
  });

  longTest('validate of another encoding what decodes it', async () => {
    const command = [...VALIDATE, '-m', 'mapping.yaml', '--encoding', 'windows-1252'];
    expect((await loadedBy(...command)).packages).toContain('iconv-lite');
  });

  longTest('validate of other kinds of files what reads them, not what fetches', async () => {
    const { packages } = await loadedBy('validate', 'r.xlsx', '--quiet', '-m', 'mapping.yaml');
    expect(packages).toEqual(expect.arrayContaining(['saxes', 'yauzl']));
    expect(packages.filter((name) => OTHERS.test(name))).toEqual([]);
  });

  longTest('import what sends', async () => {
    const command = ['import', 'reviews.csv', '--quiet', '-m', 'mapping.yaml'];
    const { packages, modules } = await loadedBy(...command, '--sandbox', '--monitoring', '1');
    expect(packages).toEqual(expect.arrayContaining(['hono', 'libsql', 'undici']));
    expect(modules).toEqual(expect.arrayContaining(['delivery', ...SENDING]));
    expect(packages).not.toContain('@opentelemetry/api');
    expect(modules).not.toContain('telemetry');
  });

  it("a sandbox's threads nothing that answers, imports or sends", async () => {
    const command = ['import', 'reviews.csv', '--quiet', '-m', 'mapping.yaml'];
    const [, ...threads] = await loadedByThread([...command, '--sandbox', '--monitoring', '1']);
    expect(threads).not.toEqual([]);
    for (const { packages, modules } of threads.map(sorted)) {
      expect(packages).toContain('libsql');
      expect(packages.filter((name) => /hono|undici|luxon/.test(name))).toEqual([]);
      expect(modules).toEqual(['cli', 'model', 'outputs', 'sandbox', 'service']);
    }
  });
});

describe('what V8 has compiled', () => {
  const start = (env: NodeJS.ProcessEnv): Promise<Ended> =>
    docferry(['--version'], { cwd: folder, env });

  it("is kept among the user's caches, where others can't write", async () => {
    const caches = path.join(folder, 'caches');
    await expect(start({ XDG_CACHE_HOME: caches })).resolves.toMatchObject({ code: 0 });
    const kept = path.join(caches, 'docferry');
    const [file = ''] = readdirSync(kept);
    expect(file).toMatch(/^version-/);
    expect(statSync(kept).mode & 0o077).toBe(0);
    expect(statSync(path.join(kept, file)).mode & 0o077).toBe(0);
  });

  it("is kept in the home folder's .cache otherwise", async () => {
    const home = path.join(folder, 'home');
    mkdirSync(home);
    await start({ XDG_CACHE_HOME: '', HOME: home });
    expect(readdirSync(path.join(home, '.cache'))).toEqual(['docferry']);
  });

  it('is not kept of a line that names no command', async () => {
    const caches = path.join(folder, 'misused');
    const ended = await docferry(['nonsense'], { cwd: folder, env: { XDG_CACHE_HOME: caches } });
    expect(ended.code).toBe(2);
    expect(readdirSync(path.join(caches, 'docferry'))).toEqual([]);
  });

  it.each(['/dev/null', '/proc/none', '/nowhere/at/all'])(
    'is not kept in %s, of which nothing is said',
    async (caches) => {
      const ended = await start({ XDG_CACHE_HOME: caches });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('is not kept where Node is told so', async () => {
    const caches = path.join(folder, 'no-caches');
    await start({ XDG_CACHE_HOME: caches, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(existsSync(caches)).toBe(false);
  });
});

describe('what a time zone does', () => {
  it('is asked of Intl by the first start that needs it, and not by the next', async () => {
    const mapping = mappingWith('language: { value: en }');
    writeFileSync(path.join(folder, 'zone.yaml'), `zone: Europe/Madrid\n${mapping}`);
    // Where it is asked nevertheless, the command ends with it.
    writeFileSync(path.join(folder, 'no-intl.cjs'), 'Intl.DateTimeFormat = undefined;\n');
    const caches = path.join(folder, 'zone-caches');
    const validate = (env: NodeJS.ProcessEnv): Promise<Ended> =>
      docferry(['validate', 'reviews.csv', '-m', 'zone.yaml', '--json'], {
        cwd: folder,
        env: { XDG_CACHE_HOME: caches, ...env },
      });
    const withoutIntl = { NODE_OPTIONS: `--require ${path.join(folder, 'no-intl.cjs')}` };
    expect(await validate(withoutIntl)).toMatchObject({ code: 2 });
    expect(await validate({})).toMatchObject({ code: 0 });
    expect(await validate(withoutIntl)).toMatchObject({ code: 0 });
  });
});

/** What makes something of a report for whoever asks for it. */
const FOR_JOBS = new Set([
  'cli/job/tell-job',
  ...['metrics', 'summary', 'annotations'].map((name) => `report/${name}`),
]);

/** What takes other inputs than a workbook. */
const OTHERS = /^(hyparquet.*|fzstd|undici|csv-parse)$/;

const VALIDATE = ['validate', 'reviews.csv', '--quiet'];
/** Of delivery, `validate` takes how batches are cut: it says how many requests an import takes. */
const SENDING = new Set(['api', 'sandbox', 'service']);
