/** What happened in a span of a run. */
export interface TimelinePoint {
  /** From the run's start to the span's, in milliseconds. */
  readonly atMs: number;
  readonly spanMs: number;
  /** Records that were read. */
  readonly read: number;
  /** Documents of which it became known that they are accepted. */
  readonly accepted: number;
  /** Requests with documents that were begun. */
  readonly requests: number;
  /** Requests in flight, on average. */
  readonly inFlight: number;
}

/** What a {@link Timeline} knows, as plain JSON. */
export interface TimelineSnapshot {
  readonly spanMs: number;
  /** By the number of the span, from 0. */
  readonly spans: readonly (readonly [number, SpanFigures])[];
}

type SpanFigures = Readonly<Span>;

interface Span {
  read: number;
  accepted: number;
  requests: number;
  /** Time that requests took in the span, all together. */
  busyMs: number;
}

const FIRST_SPAN_MS = 250;
export const MAX_POINTS = 240;

/**
 * What happened when, in at most 240 spans of time; spans in which nothing did take no room. When
 * there would be more, two neighbours become one. The same facts give the same spans, in whatever
 * order they are told and over however many timelines that are merged.
 */
export class Timeline {
  readonly #startMs: number;
  #spanMs = FIRST_SPAN_MS;
  #spans = new Map<number, Span>();

  /** @param startMs the run's start; this and all times in milliseconds since 1970 */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  read(nowMs: number, records: number): void {
    this.#at(nowMs).read += records;
    this.#fit();
  }

  accepted(nowMs: number, documents: number): void {
    this.#at(nowMs).accepted += documents;
    this.#fit();
  }

  /** A request is over. */
  requested(sentMs: number, answeredMs: number): void {
    this.#at(sentMs).requests += 1;
    // A span at a time, in spans that don't change meanwhile.
    for (let from = sentMs; from < answeredMs; ) {
      const to = Math.min(answeredMs, this.#endOf(from));
      this.#at(from).busyMs += to - from;
      from = to;
      this.#fit();
    }
    this.#fit();
  }

  merge({ spanMs, spans }: TimelineSnapshot): void {
    while (this.#spanMs < spanMs) this.#halve();
    const factor = this.#spanMs / spanMs;
    for (const [index, figures] of spans) add(this.#span(Math.floor(index / factor)), figures);
    this.#fit();
  }

  snapshot(): TimelineSnapshot {
    const spans = [...this.#spans].map(([index, span]) => [index, { ...span }] as const);
    return { spanMs: this.#spanMs, spans };
  }

  /** In order. */
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

  #at(nowMs: number): Span {
    return this.#span(this.#indexOf(nowMs));
  }

  /** Clocks may be set back, and differ between machines. */
  #indexOf(nowMs: number): number {
    return Math.max(0, Math.floor((nowMs - this.#startMs) / this.#spanMs));
  }

  /** What comes before the start belongs to the first span. */
  #endOf(nowMs: number): number {
    return this.#startMs + (this.#indexOf(nowMs) + 1) * this.#spanMs;
  }

  #span(index: number): Span {
    const span = this.#spans.get(index) ?? { read: 0, accepted: 0, requests: 0, busyMs: 0 };
    this.#spans.set(index, span);
    return span;
  }

  #fit(): void {
    while (this.#spans.size > MAX_POINTS) this.#halve();
  }

  #halve(): void {
    const spans = this.#spans;
    this.#spans = new Map();
    this.#spanMs *= 2;
    for (const [index, figures] of spans) add(this.#span(Math.floor(index / 2)), figures);
  }
}

function add(span: Span, { read, accepted, requests, busyMs }: SpanFigures): void {
  span.read += read;
  span.accepted += accepted;
  span.requests += requests;
  span.busyMs += busyMs;
}
