import type { Doubts } from '../../delivery/doubts/doubts.js';
import type { Batch } from '../../model/documents.js';

/**
 * Delivers batches, then what turns out to be missing of those whose outcome was unknown, until
 * there is nothing left to find out or the run is to end.
 */
export async function sendAll(
  batches: AsyncIterable<Batch>,
  doubts: Doubts,
  deliver: (batches: AsyncIterable<Batch>) => Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  await deliver(withRoom(batches, doubts));
  while (!stopped()) {
    const missing = await doubts.resolve();
    if (missing.length === 0) break;
    await deliver(inTurn(missing));
  }
  doubts.giveUp();
}

/** Resolves what is unknown first, when there is no room for more of it. */
async function* withRoom(batches: AsyncIterable<Batch>, doubts: Doubts): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    if (doubts.full) yield* await doubts.resolve();
    yield batch;
  }
}

async function* inTurn(batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches;
}
