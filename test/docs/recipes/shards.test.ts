import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder, put } from '../../helpers/files.js';
import { ROOT } from '../../helpers/markdown.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { docferryOnce, environmentOf, type Started } from '../../helpers/run-cli.js';
import { longTest } from '../../helpers/runs.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { answer, startSlurm } from '../../helpers/slurm.js';
import { SHORT_LEASES } from '../../reliability/job.js';
import { exportOf, newRecipeFolder, type RecipeFolder, recipe, start } from './recipe-folder.js';
import { unknownToKubernetes } from './unknown-to-kubernetes.js';

const RUN = 'nightly-2026-11-29';
const IN_EACH_FILE = 5_000;
/** As the recipes for larger imports say. */
const SHARDS = 64;

/** Slow enough that a shard can be killed while its requests are under way. */
const SLOW = { rules: [{ on: 'import' as const, latency: { fixed: 3_000 } }] };

interface ShardsFolder extends RecipeFolder {
  /** What the recipes expect of the environment. */
  readonly env: NodeJS.ProcessEnv;
}

/** A folder with two exports, which 16 shards import as a whole. */
async function newShardsFolder(): Promise<ShardsFolder> {
  const at = await newRecipeFolder(SLOW);
  for (const name of ['a', 'b']) {
    const rows = exportOf(IN_EACH_FILE).replaceAll(/^(?=\d)/gm, name);
    put(at.folder, `exports/${name}.csv`, rows);
  }
  const { DOCFERRY_API_KEY: _, ...service } = environmentOf(at.sandbox);
  return {
    ...at,
    env: {
      ...service,
      PATH: `${at.bin}:/usr/local/bin:/usr/bin:/bin`,
      DOCFERRY_API_KEY_FILE: at.keyFile,
      DOCFERRY_STATE: await newSharedState(SHORT_LEASES),
    },
  };
}

interface Shard {
  readonly shard: number;
  readonly state: string;
  readonly process: string | null;
  readonly sinceMs: number;
  readonly starts: number;
}

/** What `runs show` says of the shards; none before the first process has read the inputs. */
async function shardsAt({ folder, env }: ShardsFolder): Promise<readonly Shard[]> {
  const { code, stdout } = await docferryOnce(['runs', 'show', RUN, '--json'], {
    cwd: folder,
    env,
  });
  return code === 0 ? JSON.parse(stdout).shards : [];
}

/** Kills a shard's process, unless it has ended meanwhile. */
function killed(shown: string): boolean {
  try {
    return process.kill(Number(shown.split(':')[1]), 'SIGKILL');
  } catch {
    return false;
  }
}

/** Kills the shard that began last, unless it had just finished. @returns its number */
async function killOneShard(at: ShardsFolder): Promise<number> {
  for (;;) {
    await wait(100);
    const running = (await shardsAt(at)).filter(({ state }) => state === 'running');
    const [last] = running.toSorted((a, b) => b.sinceMs - a.sinceMs);
    if (!last?.process || !killed(last.process)) continue;
    const now = (await shardsAt(at)).find(({ shard }) => shard === last.shard);
    if (now?.state !== 'done' || now.starts > last.starts) return last.shard;
  }
}

async function expectAllOnce(at: ShardsFolder, killed: number): Promise<void> {
  const ids = (await shownDocuments(at.sandbox)).map(({ sourceId }) => sourceId);
  expect(ids).toHaveLength(2 * IN_EACH_FILE);
  expect(new Set(ids).size).toBe(2 * IN_EACH_FILE);
  const again = (await shardsAt(at)).find(({ shard }) => shard === killed);
  expect(again).toMatchObject({ state: 'done', starts: 2 });
}

describe('shards-parallel.sh', { timeout: 300_000 }, () => {
  longTest.skipIf(!HAS.postgres || !HAS.parallel)(
    'imports everything once, and starts a killed shard again',
    async () => {
      const at = await newShardsFolder();
      const script = put(at.folder, 'shards-parallel.sh', recipe('shards-parallel.sh'));
      const importing = start(['sh', script, RUN], { cwd: at.folder, env: at.env });
      const killed = await killOneShard(at);
      const { code, stdout, stderr } = await importing.ended;
      expect(code, `${stdout}\n${stderr}`).toBe(0);
      await expectAllOnce(at, killed);
      const report = readFileSync(path.join(at.folder, `results/${RUN}.report.json`), 'utf8');
      expect(JSON.parse(report)).toMatchObject({
        counts: { read: 2 * IN_EACH_FILE, accepted: 2 * IN_EACH_FILE },
        inputs: [{ records: IN_EACH_FILE }, { records: IN_EACH_FILE }],
      });
    },
  );
});

describe('shards.sbatch', { timeout: 420_000 }, () => {
  longTest.skipIf(!HAS.postgres || !HAS.slurm)(
    'imports everything once, though a shard is killed, a task requeued and its node restarted',
    async () => {
      const slurm = await startSlurm();
      const at = await newShardsFolder();
      put(at.folder, 'shards.sbatch', recipe('shards.sbatch'));
      const [commands = ''] =
        /(?<=## Slurm\n\n```console\n).*?(?=```)/s.exec(recipe('shards.md')) ?? [];
      const script = commands.replaceAll(/^\$ /gm, '');
      const env = { ...at.env, ...slurm.env };
      const submitted = await start(['bash', '-e', '-c', script], { cwd: at.folder, env }).ended;
      expect(submitted.code, submitted.stderr).toBe(0);
      const killed = await killOneShard(at);
      await slurm.restartNode();
      const running = answer('squeue', ['-h', '-r', '-t', 'R', '-o', '%F_%K'], slurm.env);
      const [task] = running.split('\n').filter((name) => /_\d+$/.test(name));
      if (task !== undefined) answer('scontrol', ['requeue', task], slurm.env);
      const queue = (): string => answer('squeue', ['-h', '-r', '-o', '%i %t'], slurm.env);
      await expect.poll(queue, { timeout: 300_000, interval: 1_000 }).toBe('');
      const report = readFileSync(path.join(at.folder, 'results/report.log'), 'utf8');
      expect(report).toContain('✓ Finished: all 10,000 reviews imported');
      await expectAllOnce(at, killed);
      expect(readdirSync(path.join(at.folder, 'results'))).toHaveLength(17);
    },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: what is in them is for the schedulers to know.
type Manifest = any;

/** How a manifest starts a shard, and the variable that tells it which one; from 0. */
interface Starting {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function valuesIn(entries: readonly Manifest[]): Record<string, string> {
  const given = entries.filter(({ value }) => value !== undefined);
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

const STARTINGS: Readonly<Record<string, (manifest: Manifest, index: number) => Starting>> = {
  'shards-kubernetes.yaml': (job, index) => {
    const [container] = job.spec.template.spec.containers;
    const env = { ...valuesIn(container.env), JOB_COMPLETION_INDEX: String(index) };
    return { command: container.command, env };
  },
  'shards-aws-batch.yaml': ({ containerProperties, parameters }, index) => ({
    command: containerProperties.command.map((word: string) =>
      word.replace('Ref::run', parameters.run),
    ),
    env: {
      ...valuesIn(containerProperties.environment),
      AWS_BATCH_JOB_ARRAY_INDEX: String(index),
    },
  }),
  'shards-cloud-run.yaml': (job, index) => {
    const { taskCount, template } = job.spec.template.spec;
    const [{ command, args, env }] = template.spec.containers;
    const task = { CLOUD_RUN_TASK_INDEX: String(index), CLOUD_RUN_TASK_COUNT: String(taskCount) };
    return { command: [...command, ...args], env: { ...valuesIn(env), ...task } };
  },
  'shards-argo.yaml': ({ spec }, index) => {
    const [, { container }] = spec.templates;
    const { start: first, end } = spec.templates[0].steps[0][0].withSequence;
    expect([first, end]).toEqual(['1', String(SHARDS)]);
    const args = container.args.map((text: string) =>
      text
        .replace('{{workflow.parameters.run}}', spec.arguments.parameters[0].value)
        .replace('{{inputs.parameters.shard}}', String(index + 1)),
    );
    return { command: [...container.command, ...args], env: valuesIn(container.env) };
  },
};

const MANIFESTS = Object.keys(STARTINGS);
/** A folder with a document for each shard, whose sourceId is the shard's index, in two digits. */
async function newSmallFolder(exports = 'exports'): Promise<ShardsFolder> {
  const at = await newRecipeFolder();
  mkdirSync(path.join(at.folder, exports), { recursive: true });
  for (let index = 0; index < SHARDS; index += 1) {
    const id = String(index).padStart(2, '0');
    const row = `${id},2024-06-03T16:30:00Z,Fine\n`;
    put(at.folder, `${exports}/${id}.csv`, `id,at,text\n${row}`);
  }
  const env = {
    PATH: `${at.bin}:/usr/bin:/bin`,
    DOCFERRY_STATE: await newDatabase(),
    DOCFERRY_API_KEY: at.sandbox.apiKey,
  };
  return { ...at, env };
}

function startHere(at: ShardsFolder, { command, env }: Starting): Started {
  const given = Object.entries(env).map(([name, value]) => [name, at.here(value)]);
  return start(command.map(at.here), {
    cwd: newFolder(),
    env: { ...at.env, ...Object.fromEntries(given) },
  });
}

describe.each(MANIFESTS)('%s', { timeout: 180_000 }, (name) => {
  const manifest: Manifest = parse(recipe(name), { merge: true });
  const starting = STARTINGS[name] as (typeof STARTINGS)[string];

  longTest.skipIf(!HAS.postgres)('starts the shard of its index', async () => {
    const at = await newSmallFolder();
    for (const index of [0, SHARDS - 1]) {
      const { code, stderr } = await startHere(at, starting(manifest, index)).ended;
      expect(code, stderr).toBe(0);
    }
    const done = (await shardsAt(at)).filter(({ state }) => state === 'done');
    expect(done.map(({ shard }) => shard)).toEqual([1, SHARDS]);
    const ids = (await shownDocuments(at.sandbox)).map(({ sourceId }) => sourceId);
    expect(ids.toSorted()).toEqual(['00', '63']);
  });
});

describe('shards-kubernetes.yaml', () => {
  it.skipIf(!HAS.kubectl)('has only fields that Kubernetes has, with values of their types', () => {
    expect(unknownToKubernetes(recipe('shards-kubernetes.yaml'))).toEqual([]);
  });
});

interface AirflowTask {
  readonly bash_command: string;
  readonly expanded: readonly Readonly<Record<string, string>>[];
  readonly [name: string]: unknown;
}

describe.skipIf(!HAS.python)('shards_airflow.py', { timeout: 180_000 }, () => {
  longTest.skipIf(!HAS.postgres)('starts each shard, and the report behind them', async () => {
    const file = path.join(ROOT, 'docs/recipes/shards_airflow.py');
    const [shard, report] = declaredBy('shards_by_airflow.py', [file]) as [
      AirflowTask,
      AirflowTask,
    ];
    expect(shard['skip_on_exit_code']).toEqual([2, 3]);
    expect(report['trigger_rule']).toBe('all_done');
    expect(shard.expanded).toHaveLength(SHARDS);
    const day = '2026-11-23';
    const at = await newSmallFolder(`exports/${day}`);
    const run = async (command: string, env: Record<string, string> = {}) => {
      const rendered = at.here(command).replaceAll('{{ ds }}', day);
      const given = Object.entries(env).map(([name, value]) => [name, at.here(value)]);
      const all = { ...at.env, ...Object.fromEntries(given) };
      return await start(['bash', '-c', rendered], { cwd: at.folder, env: all }).ended;
    };
    expect(await run(shard.bash_command, shard.expanded[40])).toMatchObject({ code: 0 });
    expect(await shownDocuments(at.sandbox)).toMatchObject([{ sourceId: '40' }]);
    const reported = await run(report.bash_command);
    expect(reported.code, reported.stderr).toBe(1);
    expect(reported.stdout).toContain('1 of 64 shards');
  });
});

describe.skipIf(!HAS.python)('shards_dagster.py', { timeout: 180_000 }, () => {
  longTest.skipIf(!HAS.postgres)('imports all shards, and makes the report', async () => {
    const day = '2026-11-23';
    const at = await newSmallFolder(`exports/${day}`);
    const text = at.here(recipe('shards_dagster.py')).replace('SHARDS = 64', 'SHARDS = 2');
    const file = put(at.folder, 'shards_dagster.py', text);
    const command = ['python3', standIn('shards_by_dagster.py'), file, day];
    const { code, stderr } = await start(command, { cwd: '/', env: at.env }).ended;
    expect(code, stderr).toBe(0);
    expect(await shownDocuments(at.sandbox)).toHaveLength(SHARDS);
    const report = readFileSync(path.join(at.folder, `results/${day}.report.json`), 'utf8');
    expect(JSON.parse(report).counts).toMatchObject({ read: SHARDS, accepted: SHARDS });
  });
});

function standIn(name: string): string {
  return path.join(import.meta.dirname, 'stand-ins', name);
}

function declaredBy(name: string, args: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync('python3', [standIn(name), ...args], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
