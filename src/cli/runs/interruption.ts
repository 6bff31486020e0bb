import { log } from '../print.js';

/** Time for requests in flight after an interruption, in milliseconds. */
const DRAIN_MS = 30_000;

/**
 * Time after a signal in which another is taken for its echo, in milliseconds. GNU `timeout` and
 * npx signal the process and its group, and a terminal sends Ctrl-C to the whole group.
 */
const ECHO_MS = 1_000;

/** Time for a process with a shared state to exit after the second signal, in milliseconds. */
const EXIT_MS = 3_000;

export const EXIT_INTERRUPTED = 130;

/** Abort signals of a run on the command line. */
export interface Interruption {
  /** Aborted at the first Ctrl-C or SIGTERM: stop reading, wait for the requests in flight. */
  readonly signal: AbortSignal;
  /** Aborted at the second signal, at least a second later, or after 30 seconds: stop waiting. */
  readonly abandonSignal: AbortSignal;
  dispose(): void;
}

/**
 * Turns Ctrl-C and SIGTERM into two steps: first an orderly end, then a quick one.
 * @param isShared whether the end depends on other processes and a database, which may not answer.
 * The process then exits soon after the second step in any case, and others take over its work
 */
export function listenForInterruption(isShared: boolean = false): Interruption {
  const stop = new AbortController();
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const exit = (): void => {
    log('Exiting before the run has ended: `docferry runs list` shows its state.');
    process.exit(EXIT_INTERRUPTED);
  };
  const abandonAll = (): void => {
    if (abandon.signal.aborted) return;
    clearTimeout(timer);
    abandon.abort();
    if (isShared) timer = setTimeout(exit, EXIT_MS);
  };
  const unlisten = onSignals(() => {
    if (stop.signal.aborted) {
      abandonAll();
      return;
    }
    log(
      'Stopping: waiting up to 30 s for the requests in flight. Press Ctrl-C again to stop at once.',
    );
    timer = setTimeout(abandonAll, DRAIN_MS);
    stop.abort();
  });
  return {
    signal: stop.signal,
    abandonSignal: abandon.signal,
    dispose: () => {
      clearTimeout(timer);
      unlisten();
    },
  };
}

/**
 * Handles signals for commands without requests in flight: the first asks for an end, the second
 * ends the process.
 */
export function untilInterrupted(): Omit<Interruption, 'abandonSignal'> {
  const stop = new AbortController();
  const dispose = onSignals(() => {
    if (stop.signal.aborted) process.exit(EXIT_INTERRUPTED);
    stop.abort();
  });
  return { signal: stop.signal, dispose };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls `listener` for each Ctrl-C or SIGTERM except echoes.
 * @returns function that stops listening, after the time for an echo of the last signal
 */
function onSignals(listener: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  const echoMs = (): number => lastMs + ECHO_MS - monotonicMs();
  const onSignal = (): void => {
    if (echoMs() > 0) return;
    lastMs = monotonicMs();
    listener();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return () => {
    // An echo mustn't kill a process that is about to exit normally.
    if (echoMs() > 0) setTimeout(stop, echoMs()).unref();
    else stop();
  };
}

/** Reads a monotonic clock. Unlike `performance`, `process.uptime` needs no loading. */
function monotonicMs(): number {
  return process.uptime() * 1_000;
}
