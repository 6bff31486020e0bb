/**
 * What others rely on: exports with their shapes, commands with their flags, exit codes and the
 * report's schema, held against `contract.json`. Whoever changes it on purpose runs
 * `UPDATE_CONTRACT=1 npx vitest run test/public` and says in the changelog what changed.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';
import { longTest } from '../helpers/runs.js';
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

  longTest('has the commands and flags that it had', async () => {
    holds('commands', Object.fromEntries(await commandsBelow([])));
  });

  it('has the schema of the report that it had, but for its descriptions', () => {
    const text = readFileSync(path.join(ROOT, 'schemas/report.schema.json'), 'utf8');
    holds('report', withoutWords(JSON.parse(text)));
  });
});

function holds(part: string, found: unknown): void {
  if (update) {
    kept[part] = found;
    writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
  }
  expect(found).toEqual(kept[part]);
}

/** Each command's own flags, with type, choices and default, as its help has them. */
async function commandsBelow(names: readonly string[]): Promise<(readonly [string, unknown])[]> {
  const lines = (await helpOf(names)).replace(/\n {12,}/g, ' ').split('\n');
  const flags = lines.flatMap((line) => {
    const [, flag] = /^ +((?:-\w, )?--[\w-]+)/.exec(line) ?? [];
    return flag === undefined ? [] : [[flag, ...(line.match(/\[[^\]]+\]/g) ?? [])].join(' ')];
  });
  const listed =
    lines
      .slice(lines.indexOf('Commands:') + 1)
      .join('\n')
      .split('\n\n')[0] ?? '';
  const below = lines.includes('Commands:')
    ? [...listed.matchAll(/main\.js ((?:[a-z-]+ ?)+)/g)].map(([, words = '']) => words.trim())
    : [];
  const deeper = await Promise.all(below.map((words) => commandsBelow(words.split(' '))));
  return [[['docferry', ...names].join(' '), flags.toSorted()], ...deeper.flat()];
}

async function helpOf(names: readonly string[]): Promise<string> {
  const main = path.join(ROOT, 'dist/cli/main.js');
  const env = { ...process.env, COLUMNS: '10000' };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...names, '--help'], {
    env,
  });
  return stdout;
}

function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => key !== '$comment' && !(key === 'description' && typeof value === 'string'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutWords(value)]));
}
