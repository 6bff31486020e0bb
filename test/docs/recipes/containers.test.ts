import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { newFolder } from '../../helpers/files.js';
import { ROOT } from '../../helpers/markdown.js';
import { HAS } from '../../helpers/needs.js';
import type { Started } from '../../helpers/run-cli.js';
import { longTest } from '../../helpers/runs.js';
import {
  expectEachOnce,
  newRecipeFolder,
  putMany,
  type RecipeFolder,
  recipe,
  SLOW_AT_FIRST,
  start,
  stopInTheMiddle,
} from './recipe-folder.js';
import { unknownToKubernetes } from './unknown-to-kubernetes.js';

const VERSION: string = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version;

/** One instruction of a Dockerfile, with the stage that it is in. */
interface Instruction {
  readonly stage: number;
  readonly name: string;
  readonly args: string;
}

function readDockerfile(text: string): readonly Instruction[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  let stage = -1;
  return lines.flatMap((line) => {
    const [, name, args = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    if (name === 'FROM') stage += 1;
    return [{ stage, name, args }];
  });
}

const instructions = readDockerfile(recipe('Dockerfile'));
const lastStage = instructions.filter(({ stage }) => stage === 1);
const compose = parse(recipe('compose.yaml'));
const service = compose.services.import;
const [claim, cronJob] = parseAllDocuments(recipe('cronjob.yaml')).map((one) => one.toJS());
const job = cronJob.spec.jobTemplate.spec;
const pod = job.template.spec;
const container = pod.containers[0];

function argsOf(name: string): readonly string[] {
  return lastStage.flatMap((one) => (one.name === name ? [one.args] : []));
}

/** Starts a container's command, as the first process of a group, with its environment and no other. */
function startContainer(
  { bin, folder, here }: RecipeFolder,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Started {
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, here(value)]),
  );
  const words = command.map((word) => (word === '/data' ? folder : word));
  return start(words, { cwd: folder, env: { PATH: `${bin}:/usr/bin:/bin`, ...env } });
}

/** The environment of the container of the CronJob. */
const cronJobEnvironment = Object.fromEntries(
  container.env.map(({ name, value }: Record<'name' | 'value', string>) => [name, value]),
);

describe('the containers of Dockerfile, compose.yaml and cronjob.yaml', {
  timeout: 180_000,
}, () => {
  it('run the same command, without a shell in front of it', () => {
    expect(argsOf('CMD').map((args) => JSON.parse(args))).toEqual([service.command]);
    expect(container.command).toEqual(service.command);
    expect(argsOf('ENTRYPOINT')).toEqual([]);
  });

  it('are given the same settings, with the key in a file', () => {
    expect(Object.keys(cronJobEnvironment)).toEqual(Object.keys(service.environment));
    const [secret] = service.secrets;
    expect(service.environment.DOCFERRY_API_KEY_FILE).toBe(`/run/secrets/${secret}`);
    const mount = container.volumeMounts.find(({ name }: { name: string }) => name === 'secret');
    expect(cronJobEnvironment['DOCFERRY_API_KEY_FILE']).toBe(`${mount.mountPath}/api-key`);
  });

  it('run as an ordinary user who can write only to /data and /tmp', () => {
    expect(argsOf('USER')).toEqual(['node']);
    expect(argsOf('VOLUME')).toEqual(['/data']);
    expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'], volumes: ['./data:/data'] });
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(pod.volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name);
  });

  longTest.each([['compose', service.command, service.environment]])(
    'import, and resume what was stopped, as %s says',
    async (_, command, environment) => {
      const at = await newRecipeFolder(SLOW_AT_FIRST);
      putMany(at.folder, 'incoming/a.csv');
      const begin = (): Started => startContainer(at, command, environment);
      const stopped = await stopInTheMiddle(begin, at.sandbox);
      expect(stopped.code, stopped.stderr).toBe(130);
      expect((await begin().ended).code).toBe(0);
      await expectEachOnce(at.sandbox);
    },
  );
});

describe('Dockerfile', { timeout: 300_000 }, () => {
  longTest(
    'installs a program that an ordinary user can run',
    async ({ skip }) => {
      const { build, root } = newImage();
      spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', build], { cwd: ROOT });
      mkdirSync(path.join(root, 'tmp'));
      const tarball = `docferry-${VERSION}.tgz`;
      renameSync(path.join(build, tarball), path.join(root, 'tmp', tarball));
      for (const { name, args } of instructions) {
        if (name !== 'RUN') continue;
        const ran = runInImage(root, args);
        if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(ran.stderr))
          skip('no package registry');
        expect(ran.status, ran.stderr).toBe(0);
      }
      const mode = statSync(path.join(root, 'usr/local/bin/import-exports')).mode;
      expect(mode & 0o111).toBe(0o111);
      const PATH = `${path.dirname(process.execPath)}:/usr/bin:/bin`;
      const version = spawnSync(path.join(root, 'usr/local/bin/docferry'), ['--version'], {
        env: { PATH },
        encoding: 'utf8',
      });
      expect(version).toMatchObject({ status: 0, stdout: `${VERSION}\n` });
      // The folders around the image may be closed to others; those in it must not be.
      for (const closed of ['-type f ! -perm -o=r', '-type d ! -perm -o=rx']) {
        const found = spawnSync('find', [root, ...closed.split(' ')], { encoding: 'utf8' });
        expect(found.stdout).toBe('');
      }
    },
    300_000,
  );
});

/** Folders that stand for where an image is built and for the image. */
function newImage(): { readonly build: string; readonly root: string } {
  const build = newFolder();
  const root = newFolder();
  mkdirSync(path.join(root, 'usr/local/bin'), { recursive: true });
  spawnSync('chmod', ['755', root]);
  return { build, root };
}

/** Runs what a RUN says with the image's folders in place of the machine's. */
function runInImage(root: string, script: string): SpawnSyncReturns<string> {
  const here = script
    .replaceAll(/(?<= )\/(?=opt\/|tmp\/|usr\/local\/|data\b)/g, `${root}/`)
    // The user is that of the image.
    .replace('-o node -g node ', '');
  return spawnSync('/bin/sh', ['-c', here], { cwd: root, encoding: 'utf8' });
}

describe('compose.yaml', { timeout: 180_000 }, () => {
  it.skipIf(!HAS.compose)('is one that docker compose takes', () => {
    const file = path.join(ROOT, 'docs/recipes/compose.yaml');
    const args = ['compose', '--file', file, 'config', '--quiet'];
    const { status, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });
});

describe('cronjob.yaml', { timeout: 180_000 }, () => {
  it.skipIf(!HAS.kubectl)('has only fields that Kubernetes has, with values of their types', () => {
    expect(unknownToKubernetes(recipe('cronjob.yaml').split('---\n')[1] ?? '')).toEqual([]);
  });

  it('retries what a retry may cure, and nothing else', () => {
    expect(cronJob.spec.concurrencyPolicy).toBe('Forbid');
    expect(pod.restartPolicy).toBe('Never');
    const [moved, final] = job.podFailurePolicy.rules;
    expect(moved).toEqual({
      action: 'Ignore',
      onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
    });
    const onExitCodes = {
      containerName: container.name,
      operator: 'NotIn',
      values: [4, 130, 137, 143],
    };
    expect(final).toEqual({ action: 'FailJob', onExitCodes });
  });
});
