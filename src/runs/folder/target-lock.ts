import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { InterruptedError, ResumeError } from '../../model/errors.js';
import type { RunTarget } from '../description.js';
import { type RunLock, takeLock } from './run-lock.js';

/** Who wants to import into a monitoring, and how long it waits for another import. */
export interface LockRequest {
  readonly run: string;
  readonly target: RunTarget;
  /** `undefined`: no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly notice: (message: string) => void;
  /** Runs of this process that give the same name hold the lock together. */
  readonly holder?: string | undefined;
}

/** The run that holds a lock, for those who wait. */
interface Holder {
  readonly run: string;
  readonly pid: number;
  readonly since: string;
}

const PAUSE_MS = 1_000;

/** Locks that runs of this process hold together, by file and holder, with the number of runs. */
const shared = new Map<string, { readonly lock: RunLock; runs: number }>();

/**
 * Takes the lock of a monitoring: of the imports of one state folder only one at a time sends to it,
 * so that each knows what those before it have sent. Waits for the import that has it, and says so.
 * @throws ResumeError after the timeout; InterruptedError; JournalError
 */
export async function lockTarget(stateDir: string, request: LockRequest): Promise<RunLock> {
  const { target, run, timeoutMs = Number.POSITIVE_INFINITY, signal, notice } = request;
  const key = createHash('sha256').update(JSON.stringify([target.service, target.monitoring]));
  const file = path.join(stateDir, 'locks', key.digest('hex').slice(0, 16));
  const untilMs = performance.now() + timeoutMs;
  for (let named: string | undefined; ; ) {
    const lock = takeShared(file, request.holder);
    if (lock !== undefined) {
      writeHolder(file, { run, pid: process.pid, since: new Date().toISOString() });
      return lock;
    }
    const holder = readHolder(file);
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) throw new ResumeError(`${busy(target, holder)}. ${remedy(timeoutMs)}`);
    if (named !== holder?.run || named === undefined) {
      notice(
        `${busy(target, holder)}. Waiting for it to end; Ctrl-C ends the wait, --lock-timeout limits it.`,
      );
      named = holder?.run ?? '';
    }
    await setTimeout(Math.min(PAUSE_MS, leftMs), undefined, { signal }).catch(() => {
      throw new InterruptedError(signal);
    });
  }
}

function takeShared(file: string, holder: string | undefined): RunLock | undefined {
  if (holder === undefined) return takeLock(file);
  const key = `${holder} ${file}`;
  const known = shared.get(key);
  const lock = known?.lock ?? takeLock(file);
  if (lock === undefined) return undefined;
  const entry = known ?? { lock, runs: 0 };
  entry.runs += 1;
  shared.set(key, entry);
  return {
    release: () => {
      entry.runs -= 1;
      if (entry.runs > 0) return;
      shared.delete(key);
      lock.release();
    },
  };
}

/** If it can't be written, runs that wait can't name the holder. */
function writeHolder(file: string, holder: Holder): void {
  try {
    writeFileSync(`${file}.json`, JSON.stringify(holder), { mode: 0o600 });
  } catch {}
}

/** `undefined` in the moment before the holder has written it. */
function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function busy({ monitoring }: RunTarget, holder: Holder | undefined): string {
  if (holder === undefined) return `Another run is importing into monitoring ${monitoring}`;
  const { run, pid, since } = holder;
  return `The run ${run} (process ${pid}) has been importing into monitoring ${monitoring} since ${since}`;
}

function remedy(timeoutMs: number): string {
  const waited = timeoutMs === 0 ? '' : `Waited for ${timeoutMs / 1_000} seconds. `;
  return `${waited}Start this import again when that run has ended; without --lock-timeout (lockTimeoutMs) it waits for as long as that takes.`;
}
