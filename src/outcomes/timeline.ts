export interface TimelinePoint {
  /** Start of the span, in milliseconds since the run's start. */
  readonly atMs: number;
  readonly spanMs: number;
  readonly read: number;
  readonly accepted: number;
  /** Requests with documents that were started. */
  readonly requests: number;
  /** Average number of requests in flight. */
  readonly inFlight: number;
}

/** State of a {@link Timeline} as plain JSON. */
export interface TimelineSnapshot {
  readonly spanMs: number;
  /** By the span's number, from 0; `busyMs` is the total time of requests in it. */
  readonly spans: readonly (readonly [number, SpanFigures])[];
}

type SpanFigures = Readonly<Record<'read' | 'accepted' | 'requests' | 'busyMs', number>>;

const FIRST_SPAN_MS = 250;
export const MAX_POINTS = 240;

/**
 * Collects a run's figures by time, in at most 240 spans; empty spans take no memory. With more,
 * neighbouring spans are joined. The same facts give the same spans, in any order and over any
 * number of merged timelines.
 */
export class Timeline {
  readonly #startMs: number;
  #spanMs = FIRST_SPAN_MS;
  #spans = new Map<number, SpanFigures>();

  /** @param startMs the run's start; this and all times in milliseconds since 1970 */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  add(nowMs: number, figures: Partial<SpanFigures>): void {
    addTo(this.#spans, this.#indexOf(nowMs), figures);
    while (this.#spans.size > MAX_POINTS) this.#halve();
  }

  requested(sentMs: number, answeredMs: number): void {
    this.add(sentMs, { requests: 1 });
    for (let from = sentMs; from < answeredMs; ) {
      // Times before the start belong to the first span.
      const spanEndMs = this.#startMs + (this.#indexOf(from) + 1) * this.#spanMs;
      const to = Math.min(answeredMs, spanEndMs);
      this.add(from, { busyMs: to - from });
      from = to;
    }
  }

  merge({ spanMs, spans }: TimelineSnapshot): void {
    while (this.#spanMs < spanMs) this.#halve();
    for (const [index, figures] of spans) this.add(this.#startMs + index * spanMs, figures);
  }

  snapshot(): TimelineSnapshot {
    return { spanMs: this.#spanMs, spans: [...this.#spans] };
  }

  points(): readonly TimelinePoint[] {
    const spanMs = this.#spanMs;
    return [...this.#spans]
      .toSorted(([a], [b]) => a - b)
      .map(([index, { busyMs, ...figures }]) => ({
        atMs: index * spanMs,
        spanMs,
        ...figures,
        inFlight: Math.round((busyMs * 100) / spanMs) / 100,
      }));
  }

  /** Index of the span of a time; at least 0, since clocks may be set back and differ between machines. */
  #indexOf(nowMs: number): number {
    return Math.max(0, Math.floor((nowMs - this.#startMs) / this.#spanMs));
  }

  #halve(): void {
    const spans = this.#spans;
    this.#spans = new Map();
    this.#spanMs *= 2;
    for (const [index, figures] of spans) addTo(this.#spans, Math.floor(index / 2), figures);
  }
}

const NO_FIGURES: SpanFigures = { read: 0, accepted: 0, requests: 0, busyMs: 0 };

function addTo(
  spans: Map<number, SpanFigures>,
  index: number,
  { read = 0, accepted = 0, requests = 0, busyMs = 0 }: Partial<SpanFigures>,
): void {
  const span = spans.get(index) ?? NO_FIGURES;
  spans.set(index, {
    read: span.read + read,
    accepted: span.accepted + accepted,
    requests: span.requests + requests,
    busyMs: span.busyMs + busyMs,
  });
}
