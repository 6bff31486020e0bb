import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { newFolder } from './files.js';
import { freePort } from './postgres-programs.js';

/** A Slurm of one node, for the running test. */
export interface TestSlurm {
  /** What its commands need of the environment. */
  readonly env: { readonly SLURM_CONF: string };
  /** Kills the node's daemon, and starts it again; its tasks go on. */
  restartNode(): Promise<void>;
}

/** Starts Slurm in a folder of its own, with a munged, so that nothing of the machine's is needed. */
export async function startSlurm(): Promise<TestSlurm> {
  const folder = newFolder();
  for (const name of ['state', 'spool']) mkdirSync(path.join(folder, name));
  const socket = startMunge(folder);
  const conf = path.join(folder, 'slurm.conf');
  writeFileSync(conf, await configuration(folder, socket));
  const env = { SLURM_CONF: conf };
  // While a task ends, its node is completing, and takes others.
  const answers = async (): Promise<void> =>
    await expect
      .poll(() => answer('sinfo', ['-h', '-o', '%t'], env), { timeout: 60_000 })
      .toMatch(/^(?:idle|mix|alloc|comp)$/);
  startDaemon('slurmctld', ['-D'], { folder, env });
  let node = startDaemon('slurmd', ['-D'], { folder, env });
  await answers();
  return {
    env,
    restartNode: async () => {
      node.kill('SIGKILL');
      node = startDaemon('slurmd', ['-D'], { folder, env });
      await answers();
    },
  };
}

/** What a command of Slurm's prints, without the line break. */
export function answer(command: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  const ended = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  return ended.stdout.trim();
}

/** @returns the socket at which it answers */
function startMunge(folder: string): string {
  const file = (name: string): string => path.join(folder, `munge.${name}`);
  writeFileSync(file('key'), randomBytes(1_024), { mode: 0o400 });
  const files = ['key', 'pid', 'log', 'seed'].map((name) => `--${name}-file=${file(name)}`);
  // Root is no user that it would start for by itself.
  startDaemon('munged', ['--foreground', '--force', `--socket=${file('socket')}`, ...files], {
    folder,
  });
  return file('socket');
}

async function configuration(folder: string, socket: string): Promise<string> {
  const [host, user] = [hostname().split('.')[0], userInfo().username];
  const [controller, node] = [await freePort(), await freePort()];
  // A requeued task is held back until its credential has expired.
  return `ClusterName=test
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
SlurmdPort=${node}
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/munge
AuthInfo=socket=${socket},cred_expire=5
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=1
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=${host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`;
}

interface Surroundings {
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
}

function startDaemon(
  command: string,
  args: readonly string[],
  { folder, env }: Surroundings,
): ChildProcess {
  const log = openSync(path.join(folder, `${command}.log`), 'a');
  const daemon = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  onTestFinished(() => {
    daemon.kill('SIGKILL');
  });
  return daemon;
}
