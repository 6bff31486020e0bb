import { say } from '../print.js';

/** How long requests in flight may take after an interruption, in milliseconds. */
const DRAIN_MS = 30_000;

/**
 * What comes so soon after a signal is its echo: GNU `timeout` and npx send theirs to the process
 * and to its group, and a terminal tells the whole group of a Ctrl-C.
 */
const ECHO_MS = 1_000;

/** How long a process with a shared state may take to end after the second signal, in milliseconds. */
const LEAVE_MS = 3_000;

/** Exit status after an interruption. */
export const INTERRUPTED = 130;

/** The signals of a run on the command line. */
export interface Interruption {
  /** First Ctrl-C or SIGTERM: stop reading, wait for the requests in flight. */
  readonly signal: AbortSignal;
  /** The second one, at least a second after the first, or 30 seconds later: stop waiting. */
  readonly abandonSignal: AbortSignal;
  /** Gives the process its usual signal handling back. */
  dispose(): void;
}

/**
 * Turns Ctrl-C and SIGTERM into two steps: first an orderly end, then a quick one.
 * @param isShared the end depends on other processes and on a database, which may not answer, so the
 *   process exits soon after the second step in any case; others take over what it leaves
 */
export function listenForInterruption(isShared: boolean = false): Interruption {
  const stop = new AbortController();
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    say('Left without waiting for the run to end: `docferry runs list` shows its state.');
    process.exit(INTERRUPTED);
  };
  const abandonAll = (): void => {
    if (abandon.signal.aborted) return;
    clearTimeout(timer);
    abandon.abort();
    if (isShared) timer = setTimeout(leave, LEAVE_MS);
  };
  const ignore = onSignals(() => {
    if (stop.signal.aborted) {
      abandonAll();
      return;
    }
    say(
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
      ignore();
    },
  };
}

/**
 * For commands that have nothing in flight that must be waited for: Ctrl-C or SIGTERM asks them to
 * end, and the second one ends the process as usual.
 */
export function untilInterrupted(): Omit<Interruption, 'abandonSignal'> {
  const stop = new AbortController();
  const dispose = onSignals((signal) => {
    if (stop.signal.aborted) endAsUsual(signal);
    else stop.abort();
  });
  return { signal: stop.signal, dispose };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls `heard` for each Ctrl-C or SIGTERM but for echoes.
 * @returns what ends that, once the last signal's echo has had its time
 */
function onSignals(heard: (signal: NodeJS.Signals) => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  const echoMs = (): number => lastMs + ECHO_MS - nowMs();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (echoMs() > 0) return;
    lastMs = nowMs();
    heard(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return () => {
    // An echo must not kill a process that is about to end in order.
    if (echoMs() > 0) setTimeout(stop, echoMs()).unref();
    else stop();
  };
}

/** By a clock that is never set. `performance` has it, too, and is loaded when it is asked. */
function nowMs(): number {
  return process.uptime() * 1_000;
}

function endAsUsual(signal: NodeJS.Signals): void {
  for (const name of SIGNALS) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}
