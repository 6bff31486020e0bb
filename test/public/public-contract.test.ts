/**
 * What others rely on: exports with their shapes, commands and flags, and the tables of the state
 * folder, held against `contract.txt`, a line each. Whoever changes it on purpose runs
 * `UPDATE_CONTRACT=1 npx vitest run test/public` and says in the changelog what changed. The report's
 * contract is its schema, `schemas/report.schema.json`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/command-line.js';
import { importDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { docferryEach } from '../helpers/run-cli.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { describeDeclarations } from './describe-declarations.js';

const FILE = path.join(ROOT, 'test/public/contract.txt');
const DOORS = {
  docferry: 'index',
  'docferry/api': 'api/index',
  'docferry/sandbox': 'sandbox/index',
};

describe('the public contract', () => {
  it('exports what it did, in the same shapes', () => {
    const files = Object.values(DOORS).map((door) => path.join(ROOT, `dist/${door}.d.ts`));
    const described = describeDeclarations(files);
    for (const [index, door] of Object.keys(DOORS).entries()) {
      holds(`exports of ${door}`, described[index] ?? []);
    }
  });

  it('has the commands and flags that it had', async () => {
    const commands = await commandsBelow([]);
    const users = new Map<string, string[]>();
    for (const [command, flags] of commands) {
      for (const flag of flags) users.set(flag, [...(users.get(flag) ?? []), command]);
    }
    const flags = [...users].map(([flag, by]) =>
      by.length === commands.length ? `${flag}: all` : `${flag}: ${by.join(', ')}`,
    );
    holds('commands', commands.map(([command]) => command).toSorted());
    holds('flags', flags.toSorted());
  });

  it('keeps runs in the tables that it did, which later versions have to read', async () => {
    const stateDir = await usedState();
    const files = readdirSync(stateDir, { recursive: true, encoding: 'utf8' });
    const databases = files.filter((file) => file.endsWith('.db')).toSorted();
    const tables = databases.flatMap((file) =>
      tablesOf(path.join(stateDir, file)).map((line) => `${path.basename(file)}: ${line}`),
    );
    holds('state', tables);
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

/** The number of their format, and the statements that made the tables. */
function tablesOf(file: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  const made = database.prepare('SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name');
  const [format] = database.prepare('PRAGMA application_id').all() as object[];
  const tables = (made.all() as { sql: string }[]).map(({ sql }) => sql.replace(/\s+/g, ' '));
  database.close();
  return [JSON.stringify(format), ...tables];
}

/** Compares the lines of a part of the contract. */
function holds(part: string, found: readonly string[]): void {
  const title = `# ${part}\n`;
  const parts = (): readonly string[] => readFileSync(FILE, 'utf8').split(/^(?=# )/m);
  if (process.env['UPDATE_CONTRACT'] !== undefined) {
    const others = parts().filter((one) => !one.startsWith(title));
    const written = `${title}${found.join('\n')}\n`;
    writeFileSync(FILE, [...others, written].toSorted().join(''));
  }
  const lines = parts()
    .find((one) => one.startsWith(title))
    ?.split('\n')
    .slice(1, -1);
  expect(found.join('\n').split('\n')).toEqual(lines);
}

/** Each command's own flags: choices and defaults as its help has them, and what it leaves out. */
async function commandsBelow(
  ...commands: readonly (readonly string[])[]
): Promise<(readonly [command: string, flags: readonly string[]])[]> {
  const helps = await docferryEach(
    commands.map((names) => [...names, '--help']),
    { cwd: ROOT, env: { COLUMNS: '10000' } },
  );
  const found = commands.map((names, index) => {
    const lines = helps[index]?.stdout.replace(/\n {12,}/g, ' ').split('\n') ?? [];
    return {
      name: names.join(' ') || 'docferry',
      flags: flagsIn(lines, names),
      below: below(lines),
    };
  });
  const deeper = found.flatMap(({ below }) => below);
  return [
    ...found.map(({ name, flags }) => [name, flags] as const),
    ...(deeper.length === 0 ? [] : await commandsBelow(...deeper)),
  ];
}

function flagsIn(lines: readonly string[], names: readonly string[]): readonly string[] {
  const flags = lines.flatMap((line) => {
    const [, flag] = /^ +((?:-\w, )?--[\w-]+)/.exec(line) ?? [];
    if (flag === undefined) return [];
    const [type = [], facts = []] = [
      /\[(?:string|boolean)\]/g,
      /\[(?:choices|default)[^\]]+\]/g,
    ].map((pattern) => line.match(pattern) ?? []);
    return [[flag, ...type, ...requiredOf(flag, names), ...facts].join(' ')];
  });
  return flags.toSorted();
}

/** Whether a command's flag is required, which the help's groups show. */
function requiredOf(flag: string, names: readonly string[]): readonly string[] {
  const [name, inGroup] = names;
  const found = COMMANDS.find(({ usage }) => usage.split(' ', 1)[0] === name);
  const command: Command | undefined =
    found !== undefined && 'commands' in found
      ? found.commands.find(({ usage }) => usage.split(' ', 1)[0] === inGroup)
      : found;
  const entry = Object.values(command?.options ?? {}).find(
    (one) => one.flag === flag.replace(/^.*--/, ''),
  );
  return entry?.required ? ['[required]'] : [];
}

/** The commands that a help lists. */
function below(lines: readonly string[]): readonly (readonly string[])[] {
  if (!lines.includes('Commands:')) return [];
  const listed = lines.slice(lines.indexOf('Commands:') + 1).join('\n');
  const words = listed.split('\n\n')[0]?.matchAll(/^ {2}((?:[a-z-]+ ?)+)/gm) ?? [];
  return [...words].map(([, words = '']) => words.trim().split(' '));
}
