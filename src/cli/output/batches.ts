/**
 * Records on their way to the output. A format gives back the text of a batch before it asks for
 * the next one, so that whoever supplies the batches knows what has been written.
 */
export type Batches<R> = AsyncIterable<readonly R[]>;

/** Any record of the service: formats look into it by paths. */
export type Row = Readonly<Record<string, unknown>>;

/** Enough for one write, little enough for memory. */
const BATCH = 100;

/** Gathers single records; a rest comes as a smaller batch. */
export async function* inBatches<R>(records: AsyncIterable<R>): AsyncGenerator<readonly R[]> {
  let batch: R[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Records that are there already, as one batch. */
export async function* oneBatch<R>(records: readonly R[]): AsyncGenerator<readonly R[]> {
  yield records;
}
