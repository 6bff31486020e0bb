/**
 * The items of an iterable, until a signal is aborted: then its reason is thrown at once, even if
 * the next item never comes.
 * @param close releases what is open, without waiting
 */
export async function* abortable<T>(
  items: AsyncIterable<T>,
  close: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await untilAborted(iterator.next(), signal);
      if (step.done) return;
      yield step.value;
    }
  } finally {
    close();
    // After an abort the iterator may be busy for ever.
    const closed = Promise.resolve(iterator.return?.()).catch(() => {});
    if (!signal?.aborted) await closed;
  }
}

/** Waits for a promise, at most until a signal is aborted: then throws its reason at once. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise;
  // If it loses the race, nobody waits for it any more.
  promise.catch(() => {});
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
