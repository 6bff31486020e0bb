import { DateTime } from 'luxon';
import { ServiceDownError, ServiceError } from '../../../src/api/index.js';
import type { ReconcilePort } from '../../../src/delivery/reconciliation/reconcile.js';
import type {
  FetchPage,
  ShownDocument,
} from '../../../src/delivery/reconciliation/service-pages.js';
import type { Window } from '../../../src/delivery/reconciliation/window.js';
import type { Acknowledged } from '../../../src/model/documents.js';

/** A document that was applied, and from when on it shows. */
interface Stored extends ShownDocument {
  readonly publishedMs: number;
  /** The same on the clocks of the service's zone. */
  readonly clockMs: number;
  readonly visibleMs: number;
}

/** What goes wrong with reading. Draws are numbers from 0 to 1. */
export interface ReadingFaults {
  readonly pageSize?: number;
  /** How many documents deep pages are given … */
  readonly reach?: number;
  /** … and what comes instead of others: an empty page, an error, or totals that are capped, too. */
  readonly beyond?: 'empty' | 'refused' | 'broken' | 'total';
  /** Which share of requests fails. */
  readonly failing?: number;
  /** Which share of requests is answered from an older state, and how old that is. */
  readonly stale?: number;
  readonly staleMs?: number;
  readonly draw?: () => number;
  /** How documents are listed; `newest` first unless stated. */
  readonly listed?: 'newest' | 'oldest' | 'id';
  /** How long an answer takes. */
  readonly answerMs?: number;
  readonly times?: Times;
  /** The sourceId under which a document shows that was sent with this one. */
  readonly shownAs?: (sourceId: string) => string;
}

/** How the service takes the times of filters, and shows those of documents. */
export interface Times {
  /** The zone of filters. */
  readonly zone: string;
  /** Whether clocks are compared: an hour that comes twice is then the same twice. */
  readonly byClock: boolean;
  /** Whether an end at 10:30 takes in 10:30:59. */
  readonly wholeEnd: boolean;
  /** How moments are shown: as they came, in the zone with its offset, or without. */
  readonly shown: 'utc' | 'offset' | 'clock';
}

const UTC: Times = { zone: 'UTC', byClock: false, wholeEnd: true, shown: 'utc' };

const LISTED = {
  newest: (a: Stored, b: Stored) => b.publishedMs - a.publishedMs || b.id - a.id,
  oldest: (a: Stored, b: Stored) => a.publishedMs - b.publishedMs || a.id - b.id,
  id: (a: Stored, b: Stored) => a.id - b.id,
};

const MINUTE = 60_000;

/** The service's documents and its `POST /documents`, in a time that passes only when waited for. */
export class SimulatedService {
  readonly #faults: ReadingFaults;
  readonly #stored: Stored[] = [];
  readonly #acknowledged: Acknowledged[] = [];
  readonly requests: { readonly window: Window; readonly offset: number }[] = [];
  readonly abort = new AbortController();
  /** Runs before each answer, for changes that happen while pages are read. */
  beforeAnswer: (() => void) | undefined;
  now = Date.parse('2024-06-01T12:00:00Z');

  constructor(faults: ReadingFaults = {}) {
    this.#faults = faults;
  }

  /** Applies a document; it shows after a while. */
  apply(
    sourceId: string,
    { published = '2024-05-01T10:00:00Z', at = this.now, lagMs = 0, source = 'RVW' } = {},
  ): void {
    this.#stored.push({
      id: this.#stored.length + 1,
      source,
      sourceId: this.#faults.shownAs?.(sourceId) ?? sourceId,
      published: this.#asShown(published),
      publishedMs: Date.parse(published),
      clockMs: this.#clockAt(Date.parse(published)),
      visibleMs: at + lagMs,
    });
  }

  get #times(): Times {
    return this.#faults.times ?? UTC;
  }

  #asShown(published: string): string {
    const { zone, shown } = this.#times;
    if (shown === 'utc') return published;
    const includeOffset = shown === 'offset';
    return DateTime.fromISO(published, { zone }).toISO({ includeOffset }) as string;
  }

  #clockAt(ms: number): number {
    return ms + DateTime.fromMillis(ms, { zone: this.#times.zone }).offset * MINUTE;
  }

  /** When the clocks of the zone show what they show in UTC at this moment. */
  #momentOf(clockMs: number): number {
    const utc = DateTime.fromMillis(clockMs, { zone: 'UTC' });
    return utc.setZone(this.#times.zone, { keepLocalTime: true }).toMillis();
  }

  remove(sourceId: string): void {
    const at = this.#stored.findIndex((one) => one.sourceId === sourceId);
    this.#stored.splice(at, 1);
  }

  /** Applies a document and says so. */
  acknowledge(
    sourceId: string,
    { published = '2024-05-01T10:00:00Z', at = this.now, lagMs = 0, takenMs = 0 } = {},
  ): void {
    this.apply(sourceId, { published, at: at - takenMs, lagMs });
    this.pretendToAcknowledge(sourceId, { published, at });
  }

  pretendToAcknowledge(
    sourceId: string,
    { published = '2024-05-01T10:00:00Z', at = this.now } = {},
  ): void {
    this.#noteRequest([{ sourceId, published }], at);
  }

  /** Applies the documents of one request, and says so. */
  acknowledgeTogether(
    documents: readonly { readonly sourceId: string; readonly published: string }[],
    { at = this.now, lagMs = 0 } = {},
  ): void {
    for (const { sourceId, published } of documents) this.apply(sourceId, { published, at, lagMs });
    this.#noteRequest(documents, at);
  }

  #noteRequest(
    documents: readonly { readonly sourceId: string; readonly published: string }[],
    acknowledgedMs: number,
  ): void {
    const times = documents.map(({ published }) => published).toSorted();
    const all = documents.map(({ sourceId, published }) => ({
      sourceId,
      published: { from: published, to: published },
    }));
    const request = {
      published: { from: times[0]!, to: times.at(-1)! },
      documents: () => all,
    };
    this.#acknowledged.push({ ...all.at(-1)!, acknowledgedMs, request });
  }

  get port(): ReconcilePort {
    return {
      page: this.#page,
      acknowledged: () =>
        this.#acknowledged.filter(({ acknowledgedMs }) => acknowledgedMs <= this.now),
      clock: {
        now: () => this.now,
        sleep: async (ms) => {
          if (!(ms >= 0)) throw new Error(`slept for ${ms} ms`);
          this.now += ms;
        },
      },
      signal: this.abort.signal,
    };
  }

  #page: FetchPage = async (window, offset, signal) => {
    const {
      failing = 0,
      stale = 0,
      staleMs = 0,
      draw = () => 1,
      answerMs = 20,
      pageSize = 100,
    } = this.#faults;
    this.requests.push({ window, offset });
    signal.throwIfAborted();
    this.now += answerMs;
    this.beforeAnswer?.();
    if (draw() < failing) throw failure(draw());
    const shown = this.#shown(window, draw() < stale ? this.now - staleMs : this.now);
    return this.#capped(shown, offset, pageSize);
  };

  #shown(window: Window, asOf: number): Stored[] {
    const { byClock, wholeEnd } = this.#times;
    const from = byClock ? window.from : this.#momentOf(window.from);
    const to = (byClock ? window.to : this.#momentOf(window.to)) + (wholeEnd ? MINUTE - 1 : 0);
    return this.#stored
      .filter(({ publishedMs, clockMs, visibleMs }) => {
        const at = byClock ? clockMs : publishedMs;
        return visibleMs <= asOf && at >= from && at <= to;
      })
      .toSorted(LISTED[this.#faults.listed ?? 'newest']);
  }

  #capped(shown: readonly Stored[], offset: number, pageSize: number) {
    const { reach = Number.POSITIVE_INFINITY, beyond = 'empty' } = this.#faults;
    const total = beyond === 'total' ? Math.min(shown.length, reach) : shown.length;
    if (offset >= reach && shown.length > 0) {
      const facts = { status: beyond === 'refused' ? 400 : 500, messages: ['too deep'] };
      if (beyond === 'refused' || beyond === 'broken') throw new ServiceError('too deep', facts);
    }
    return { documents: shown.slice(offset, Math.min(offset + pageSize, reach)), total, offset };
  }
}

function failure(draw: number): Error {
  if (draw < 0.5) return new ServiceDownError('no answer');
  return new ServiceError('overloaded', { status: 503, messages: ['overloaded'] });
}
