/** Records up to a limit, and how many they were. */
export interface Counted<R> {
  readonly records: AsyncGenerator<R>;
  count(): number;
}

/** Gives the first records and asks for no more than those. */
export function firstOf<R>(records: AsyncIterable<R>, limit: number): Counted<R> {
  let count = 0;
  async function* first(): AsyncGenerator<R> {
    for await (const record of records) {
      count += 1;
      yield record;
      if (count >= limit) return;
    }
  }
  return { records: first(), count: () => count };
}
