import type { Acknowledged, PublishedWindow } from '../../model/documents.js';
import type { WindowsReading } from './windows-reading.js';

export interface UnconfirmedRequest {
  /** sourceIds of the documents; one that is `null` can't be reconciled and stays undecided. */
  readonly ids: readonly (string | null)[];
  /** First and last `published` of the documents, ISO 8601 in UTC; `null` if unknown. */
  readonly published: PublishedWindow | null;
  /** End of the request (or its start, if a crash cut it off), in milliseconds since 1970. */
  readonly endedMs: number;
}

/**
 * Result of reconciling a request. Each index into its `ids` is in exactly one of the first three
 * lists.
 */
export interface Reconciled {
  /** Documents that the service shows. A document that was there before the request counts, too. */
  readonly accepted: readonly number[];
  /**
   * Documents that are missing, and won't appear if the service applies a request within the settle
   * time. If it takes longer, resending them makes duplicates.
   */
  readonly absent: readonly number[];
  readonly undecided: readonly number[];
  /** Documents in `accepted` that the service shows more than once. */
  readonly shownTwice: readonly number[];
  /**
   * Whether all that is lacking is a document acknowledged after the request. Wait for one, or send
   * one of the undecided as a canary, and reconcile again.
   */
  readonly needsCanary: boolean;
  /** Whether documents stayed undecided because the service was down for too long. */
  readonly isDown: boolean;
  /**
   * From the request's end to the start of the last reading, in milliseconds; `null` if there was
   * none.
   */
  readonly readAfterMs: number | null;
  /** Reason why documents stayed undecided; `null` if none did. */
  readonly reason: string | null;
}

/** Timeouts of reconciliation, in milliseconds. */
export interface ReconciliationSettings {
  /** Shortest settle time, typically 60,000. */
  readonly settleMs: number;
  /** Timeout of a request: the settle time is at least as long. */
  readonly timeoutMs: number;
  /** How long to keep reading once absence can show; then the rest stays undecided. */
  readonly giveUpMs: number;
  /** Longest outage, if longer than `giveUpMs`; default 0. */
  readonly maxOutageMs?: number;
}

/** Settle time, unless the service is seen to be slower. */
export function minSettleMs({
  settleMs,
  timeoutMs,
}: Pick<ReconciliationSettings, 'settleMs' | 'timeoutMs'>): number {
  return Math.max(settleMs, timeoutMs);
}

/** Earliest time at which a reading can show absence, in milliseconds since 1970. */
export function absenceShowsMs(endedMs: number, settleMs: number): number {
  return endedMs + 2 * settleMs;
}

/** Time between two readings that have to agree, as a share of the settle time. */
const PAUSE_SHARE = 0.1;

/** The service doesn't return a sourceId with a lone surrogate as it was sent. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Evidence about one request. A document that was shown is there. A missing one counts as absent
 * once two complete readings agree that began at least two settle times after the request: one for
 * the service to apply it, one for it to show. The second reading must also show a document that
 * was acknowledged after the request.
 */
export class RequestCase {
  readonly #request: UnconfirmedRequest;
  /** Start of the settle time; earlier than `endedMs` if the clock was set back meanwhile. */
  readonly #settlesFromMs: number;
  readonly #giveUpAtMs: number;
  readonly #outageUntilMs: number;
  /** sourceIds of the documents that can be reconciled, by index. */
  readonly #sought: ReadonlyMap<number, string>;
  readonly #accepted = new Set<number>();
  readonly #shownTwice = new Set<number>();
  /** Documents shown by the last conclusive reading. */
  #lastShown: string | undefined;
  /** Another reading has to agree with the last one. */
  #awaitsAgreement = false;
  /** That reading was allowed after the time to give up; no further one is. */
  #isOvertime = false;
  #end: 'nothing sought' | 'found' | 'absent' | 'needs canary' | 'undecided' | undefined;
  #isDown = false;
  #readMs: number | undefined;
  #reason = 'nothing was read yet';

  /** @param nowMs start of reconciliation, in milliseconds since 1970 */
  constructor(request: UnconfirmedRequest, nowMs: number, settings: ReconciliationSettings) {
    this.#request = request;
    this.#settlesFromMs = Math.min(request.endedMs, nowMs);
    const leastMs = absenceShowsMs(this.#settlesFromMs, minSettleMs(settings));
    this.#giveUpAtMs = Math.max(nowMs, leastMs) + settings.giveUpMs;
    this.#outageUntilMs = nowMs + (settings.maxOutageMs ?? 0);
    this.#sought = new Map(
      [...request.ids.entries()].filter(
        (entry): entry is [number, string] => entry[1] !== null && !LONE_SURROGATE.test(entry[1]),
      ),
    );
    if (this.#sought.size === 0) this.#end = 'nothing sought';
  }

  get isOpen(): boolean {
    return this.#end === undefined;
  }

  get published(): PublishedWindow | null {
    return this.#request.published;
  }

  get soughtIds(): Iterable<string> {
    return this.#sought.values();
  }

  /** Returns whether some documents show neither in this reading nor in an earlier one. */
  hasMissing({ sightings }: WindowsReading): boolean {
    return [...this.#sought].some(
      ([index, id]) => !this.#accepted.has(index) && !sightings.shows(id),
    );
  }

  isReady(nowMs: number, settleMs: number): boolean {
    return nowMs >= absenceShowsMs(this.#settlesFromMs, settleMs);
  }

  /**
   * Time of the next reading, in milliseconds since 1970.
   * @param pauseMs between readings that decide nothing
   */
  nextReadingMs(nowMs: number, settleMs: number, pauseMs: number): number {
    const readyMs = absenceShowsMs(this.#settlesFromMs, settleMs);
    if (this.#awaitsAgreement) return Math.max(readyMs, nowMs + PAUSE_SHARE * settleMs);
    const next = readyMs > nowMs ? Math.min(readyMs, nowMs + pauseMs) : nowMs + pauseMs;
    return Math.min(next, Math.max(this.#giveUpAtMs, nowMs + 1));
  }

  /**
   * Whether this document, once shown, proves that readings show documents stored after the
   * request.
   */
  readonly provesFreshness = ({ acknowledgedMs }: Acknowledged): boolean =>
    acknowledgedMs > this.#request.endedMs;

  /**
   * Updates the decision with a reading.
   * @param settleMs the current settle time
   * @param flaw why its acknowledged documents show that it can't prove absence
   */
  evaluate(reading: WindowsReading, settleMs: number, flaw: string | null): void {
    this.#readMs = reading.startedMs;
    this.#awaitsAgreement = false;
    const shown = this.#noteShown(reading);
    if (this.#accepted.size === this.#sought.size) {
      this.#end = 'found';
      return;
    }
    const unsure = this.#inconclusive(reading, settleMs) ?? flaw;
    const reason = unsure ?? this.#conclude(reading, shown);
    if (reason !== null) this.#reason = reason;
    const { ended = false, isDown = false } = reading.broken ?? {};
    this.#isDown = this.isOpen && isDown;
    if (!this.isOpen || (isDown && !ended && reading.startedMs < this.#outageUntilMs)) return;
    if (ended || this.#overdue(reading.startedMs)) this.#end = 'undecided';
  }

  /**
   * Records which documents the reading shows.
   * @returns their indexes, as a text to compare readings by
   */
  #noteShown({ sightings }: WindowsReading): string {
    const shown = [...this.#sought].filter(([, id]) => sightings.shows(id));
    for (const [index, id] of shown) {
      this.#accepted.add(index);
      if (sightings.showsTwice(id)) this.#shownTwice.add(index);
    }
    return shown.map(([index]) => index).join();
  }

  /** Explains why a reading can't show absence; `null` if it can. */
  #inconclusive(reading: WindowsReading, settleMs: number): string | null {
    const isCovered = reading.covers(this.published, 'wide');
    if (!isCovered && reading.broken) return reading.broken.message;
    if (this.isReady(reading.startedMs, settleMs))
      return isCovered ? null : 'its window was not read';
    const leftMs = absenceShowsMs(this.#settlesFromMs, settleMs) - reading.startedMs;
    return `they may still appear: absence is certain in ${Math.ceil(leftMs / 1_000)} s at the earliest`;
  }

  /**
   * Decides by a reading that can show absence.
   * @returns why the documents don't count as absent; `null` if they do
   */
  #conclude({ acknowledged, sightings }: WindowsReading, shown: string): string | null {
    const agreed = this.#lastShown === shown;
    this.#lastShown = shown;
    if (!agreed) {
      this.#awaitsAgreement = true;
      return 'no two consecutive readings agreed';
    }
    const proofs = acknowledged.filter(this.provesFreshness);
    if (proofs.length === 0) {
      this.#end = 'needs canary';
      return 'no document was acknowledged after their request, so readings may be out of date';
    }
    if (!proofs.some(({ sourceId }) => sightings.shows(sourceId))) {
      return 'none of the documents acknowledged after their request shows yet';
    }
    this.#end = 'absent';
    return null;
  }

  /**
   * Returns whether it is time to give up. Measured at the start of a reading, or a long one would
   * always be the last.
   */
  #overdue(startedMs: number): boolean {
    if (startedMs < this.#giveUpAtMs) return false;
    if (!this.#awaitsAgreement || this.#isOvertime) return true;
    this.#isOvertime = true;
    return false;
  }

  result(): Reconciled {
    const indexes = [...this.#request.ids.keys()];
    const accepted = indexes.filter((index) => this.#accepted.has(index));
    const missing = indexes.filter((index) => !this.#accepted.has(index));
    const isAbsent = (index: number): boolean => this.#end === 'absent' && this.#sought.has(index);
    const undecided = missing.filter((index) => !isAbsent(index));
    const reason = undecided.some((index) => this.#sought.has(index))
      ? this.#reason
      : "documents without a usable sourceId can't be reconciled";
    return {
      accepted,
      absent: missing.filter(isAbsent),
      undecided,
      shownTwice: accepted.filter((index) => this.#shownTwice.has(index)),
      needsCanary: this.#end === 'needs canary',
      isDown: this.#isDown && undecided.length > 0,
      readAfterMs: this.#readMs === undefined ? null : this.#readMs - this.#settlesFromMs,
      reason: undecided.length === 0 ? null : reason,
    };
  }
}
