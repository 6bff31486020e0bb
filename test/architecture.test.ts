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
  formats: ['input'],
  // A mapping states how its input is read. One translator puts what ajv finds into sentences, of
  // mappings and plans of faults as well.
  mapping: ['formats', 'validation'],
  validation: [],
  coverage: ['mapping'],
  transform: ['formats', 'coverage', 'mapping', 'validation'],
  duplicates: [],
  service: [],
  api: ['service'],
  guess: ['formats', 'input', 'transform', 'mapping', 'validation'],
  delivery: ['api'],
  outputs: [],
  outcomes: [],
  runs: ['outputs'],
  report: ['coverage', 'outcomes', 'outputs'],
  sandbox: ['service', 'validation'],
  // They hand the stages what they need.
  operations: [
    'api',
    'coverage',
    'delivery',
    'duplicates',
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
  cli: ['.', 'api', 'operations', 'outputs', 'report', 'sandbox', 'service'],
};

const MAX_FILES = 15;

const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .toSorted();
const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

describe('the house', () => {
  it('has a line in the table for every module', () => {
    const modules = new Set(files.map(moduleOf));
    expect([...modules].toSorted()).toEqual(Object.keys(ARROWS).toSorted());
  });

  it('is told in ARCHITECTURE.md with every module, and with names that exist', () => {
    const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    for (const module of Object.keys(ARROWS))
      if (module !== '.') expect(page).toContain(`src/${module}/`);
    const named = page.matchAll(/[`(]((?:src|test|docs|schemas|bench)\/[\w./-]+)[`)]/g);
    for (const [, name = ''] of named) expect(existsSync(path.join(ROOT, name)), name).toBe(true);
  });

  it('has arrows between modules only where the table has them', () => {
    const wrong = imports.filter(({ file, target }) => !allowed(moduleOf(file), moduleOf(target)));
    expect(arrows(wrong, moduleOf)).toEqual([]);
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
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, specifier = '']) =>
    path.join(path.dirname(file), specifier),
  );
}

function allowed(from: string, to: string): boolean {
  return from === to || to === 'model' || (ARROWS[from] ?? []).includes(to);
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
