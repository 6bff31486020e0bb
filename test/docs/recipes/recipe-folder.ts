import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { ROOT } from '../../helpers/markdown.js';
import { type Ended, follow, PROGRAM, type Started } from '../../helpers/run-cli.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import { startWithMonitoring, type TestSandbox } from '../../helpers/start-sandbox.js';

const MAPPING = `name: Notes
profile: minimal
document: { sourceId: '{id}', text: '{text}', language: en, published: { from: at, date: iso } }
`;

/** How many records are enough for several requests. */
export const MANY = 2_500;

/** An export with `rows` good records, and one with a date that can't be read if it says so. */
export function exportOf(rows: number, { withInvalid = false } = {}): string {
  const good = Array.from({ length: rows }, (_, at) => `${at},2024-06-03T16:30:00Z,Fine ${at}\n`);
  return `id,at,text\n${good.join('')}${withInvalid ? 'bad,yesterday,Fine\n' : ''}`;
}

/** A file of `docs/recipes`, as it is. */
export function recipe(name: string): string {
  return readFileSync(path.join(ROOT, 'docs/recipes', name), 'utf8');
}

/** Where a recipe is tried: the folders and the service that it names, with others in their place. */
export interface RecipeFolder {
  readonly sandbox: TestSandbox;
  /** Stands for `/srv/docferry` or `/data`: docferry.yaml, mapping.yaml, incoming/, exports/, results/. */
  readonly folder: string;
  /** Stands for `/usr/local/bin`: docferry, import-exports and node. */
  readonly bin: string;
  /** Holds the API key. */
  readonly keyFile: string;
  /** A text of a recipe for here. */
  here(text: string): string;
}

/** Makes one for the running test. The service, if a plan says so, takes its time. */
export async function newRecipeFolder(
  faults?: NonNullable<Parameters<typeof startWithMonitoring>[0]>['faults'],
): Promise<RecipeFolder> {
  const username = 'ana@example.com';
  const sandbox = await startWithMonitoring({ username, ...(faults && { faults }) });
  const root = newFolder();
  const [folder, bin] = ['srv', 'bin'].map((name) => path.join(root, name)) as [string, string];
  for (const name of ['incoming', 'exports', 'results']) {
    mkdirSync(path.join(folder, name), { recursive: true });
  }
  put(folder, 'mapping.yaml', MAPPING);
  put(folder, 'docferry.yaml', recipe('docferry.yaml'));
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, 'node'));
  symlinkSync(PROGRAM, path.join(bin, 'docferry'));
  const script = path.join(bin, 'import-exports');
  writeFileSync(script, recipe('import-exports.sh'));
  chmodSync(script, 0o755);
  const keyFile = put(root, 'api-key', `${sandbox.apiKey}\n`);
  return { sandbox, folder, bin, keyFile, here: (text) => inPlace(text) };

  function inPlace(text: string): string {
    return text
      .replaceAll('https://api.example.com/5.0', sandbox.baseUrl)
      .replaceAll(/\/(?:etc|run)\/(?:docferry|secrets)\/api-key/g, keyFile)
      .replaceAll('/usr/local/bin', bin)
      .replaceAll(/\/srv\/docferry|(?<=\s|["'])\/data\b/g, folder);
  }
}

/** A slow service: whoever stops an import after its first request stops it in the middle. */
export const SLOW_AT_FIRST = {
  rules: [{ on: 'import' as const, requests: [2, 3], latency: { fixed: 1_500 } }],
};

/** How a recipe's command is started: in a process group of its own, with nothing but `env`. */
export function start(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Started {
  const [program = '', ...args] = command;
  return follow(spawn(program, args, { cwd, env, detached: true }));
}

/** Starts something that imports many documents, stops it in the middle, and gives how it ended. */
export async function stopInTheMiddle(
  begin: () => Started,
  sandbox: Sandbox,
  stop: (pid: number) => void = (pid) => process.kill(pid, 'SIGTERM'),
): Promise<Ended> {
  const { child, ended } = begin();
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && (await shownDocuments(sandbox)).length === 0) await wait(20);
  stop(child.pid as number);
  return await ended;
}

/** Puts an export of many records into a folder. */
export function putMany(folder: string, name: string): void {
  put(folder, name, exportOf(MANY));
}

/** The ids of all documents that the service has, and how many there should be: each once. */
export async function expectEachOnce(sandbox: Sandbox): Promise<void> {
  const ids = (await shownDocuments(sandbox)).map(({ sourceId }) => sourceId);
  if (ids.length !== MANY || new Set(ids).size !== MANY) {
    throw new Error(`${ids.length} documents with ${new Set(ids).size} ids, not ${MANY}`);
  }
}

/** The names in one of its folders, sorted. */
export function namesIn({ folder }: RecipeFolder, name: string): readonly string[] {
  return readdirSync(path.join(folder, name)).toSorted();
}
