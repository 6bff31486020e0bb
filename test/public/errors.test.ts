/** The errors of public calls, by class, as their docstrings state them. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as api from '../../src/api/index.js';
import * as library from '../../src/index.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { newFolder } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

/** They format a report, which they take to be one. */
const FORMATTERS = ['reportHtml', 'reportMetrics', 'reportSummary'];

const calls = Object.entries({ ...library, ...api, startSandbox })
  .filter(([name, one]) => typeof one === 'function' && /^[a-z]/.test(name))
  .map(([name]) => name)
  .filter((name) => !FORMATTERS.includes(name));

const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(ROOT, 'src', file), 'utf8'));

/** The comment above a function's declaration. */
function docstringOf(name: string): string {
  const declaration = new RegExp(`^export (?:async )?function\\*? ${name}\\b`, 'm');
  const code = sources.find((text) => declaration.test(text)) ?? '';
  const before = code.slice(0, code.search(declaration));
  return before.slice(before.lastIndexOf('/**'));
}

describe('the docstring', () => {
  it.each(calls)('of %s states its errors by class', (name) => {
    expect(docstringOf(name)).toMatch(/@throws[\s\S]*?\b[A-Z]\w+Error\b|Never throws/);
  });
});

const mapping = { profile: 'minimal', document: { sourceId: '{id}', text: '{body}' } } as const;
const input = [{ id: '1', body: 'Fine' }];
const NO_DATABASE = 'postgres://127.0.0.1:1/none';

async function* failing(): AsyncGenerator<object> {
  yield* input;
  throw new Error('the cursor is closed');
}

async function previewAll(options: library.PreviewOptions): Promise<void> {
  for await (const _ of library.previewDocuments(options));
}

describe('a call rejects with', () => {
  const { importDocuments, validateDocuments, guessMapping, learnExpectations } = library;
  it.each<[string, string, () => PromiseLike<unknown>]>([
    ['OptionError', 'a wrong option', () => validateDocuments({ input, mapping, threads: -1 })],
    ['MappingError', 'no mapping file', () => validateDocuments({ input, mapping: 'none.yaml' })],
    ['SourceError', 'no input', () => validateDocuments({ input: 'none.csv', mapping })],
    [
      'InterruptedError',
      'an aborted signal',
      () => validateDocuments({ input, mapping, signal: AbortSignal.abort() }),
    ],
    [
      'RunFailedError',
      'a failing iterable',
      () => validateDocuments({ input: failing(), mapping }),
    ],
    ['OptionError', 'no such record', () => previewAll({ input, mapping, record: 9 })],
    ['SourceBrokenError', 'a failing iterable', () => previewAll({ input: failing(), mapping })],
    ['SourceError', 'nothing to guess from', () => guessMapping({ input: [] })],
    ['SourceError', 'nothing to learn from', () => learnExpectations({ input: [], mapping })],
    ['OptionError', 'no state', () => library.pruneRuns({ olderThanDays: 1 })],
    [
      'JournalError',
      'no database',
      () => library.pruneRuns({ olderThanDays: 1, state: NO_DATABASE }),
    ],
    ['OptionError', 'no address', () => library.mergeReports({ state: 'state', run: 'run' })],
    ['OptionError', 'a wrong port', () => startSandbox({ port: -1 })],
  ])('%s: %s', async (name, _, call) => {
    await expect(call()).rejects.toMatchObject({ name });
  });

  it('ResumeError, JournalError or RunFailedError if it imports', async () => {
    const connection = await startWithMonitoring();
    const options = { input, mapping, monitoring: 1, connection };
    const stateDir = newFolder();
    type Place = { readonly stateDir: string | false } | { readonly state: string };
    const nameOf = async (more: Place & object): Promise<readonly (string | undefined)[]> => {
      const thrown = await importDocuments({ ...options, ...more }).catch((error) => error);
      const error = thrown as Error & { readonly cause?: Error };
      return [error.name, error.cause?.name];
    };
    expect(await nameOf({ stateDir, ...{ resume: 'none' } })).toEqual(['ResumeError', undefined]);
    const damaged = newFolder();
    mkdirSync(path.join(damaged, 'ledger.db'));
    expect((await nameOf({ stateDir: damaged }))[0]).toBe('JournalError');
    expect((await nameOf({ state: NO_DATABASE }))[0]).toBe('JournalError');
    expect(await nameOf({ stateDir: false, ...{ monitoring: 9 } })).toEqual([
      'RunFailedError',
      'NotFoundError',
    ]);
    const refused = { ...connection, apiKey: 'wrong' };
    expect(await nameOf({ stateDir: false, ...{ connection: refused } })).toEqual([
      'RunFailedError',
      'AuthenticationError',
    ]);
    for (const call of [library.resolveRun, library.verifyRun]) {
      await expect(call({ stateDir, run: 'none', connection })).rejects.toMatchObject({
        name: 'ResumeError',
      });
      await expect(call({ run: 'none', connection })).rejects.toMatchObject({
        name: 'OptionError',
      });
    }
  });
});
