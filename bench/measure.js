// @ts-check
/** Runs a program and measures it: time, processor time and peak memory. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/**
 * A program that is measured.
 * @typedef {object} Contestant
 * @property {string} name
 * @property {string} command
 * @property {readonly string[]} args
 * @property {number} records how many it reads
 * @property {Readonly<Record<string, string>>} [env] variables beside those of this process
 * @property {(stdout: string) => unknown} [check] throws when it has not done its work; without
 *   it, what the program writes goes to nowhere
 */

/**
 * One run. Processor time (user and system, every thread) and memory are NaN where there is no
 * `/proc`.
 * @typedef {{ wallMs: number, cpuMs: number, peakMiB: number }} Sample
 */

/** Peak memory is looked at this often; what a program adds in its last moment is missed. */
const LOOK_EVERY_MS = 20;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Runs a contestant once, without further certificates of the machine's: Node 20 reads those at each
 * start, which takes it longer than all the rest.
 * @param {Contestant} contestant
 * @returns {Promise<Sample>}
 * @throws Error when it ends with another status than 0 or has not done its work
 */
export async function measure({ name, command, args, env, check }) {
  const cpuBefore = cpuOfChildren();
  const start = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', check === undefined ? 'ignore' : 'pipe', 'pipe'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: '', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  let peakMiB = Number.NaN;
  const look = setInterval(() => {
    peakMiB = peakOf(child.pid) ?? peakMiB;
  }, LOOK_EVERY_MS);
  let wallMs = Number.NaN;
  child.once('exit', () => {
    wallMs = performance.now() - start;
    clearInterval(look);
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stderr}`);
  const cpuMs = cpuOfChildren() - cpuBefore;
  await check?.(stdout);
  return { wallMs, cpuMs, peakMiB };
}

/** Processor time of the children that have ended, and of their children, in milliseconds. */
function cpuOfChildren() {
  const stat = read('/proc/self/stat');
  // The name, in brackets, may hold blanks: fields are counted behind it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/** The most memory that a process has had so far, in MiB. @param {number | undefined} pid */
function peakOf(pid) {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
