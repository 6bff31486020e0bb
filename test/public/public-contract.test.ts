/**
 * What others rely on: exports with their shapes, commands with their flags, exit codes, the report's
 * schema and the tables of the state folder, held against `contract.json`. Whoever changes it on purpose runs
 * `UPDATE_CONTRACT=1 npx vitest run test/public` and says in the changelog what changed.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { importDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { describeDeclarations } from './describe-declarations.js';

const FILE = path.join(ROOT, 'test/public/contract.json');
const update = process.env['UPDATE_CONTRACT'] !== undefined;
const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, unknown>;

const DOORS = {
  docferry: 'index',
  'docferry/api': 'api/index',
  'docferry/sandbox': 'sandbox/index',
};

describe('the public contract', () => {
  it('exports what it did, in the same shapes', () => {
    const files = Object.values(DOORS).map((door) => path.join(ROOT, `dist/${door}.d.ts`));
    const described = describeDeclarations(files);
    holds('exports', Object.fromEntries(Object.keys(DOORS).map((door, i) => [door, described[i]])));
  });

  it('has the commands and flags that it had', async () => {
    holds('commands', Object.fromEntries(await commandsBelow([])));
  });

  it('has the schema of the report that it had, but for its descriptions', () => {
    const text = readFileSync(path.join(ROOT, 'schemas/report.schema.json'), 'utf8');
    holds('report', withoutWords(JSON.parse(text)));
  });

  it('keeps runs in the tables that it did, which later versions have to read', async () => {
    const stateDir = await usedState();
    const files = readdirSync(stateDir, { recursive: true, encoding: 'utf8' });
    const tables = files
      .filter((file) => file.endsWith('.db'))
      .map((file) => [path.basename(file), tablesOf(path.join(stateDir, file))] as const);
    holds('state', Object.fromEntries(tables.toSorted(([a], [b]) => a.localeCompare(b))));
  });
});

/** A state folder in which an import was kept. */
async function usedState(): Promise<string> {
  const stateDir = newFolder();
  const options = { monitoring: 1, connection: await startWithMonitoring(), stateDir };
  const input = put(stateDir, 'reviews.csv', 'id,text,date\n1,Good,2026-01-31\n');
  const document = { sourceId: '{id}', text: '{text}', language: 'en', published: '{date}' };
  await importDocuments({ ...options, input, mapping: { profile: 'minimal', document } });
  return stateDir;
}

/** The statements that made the tables, and the number of their format. */
function tablesOf(file: string): Record<string, unknown> {
  const database = new Database(file, { readonly: true });
  const made = database.prepare('SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name');
  const [format] = database.prepare('PRAGMA application_id').all() as object[];
  const tables = (made.all() as { sql: string }[]).map(({ sql }) => sql.replace(/\s+/g, ' '));
  database.close();
  return { ...format, tables };
}

function holds(part: string, found: unknown): void {
  if (update) {
    kept[part] = found;
    writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
  }
  expect(found).toEqual(kept[part]);
}

/** Each command's own flags, with type, choices and default, as its help has them. */
async function commandsBelow(
  ...commands: readonly (readonly string[])[]
): Promise<(readonly [string, unknown])[]> {
  const helps = await helpsOf(commands);
  const found = commands.map((names, index) => {
    const lines = helps[index]?.replace(/\n {12,}/g, ' ').split('\n') ?? [];
    return { name: ['docferry', ...names].join(' '), flags: flagsIn(lines), below: below(lines) };
  });
  const deeper = found.flatMap(({ below }) => below);
  return [
    ...found.map(({ name, flags }) => [name, flags] as const),
    ...(deeper.length === 0 ? [] : await commandsBelow(...deeper)),
  ];
}

function flagsIn(lines: readonly string[]): readonly string[] {
  const flags = lines.flatMap((line) => {
    const [, flag] = /^ +((?:-\w, )?--[\w-]+)/.exec(line) ?? [];
    return flag === undefined ? [] : [[flag, ...(line.match(/\[[^\]]+\]/g) ?? [])].join(' ')];
  });
  return flags.toSorted();
}

/** The commands that a help lists. */
function below(lines: readonly string[]): readonly (readonly string[])[] {
  if (!lines.includes('Commands:')) return [];
  const listed = lines.slice(lines.indexOf('Commands:') + 1).join('\n');
  const words = listed.split('\n\n')[0]?.matchAll(/main\.js ((?:[a-z-]+ ?)+)/g) ?? [];
  return [...words].map(([, words = '']) => words.trim().split(' '));
}

/** The helps of commands, all by one process: to start one takes far longer than a help. */
async function helpsOf(commands: readonly (readonly string[])[]): Promise<readonly string[]> {
  const reader = pathToFileURL(path.join(ROOT, 'dist/cli/command-line.js')).href;
  const script = `import { runCommandLine } from ${JSON.stringify(reader)};
    for (const names of ${JSON.stringify(commands)}) {
      await runCommandLine([...names, '--help']);
      process.stdout.write('\\f');
    }`;
  const main = path.join(ROOT, 'dist/cli/main.js');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, main],
    { env: { ...process.env, COLUMNS: '10000' } },
  );
  return stdout.split('\f');
}

function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => key !== '$comment' && !(key === 'description' && typeof value === 'string'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutWords(value)]));
}
