import pLimit from 'p-limit';
import type { Exchange } from '../api/exchange.js';
import { type Batch, rangeBytes } from '../documents.js';
import { classifyAnswer, type Verdict } from './classify-answer.js';

/** What delivery needs from outside. */
export interface DeliveryPort {
  /** Sends one request with these documents; never rejects for what the network or service does. */
  readonly send: (pieces: readonly Uint8Array[]) => Promise<Exchange>;
  /** Told of every batch that was tried, as soon as its fate is known, in the order of answers. */
  readonly settle: (batch: Batch, verdict: Verdict) => void;
  /** Asked before each batch; `true` ends delivery once the requests under way are answered. */
  readonly stopped: () => boolean;
}

/**
 * Sends batches, at most `concurrency` at a time, each exactly once. The next batch is only asked
 * for when a place is free, so a slow service slows the reading. Ends when all are settled.
 * @param concurrency requests at a time, at least 1
 */
export async function deliver(
  batches: AsyncIterable<Batch>,
  concurrency: number,
  port: DeliveryPort,
): Promise<void> {
  const limit = pLimit(concurrency);
  const underWay = new Set<Promise<void>>();
  try {
    for await (const batch of batches) {
      if (port.stopped()) break;
      const request = limit(() => deliverOne(batch, port)).finally(() => underWay.delete(request));
      underWay.add(request);
      // p-limit queues without bound: keep one batch ready beside those being sent, no more.
      while (underWay.size > concurrency) await Promise.race(underWay);
      if (port.stopped()) break;
    }
  } finally {
    await Promise.all(underWay);
  }
}

async function deliverOne(batch: Batch, port: DeliveryPort): Promise<void> {
  // It may have waited while an answer ended delivery.
  if (port.stopped()) return;
  const exchange = await port.send(batch.ranges.map(rangeBytes));
  port.settle(batch, classifyAnswer(exchange, batch.count));
}
