import { setTimeout } from 'node:timers/promises';
import { InterruptedError, ResumeError } from '../model/errors.js';
import type { LockRequest, RunLock, RunStore } from './store.js';

const PAUSE_MS = 500;

export interface WaitForLock {
  /** Maximum wait for another import; `undefined` for no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly notice: (message: string) => void;
}

/**
 * Waits until no other process that imports on its own sends to the target, so that the outcomes of
 * earlier imports are known. Names each import that it waits for.
 * @throws ResumeError after the timeout; InterruptedError; JournalError
 */
export async function lockTarget(
  store: RunStore,
  request: LockRequest,
  { timeoutMs = Number.POSITIVE_INFINITY, signal, notice }: WaitForLock,
): Promise<RunLock> {
  const untilMs = performance.now() + timeoutMs;
  for (let named: string | undefined; ; ) {
    const lock = await store.tryLockTarget(request);
    if (typeof lock !== 'string') return lock;
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) throw new ResumeError(`${lock}. ${remedy(timeoutMs)}`);
    if (named !== lock) {
      notice(`${lock}. Waiting for it to end; Ctrl-C ends the wait, --lock-timeout limits it.`);
    }
    named = lock;
    await setTimeout(Math.min(PAUSE_MS, leftMs), undefined, { signal }).catch(() => {
      throw new InterruptedError(signal);
    });
  }
}

function remedy(timeoutMs: number): string {
  const waited = timeoutMs === 0 ? '' : `Waited for ${timeoutMs / 1_000} seconds. `;
  return `${waited}Start this import again when that run has ended; without --lock-timeout (lockTimeoutMs) it waits for as long as that takes.`;
}
