import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder, put } from '../../helpers/files.js';
import { ROOT } from '../../helpers/markdown.js';
import { HAS } from '../../helpers/needs.js';
import type { Started } from '../../helpers/run-cli.js';
import { longTest } from '../../helpers/runs.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import {
  expectEachOnce,
  exportOf,
  MANY,
  namesIn,
  newRecipeFolder,
  type RecipeFolder,
  recipe,
  SLOW_AT_FIRST,
  start,
  stopInTheMiddle,
} from './recipe-folder.js';

const DAY = '2026-11-23';

/** Each export of a day, and a service that can be stopped in the middle of it. */
async function withExport(text: string, faults?: typeof SLOW_AT_FIRST): Promise<RecipeFolder> {
  const at = await newRecipeFolder(faults);
  put(at.folder, `exports/${DAY}.csv`, text);
  return at;
}

function standIn(name: string): string {
  return path.join(import.meta.dirname, 'stand-ins', name);
}

const PYTHON_RECIPES = ['airflow_bash.py', 'airflow_kubernetes.py', 'dagster_asset.py'];

describe('the recipes in Python', { timeout: 180_000 }, () => {
  it.skipIf(!HAS.python).each(PYTHON_RECIPES)('%s compiles', (name) => {
    const file = put(newFolder(), name, recipe(name));
    const { status, stderr } = spawnSync('python3', ['-m', 'py_compile', file], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });
});

/** What a DAG declares; the operator's arguments are those that the recipe gives. */
interface Dag {
  readonly dag: Readonly<Record<string, unknown>>;
  readonly operator: {
    readonly bash_command?: string;
    readonly arguments?: readonly string[];
    readonly cmds?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly env_vars?: Readonly<Record<string, string>>;
    readonly retries: number;
    readonly [name: string]: unknown;
  };
  readonly outcomes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly order: readonly (readonly string[])[];
}

function declaredIn(name: string): Dag {
  const file = path.join(ROOT, 'docs/recipes', name);
  const { stdout, stderr } = spawnSync('python3', [standIn('declared_by_airflow.py'), file], {
    encoding: 'utf8',
    // Nothing is left behind in the folder of the recipes.
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Starts an operator's command, as Jinja would render it. */
function startTask(at: RecipeFolder, { operator }: Dag): Started {
  const {
    bash_command: bashCommand,
    cmds = ['bash', '-c'],
    arguments: [command = bashCommand] = [],
  } = operator;
  const rendered = at.here(command as string).replace('{{ ds }}', DAY);
  const result = path.join(at.folder, 'return.json');
  const given = Object.entries(operator.env ?? operator.env_vars ?? {});
  const env = Object.fromEntries(given.map(([name, value]) => [name, at.here(value)]));
  return start([...cmds, rendered.replace('/airflow/xcom/return.json', result)], {
    cwd: at.folder,
    env: { PATH: `${at.bin}:/usr/bin:/bin`, ...env },
  });
}

/** What a task hands on: the last line that BashOperator's command prints, or the file of the pod's. */
async function resultOf(task: Started): Promise<{ code: number | null; last: string | undefined }> {
  const { code, stdout } = await task.ended;
  return { code, last: stdout.trim().split('\n').at(-1) };
}

describe.skipIf(!HAS.python)('airflow_bash.py', { timeout: 180_000 }, () => {
  it('retries the import, and fails for good or skips behind it', () => {
    const { operator, outcomes, order } = declaredIn('airflow_bash.py');
    expect(operator.retries).toBe(4);
    expect(operator['cwd']).toBe('/srv/docferry');
    expect(order).toEqual([['check_exit_code', 'tell_about_rejects']]);
    expect(outcomes['check_exit_code']).toEqual({
      0: 'succeeds',
      1: 'succeeds',
      2: 'fails',
      3: 'fails',
      5: 'fails',
      70: 'fails',
    });
    expect(outcomes['tell_about_rejects']).toMatchObject({ 0: 'is skipped', 1: 'succeeds' });
  });

  longTest('hands on the exit code of what needs no retry', async () => {
    const at = await withExport(exportOf(3, { withInvalid: true }));
    const dag = declaredIn('airflow_bash.py');
    expect(await resultOf(startTask(at, dag))).toEqual({ code: 0, last: '1' });
    expect(await shownDocuments(at.sandbox)).toHaveLength(3);
    expect(namesIn(at, 'results')).toHaveLength(3);
  });
});

describe.skipIf(!HAS.python)('airflow_kubernetes.py', { timeout: 180_000 }, () => {
  it('retries the import, and fails for good behind it', () => {
    const { operator, outcomes } = declaredIn('airflow_kubernetes.py');
    expect(operator).toMatchObject({ retries: 4, do_xcom_push: true, cmds: ['sh', '-c'] });
    expect(outcomes['check_exit_code']).toMatchObject({ 0: 'succeeds', 1: 'fails', 70: 'fails' });
  });

  longTest('passes a signal on in the pod, and resumes in a retry', async () => {
    const at = await withExport(exportOf(MANY), SLOW_AT_FIRST);
    const dag = declaredIn('airflow_kubernetes.py');
    const stopped = await stopInTheMiddle(() => startTask(at, dag), at.sandbox);
    expect(stopped.code, stopped.stderr).toBe(130);
    expect((await startTask(at, dag).ended).code).toBe(0);
    expect(namesIn(at, '.')).toContain('return.json');
    await expectEachOnce(at.sandbox);
  });
});

/** Starts the asset of the recipe for the day. */
function startAsset(at: RecipeFolder): Started {
  const file = put(at.folder, 'dagster_asset.py', at.here(recipe('dagster_asset.py')));
  return start(['python3', standIn('materialized_by_dagster.py'), file, DAY], {
    cwd: '/',
    env: { ...process.env, PATH: `${at.bin}:${process.env['PATH']}` },
  });
}

async function toldByAsset(asset: Started): Promise<unknown> {
  const { stdout, stderr } = await asset.ended;
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe.skipIf(!HAS.python)('dagster_asset.py', { timeout: 180_000 }, () => {
  longTest('gives the counts of the report, and warns of invalid records', async () => {
    const at = await withExport(exportOf(3, { withInvalid: true }));
    expect(await toldByAsset(startAsset(at))).toMatchObject({
      metadata: { read: 4, accepted: 3, invalid: 1 },
      warnings: [expect.stringContaining('invalid or rejected')],
    });
    expect(namesIn(at, 'results')).toHaveLength(3);
  });

  longTest('fails for good if a person has to act', async () => {
    const at = await withExport('no,such,columns\n1,2,3\n');
    expect(await toldByAsset(startAsset(at))).toEqual({
      Failure: { description: 'docferry ended with exit code 2', allow_retries: false },
    });
  });

  longTest('lets docferry end in good order when its run is ended, and resumes', async () => {
    const at = await withExport(exportOf(MANY), SLOW_AT_FIRST);
    const stopped = await stopInTheMiddle(() => startAsset(at), at.sandbox);
    expect(JSON.parse(stopped.stdout)).toEqual({ interrupted: true });
    expect(stopped.stderr).toContain('Stopping');
    expect(await toldByAsset(startAsset(at))).toMatchObject({ metadata: { read: MANY } });
    await expectEachOnce(at.sandbox);
  });
});

interface KestraTask {
  readonly id: string;
  readonly type: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
  readonly cases: Readonly<Record<string, readonly KestraTask[]>>;
  readonly defaults: readonly KestraTask[];
  readonly retry: unknown;
}

const flow = parse(recipe('kestra.yaml'));
const [importing, judging] = flow.tasks as [KestraTask, KestraTask];

/** Starts the flow's import as Kestra's process runner does: by /bin/sh, which stops at an error. */
function startKestra(at: RecipeFolder): Started {
  const rendered = Object.entries(importing.env).map(([name, value]) => [
    name,
    value.startsWith('{{') ? DAY : at.here(value),
  ]);
  const commands = ['set -e', ...importing.commands].join('\n');
  return start(['/bin/sh', '-c', at.here(commands)], {
    cwd: newFolder(),
    env: { PATH: `${at.bin}:/usr/bin:/bin`, ...Object.fromEntries(rendered) },
  });
}

/** The outputs that a script tells Kestra in a line of its own. */
function outputsIn(stdout: string): unknown {
  const [, json = '{}'] = /^::(\{.*\})::$/m.exec(stdout) ?? [];
  return JSON.parse(json).outputs;
}

describe('kestra.yaml', { timeout: 180_000 }, () => {
  it('retries the import, and judges its exit code behind it', () => {
    expect(importing.retry).toMatchObject({ maxAttempts: 5 });
    expect(Object.keys(judging.cases)).toEqual(['0', '1']);
    const [fail] = judging.defaults;
    expect(fail?.type).toBe('io.kestra.plugin.core.execution.Fail');
  });

  longTest('hands on the exit code of what needs no retry', async () => {
    const at = await withExport(exportOf(3, { withInvalid: true }));
    const { code, stdout, stderr } = await startKestra(at).ended;
    expect(code, stderr).toBe(0);
    expect(outputsIn(stdout)).toEqual({ code: 1 });
    expect(await shownDocuments(at.sandbox)).toHaveLength(3);
    expect(namesIn(at, 'results')).toHaveLength(3);
  });
});
