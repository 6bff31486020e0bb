/** How long requests under way may take after an interruption, in milliseconds. */
const DRAIN_MS = 30_000;

/** The signals of a run on the command line. */
export interface Interruption {
  /** First Ctrl-C or SIGTERM: stop reading, wait for the requests under way. */
  readonly signal: AbortSignal;
  /** The second one, or 30 seconds later: stop waiting. */
  readonly abandonSignal: AbortSignal;
  /** Gives the process its usual signal handling back. */
  dispose(): void;
}

/** Turns Ctrl-C and SIGTERM into two steps: first an orderly end, then a quick one. */
export function listenForInterruption(say: (message: string) => void): Interruption {
  const stop = new AbortController();
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (): void => {
    if (stop.signal.aborted) {
      abandon.abort();
      return;
    }
    say('Stopping: waiting for the requests under way (30 s at most). Once more to stop at once.');
    timer = setTimeout(() => abandon.abort(), DRAIN_MS);
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: stop.signal,
    abandonSignal: abandon.signal,
    dispose: () => {
      clearTimeout(timer);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/**
 * For commands that have nothing under way that must be waited for: Ctrl-C or SIGTERM asks them to
 * end, and the second one ends the process as usual.
 */
export function untilInterrupted(): Omit<Interruption, 'abandonSignal'> {
  const stop = new AbortController();
  const onSignal = (): void => {
    dispose();
    stop.abort();
  };
  const dispose = (): void => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { signal: stop.signal, dispose };
}
