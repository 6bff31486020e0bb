import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startServer, type TestServer } from '../helpers/http-server.js';
import { ROOT, snippets } from '../helpers/markdown.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { longTest, sample } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { makeWorkspace, type Workspace } from './workspace.js';

const run = promisify(execFile);
/** Programs in TypeScript that print nothing only show a call. */
const programs = snippets().filter(
  ({ language, code }) => language === 'js' || (language === 'ts' && code.includes('console.log')),
);

/** What the pages leave to the reader: credentials, a database, and where an export lies. */
const PRELUDE = `
globalThis.database = { all: async () => [
  { id: 7, body: 'The staff was friendly and helpful', stars: 4, locale: 'en', written_at: '2024-06-03T16:30:00Z' },
] };
Object.assign(globalThis, JSON.parse(process.env.DOCS_SETTINGS));
`;

const COMPLAINT = {
  source: 'TPD',
  sourceId: 'complaint',
  text: 'The lift was broken.',
  sentiment: 'R',
  published: '2024-06-04T18:00:00Z',
  downloaded: '2024-06-05T00:00:00Z',
  author: { sourceId: 'guest' },
} as const;

let sandbox: Sandbox;
let workspace: Workspace;
let exports: TestServer;

beforeEach(async () => {
  sandbox = await startWithMonitoring();
  // For the programs that read documents back.
  await sandbox.capture(1, [COMPLAINT]);
  workspace = makeWorkspace();
  exports = await startServer((_, response) => {
    response.end(
      'Review ID,Title,Liked,Disliked,Date,Rating,Guest\n7,Ok,Clean and quiet room,,03/06/2024 18:30,"9,0",Ana\n',
    );
  });
});
afterEach(() => workspace.remove());

/** What the pages leave to the reader, for the compiler. */
const GLOBALS = `
declare const baseUrl: string;
declare const username: string;
declare const apiKey: string;
declare const exportUrl: string;
declare const state: string;
declare const database: { all(query: string): Promise<object[]> };
`;

const TRANSPILED = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  noImplicitAny: false,
  checkJs: true,
  allowJs: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [path.join(ROOT, 'node_modules/@types')],
};

describe('programs in README and docs', () => {
  longTest('fit the types of the package', async () => {
    const write = (name: string, text: string): void =>
      writeFileSync(path.join(workspace.folder, name), text);
    const names = programs.map(
      ({ at, language }) => `${at.replaceAll(/[^\w]/g, '-')}${language === 'ts' ? '.mts' : '.mjs'}`,
    );
    for (const [index, { code }] of programs.entries()) write(names[index] ?? '', code);
    write('globals.d.ts', GLOBALS);
    const files = ['globals.d.ts', ...names];
    write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = run(process.execPath, [compiler, '-p', workspace.folder]);
    expect((await compiled.catch((error) => error)).stdout).toBe('');
  });

  it.for(sample(programs))('$at runs and imports what it says', async ({ code }, { skip }) => {
    const isShared = /\bstate,/.test(code);
    if (isShared && !HAS.postgres) skip('there is no Postgres');
    const { baseUrl, username, apiKey } = sandbox;
    const state = isShared ? await newDatabase() : undefined;
    const settings = { baseUrl, username, apiKey, exportUrl: exports.baseUrl, state };
    const program = path.join(workspace.folder, 'program.mjs');
    writeFileSync(path.join(workspace.folder, 'prelude.mjs'), PRELUDE);
    const { outputText } = ts.transpileModule(code, { compilerOptions: TRANSPILED });
    writeFileSync(program, outputText);
    const env = { ...workspace.env, DOCS_SETTINGS: JSON.stringify(settings) };
    const args = ['--import', './prelude.mjs', program];
    const { stdout } = await run(process.execPath, args, { cwd: workspace.folder, env });
    if (code.includes('console.log')) expect(stdout).toMatch(/"?accepted"?:? ?[1-9]|^[1-9]/m);
  });
});
