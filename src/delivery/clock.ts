import { setTimeout as pass } from 'node:timers/promises';

/** All that delivery knows of time and chance, so that tests can let hours pass at once. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/** What a timer of Node can wait for; who waits longer has to ask again. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** The machine's clock, which never goes back while the process runs. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    try {
      await pass(Math.min(LONGEST_SLEEP_MS, Math.ceil(ms)), undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
  random: Math.random,
};
