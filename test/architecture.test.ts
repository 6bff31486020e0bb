import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './helpers/markdown.js';

/**
 * Which module (a folder of `src/`) may import which, types included. All may import `model/`,
 * which imports nothing.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  input: [],
  // Formats cut and parse the bytes that an input gives, decoded.
  formats: ['input'],
  // A mapping states how its input is read. One translator puts what ajv finds into sentences, of
  // mappings and fault plans as well.
  mapping: ['formats', 'validation'],
  validation: [],
  // Drift is measured against what a mapping says that it expects.
  coverage: ['mapping'],
  dedup: [],
  // One loop takes a record through all four, on a thread: a port between them would cost a call
  // and an object for each record. Coverage is counted there, since documents are objects only there.
  transform: ['formats', 'coverage', 'mapping', 'validation'],
  service: [],
  // What the reference says: codes, rankings and the shapes of answers; bodies are held against the
  // schema that the sandbox holds them against.
  api: ['service', 'validation'],
  // A guess samples a file as an import reads it, writes a mapping, and tries it on the sample.
  guess: ['formats', 'input', 'transform', 'mapping', 'validation'],
  // Delivery judges the API's answers and asks what became of documents, with the one client.
  delivery: ['api'],
  outputs: [],
  outcomes: [],
  runs: [],
  // The report shows coverage and outcomes in their types; rejects are one of a run's outputs. One
  // that is read from a file is held against its schema.
  report: ['coverage', 'outcomes', 'outputs', 'validation'],
  // It shares the reference with the client, and the translator of ajv's findings with mappings.
  sandbox: ['service', 'validation'],
  // They hand the stages what they need.
  operations: [
    'api',
    'coverage',
    'dedup',
    'delivery',
    'formats',
    'guess',
    'input',
    'mapping',
    'outcomes',
    'outputs',
    'report',
    'runs',
    'transform',
    'validation',
  ],
  // The public door: it only re-exports.
  '.': [
    'api',
    'coverage',
    'input',
    'mapping',
    'operations',
    'outcomes',
    'outputs',
    'report',
    'transform',
  ],
  // A client of the doors, as the command line is; it writes the mapping as runs write their files,
  // shows texts from outside as the report does, and takes rules apart with the mapping's parser.
  studio: ['.', 'api', 'mapping', 'operations', 'outcomes', 'outputs', 'report', 'sandbox'],
  // A client of the operations, fed by a tap; it reads lines of JSON as the formats do.
  singer: ['formats', 'operations', 'outcomes', 'report', 'validation'],
  // What the public door exports is a promise, so it may not grow for the command line: operations
  // are its inner door. It prints with the report's figures and texts, and writes its own files as
  // runs do. `api` and `sandbox` are doors of the package too; flags know the reference's codes.
  cli: ['.', 'api', 'operations', 'outputs', 'report', 'sandbox', 'service', 'singer', 'studio'],
};

const MAX_FILES = 20;

const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .toSorted();
const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

describe('the structure', () => {
  it('has a line in the table for every module', () => {
    const modules = new Set(files.map(moduleOf));
    expect([...modules].toSorted()).toEqual(Object.keys(ARROWS).toSorted());
  });

  it('is told in ARCHITECTURE.md with every module, and with names that exist', () => {
    const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    for (const module of Object.keys(ARROWS))
      if (module !== '.') expect(page).toContain(`\`${module}/\``);
    const named = page.matchAll(/[`(]([\w-]+\/[\w/-]+(?:\.[\w.]+|\/))[`)]/g);
    const exists = (name: string) =>
      ['.', 'src'].some((folder) => existsSync(path.join(ROOT, folder, name)));
    expect([...named].filter(([, name = '']) => !exists(name)).map(([, name]) => name)).toEqual([]);
  });

  it('has arrows between modules only where the table has them', () => {
    const wrong = imports.filter(({ file, target }) => !allowed(moduleOf(file), moduleOf(target)));
    expect(arrows(wrong, moduleOf)).toEqual([]);
  });

  it('has no circle in the table', () => {
    expect(onCircles(Object.keys(ARROWS), (module) => ARROWS[module] ?? [])).toEqual([]);
  });

  it('has no two folders that import each other, but for a parent and its child', () => {
    const all = new Set(
      imports.map(({ file, target }) => `${folderOf(file)} → ${folderOf(target)}`),
    );
    const mutual = imports.filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      return (
        from !== to && !isParent(from, to) && !isParent(to, from) && all.has(`${to} → ${from}`)
      );
    });
    expect(arrows(mutual, folderOf)).toEqual([]);
  });

  it('has no circle of files, types included', () => {
    const targets = new Map(files.map((file) => [file, new Set<string>()]));
    for (const { file, target } of imports) {
      const found = ['.ts', '.tsx'].map((ending) => target.replace(/\.js$/, ending));
      for (const one of found) if (targets.has(one)) targets.get(file)?.add(one);
    }
    expect(onCircles(files, (file) => [...(targets.get(file) ?? [])])).toEqual([]);
  });

  it('asks no sentence of its own what happened: messages are reworded, facts are fields', () => {
    const exempt = [...FOREIGN_MESSAGES, ...SHAPES];
    const asking = files.filter(
      (file) =>
        !exempt.includes(file) && asksMessage(readFileSync(path.join(ROOT, 'src', file), 'utf8')),
    );
    expect(asking).toEqual([]);
    expect(exempt.filter((file) => !files.includes(file))).toEqual([]);
  });

  it.each([
    "if (error.message.startsWith('no answer')) return;",
    'const [first] = reason.split("; ");',
    'return /refused with 401/.test(report.stop?.message ?? "");',
    'remedies.filter((remedy) => remedy?.includes("`"))',
  ])('recognises a test on a message: %s', (line) => {
    expect(asksMessage(line)).toBe(true);
  });

  it('has no two exported types that share a name', () => {
    const all = files.flatMap((file) => exportedTypesOf(file).map((name) => ({ file, name })));
    const shared = all.filter(({ file, name }) =>
      all.some((other) => other.name === name && other.file !== file),
    );
    expect(shared.map(({ file, name }) => `${name} in ${file}`).toSorted()).toEqual([]);
  });

  it('names formats nowhere but in their folders, and asks no layout for its format', () => {
    const naming = files.filter((file) => {
      const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
      return moduleOf(file) !== 'formats' && /'(?:xlsx|parquet)'|layout\.format [!=]==/.test(text);
    });
    expect(naming).toEqual([]);
  });

  it(`has at most ${MAX_FILES} files in a folder`, () => {
    const folders = [...new Set(files.map((file) => path.dirname(file)))];
    const filesIn = (folder: string) => files.filter((file) => path.dirname(file) === folder);
    const crowded = folders.filter((folder) => filesIn(folder).length > MAX_FILES);
    const told = crowded.map((folder) => `${folder} is crowded`);
    expect(told).toEqual([]);
  });
});

function importsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
  return (
    [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, specifier = '']) => path.join(path.dirname(file), specifier))
      // What the build writes is no module.
      .filter((target) => !target.startsWith('..'))
  );
}

function allowed(from: string, to: string): boolean {
  return from === to || to === 'model' || (ARROWS[from] ?? []).includes(to);
}

/**
 * Files that ask messages of others, which have no other fields: Postgres and its driver, ajv, yaml,
 * V8, zip and zlib, OpenSSL.
 */
const FOREIGN_MESSAGES: readonly string[] = [
  'cli/main.ts',
  'formats/json/parse-json.ts',
  'input/archive.ts',
  'input/remote.ts',
  'mapping/load/find-mistakes.ts',
  'mapping/load/load-mapping.ts',
  'model/read-yaml.ts',
  'runs/postgres/database/failures.ts',
  'transform/transform-record.ts',
  'validation/schemas.ts',
];

/** Files that look at the shape of a sentence, whatever it says: its full stop, its clauses. */
const SHAPES: readonly string[] = ['model/text.ts', 'operations/diagnosis/common-explanation.ts'];

const MESSAGE =
  '(?:[mM]essages?|[rR]easons?|[rR]emed(?:y|ies)|[nN]otices?|[sS]entences?|[fF]aults?)';
const CALLED = new RegExp(
  `\\b${MESSAGE}\\)?\\??\\.(?:startsWith|endsWith|split|match|matchAll|search|includes)\\((?!'\\\\n'|code\\))`,
);
const TESTED = new RegExp(`/[a-z]*\\.(?:test|exec)\\([^)\\n]*\\b${MESSAGE}\\b`);

/** Tests a file for tests on the wording of messages. Ends of lines and full stops don't count. */
function asksMessage(text: string): boolean {
  return CALLED.test(text) || TESTED.test(text);
}

/** What is on a circle, or leads from one to another: all that can be taken away from neither end. */
function onCircles(
  nodes: readonly string[],
  targetsOf: (node: string) => readonly string[],
): readonly string[] {
  const targets = new Set(nodes.flatMap((node) => targetsOf(node)));
  const rest = nodes.filter(
    (node) => targets.has(node) && targetsOf(node).some((target) => nodes.includes(target)),
  );
  return rest.length === nodes.length ? rest : onCircles(rest, targetsOf);
}

/** The types that a file declares and exports; what it exports from others is theirs. */
function exportedTypesOf(file: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
  const declared =
    /^export (?:declare |abstract )*(?:type|interface|class|(?:const )?enum) (\w+)/gm;
  return [...text.matchAll(declared)].map(([, name = '']) => name);
}

/** The arrows that should not be there, each once. */
function arrows(
  found: readonly { readonly file: string; readonly target: string }[],
  place: (file: string) => string,
): readonly string[] {
  const told = found.map(({ file, target }) => `${place(file)} → ${place(target)}`);
  return [...new Set(told)].toSorted();
}

function isParent(folder: string, other: string): boolean {
  return other.startsWith(`${folder}${path.sep}`);
}

function moduleOf(file: string): string {
  return file.includes(path.sep) ? (file.split(path.sep)[0] ?? '.') : '.';
}

/** Two levels show the architecture. */
function folderOf(file: string): string {
  return path.dirname(file).split(path.sep).slice(0, 2).join(path.sep);
}
