import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect } from 'vitest';

/** The threads that a test has started, of which it leaves none behind: that is checked behind it. */
export function startedThreads(): readonly Worker[] {
  const started: Worker[] = [];
  const remember = (worker: Worker): void => void started.push(worker);
  beforeEach(() => void process.on('worker', remember));
  afterEach(() => {
    process.off('worker', remember);
    for (const { threadId } of started.splice(0)) expect(threadId).toBe(-1);
  });
  return started;
}
