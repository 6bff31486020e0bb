import { setTimeout as pass } from 'node:timers/promises';
import { MAX_TIMER_MS } from '../model/flush-timer.js';

/** Time and chance, so that tests can let hours pass at once. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or when the signal is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/** The system's clock, except that it never goes back while the process runs. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    try {
      await pass(Math.min(MAX_TIMER_MS, Math.ceil(ms)), undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
  random: Math.random,
};
