import type { Exchange } from '../../api/transport/exchange.js';
import { NumberSpread, type NumberSummary } from '../../coverage/number-spread.js';
import { type CountsSummary, sortedCounts, ValueCounts } from '../../coverage/value-counts.js';
import { Timeline, type TimelineSnapshot } from '../../outcomes/timeline.js';
import type { DeliveryReport } from '../../report/report.js';

/** State of a {@link DeliveryLog} as plain JSON. */
export interface DeliverySnapshot {
  readonly timeline: TimelineSnapshot;
  readonly latency: NumberSummary | null;
  readonly statuses: CountsSummary;
}

/** Statistics of a run's requests and documents over time, in bounded memory. */
export class DeliveryLog {
  readonly #timeline: Timeline;
  readonly #latency = new NumberSpread();
  readonly #statuses = new ValueCounts();

  /** @param startedMs the run's start, in milliseconds since 1970 */
  constructor(startedMs: number) {
    this.#timeline = new Timeline(startedMs);
  }

  read(records: number): void {
    this.#timeline.add(Date.now(), { read: records });
  }

  accepted(documents: number): void {
    this.#timeline.add(Date.now(), { accepted: documents });
  }

  async request(send: () => Promise<Exchange>): Promise<Exchange> {
    const sentMs = Date.now();
    const exchange = await send();
    const answeredMs = Math.max(sentMs, Date.now());
    this.#timeline.requested(sentMs, answeredMs);
    this.#latency.add(answeredMs - sentMs);
    this.#statuses.add(exchange.kind === 'answer' ? `${exchange.status}` : 'no answer');
    return exchange;
  }

  /** Adds the log of another process of the same run. */
  merge({ timeline, latency, statuses }: DeliverySnapshot): void {
    this.#timeline.merge(timeline);
    if (latency !== null) this.#latency.merge(latency);
    this.#statuses.merge(statuses);
  }

  snapshot(): DeliverySnapshot {
    return {
      timeline: this.#timeline.snapshot(),
      // Minimum and maximum of nothing are infinite, which JSON can't represent.
      latency: this.#latency.count === 0 ? null : this.#latency.summary(),
      statuses: this.#statuses.summary(),
    };
  }

  report(): DeliveryReport {
    return {
      timeline: this.#timeline.points(),
      latency: this.#latency.figures(),
      statuses: sortedCounts(this.#statuses.summary()),
    };
  }
}
