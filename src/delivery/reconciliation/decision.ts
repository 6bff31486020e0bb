import type { PublishedWindow } from '../../model/documents.js';
import type { Acknowledged, WindowsReading } from './evidence.js';

/** The documents of a request that nobody knows the outcome of. */
export interface UnconfirmedRequest {
  /** Their sourceIds. One that is `null` can't be reconciled and stays undecided. */
  readonly ids: readonly (string | null)[];
  /** The first and the last `published` among them, ISO 8601 in UTC; `null`: not known. */
  readonly published: PublishedWindow | null;
  /**
   * When the request ended, in milliseconds since 1970; for one that a crash cut off, when it
   * began.
   */
  readonly endedMs: number;
}

/** What reconciling made of a request. Every index into its `ids` stands in one of the first three. */
export interface Reconciled {
  /** They are there. So is one that the monitoring held before the request. */
  readonly accepted: readonly number[];
  /**
   * They are not there, and won't come if the service applies a request within the settle time.
   * Where it may take longer, sending them again makes duplicates.
   */
  readonly absent: readonly number[];
  readonly undecided: readonly number[];
  /** Those of `accepted` that the service showed more than once. */
  readonly twice: readonly number[];
  /**
   * Whether all that keeps the undecided from being absent is that nothing was acknowledged after
   * the request: nothing proves that readings show what came later. Once a document is
   * acknowledged, ask again. If there is no other left to send, one of the undecided will do; it
   * alone is then in danger of being there twice, and if it is, `twice` names it.
   */
  readonly needsProof: boolean;
  /** Whether they stayed undecided because the service could not be asked for too long. */
  readonly isDown: boolean;
  /** How long after the request's end the last reading began, in milliseconds; `null`: none was made. */
  readonly readAfterMs: number | null;
  /** Why something stayed undecided; `null`: nothing did. */
  readonly reason: string | null;
}

/** How patiently to reconcile. All in milliseconds. */
export interface ReconciliationSettings {
  /** The least settle time. 60,000 is usual. */
  readonly settleMs: number;
  /** How long the client waits for an answer: the settle time is no shorter. */
  readonly timeoutMs: number;
  /** How long to keep reading once the least settle time is over, before the rest stays undecided. */
  readonly giveUpMs: number;
  /** How long the service may be down, if that is longer; default 0. */
  readonly maxOutageMs?: number;
}

/** The settle time, as long as the service isn't seen to be slower. */
export function minSettleMs({
  settleMs,
  timeoutMs,
}: Pick<ReconciliationSettings, 'settleMs' | 'timeoutMs'>): number {
  return Math.max(settleMs, timeoutMs);
}

/** When absence can show at the earliest, milliseconds since 1970. */
export function absenceShowsMs(endedMs: number, settleMs: number): number {
  return endedMs + 2 * settleMs;
}

/** How two readings that agree lie apart: by this share of the settle time. */
const PAUSE_SHARE = 0.1;

/** A sourceId with a lone surrogate doesn't come back from the service as it was sent. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * What is known of one request. A document that showed is there. What is missing is taken to be
 * absent once two complete readings agree that were begun when two settle times had passed since the
 * request: one for the service to apply it, one for that to show. The second of them must show a
 * document that was acknowledged after the request.
 */
export class RequestCase {
  readonly #request: UnconfirmedRequest;
  /** When settling begins: the clock that told the request's end may have been set back since. */
  readonly #settlesFromMs: number;
  readonly #giveUpAtMs: number;
  readonly #outageUntilMs: number;
  /** The sourceIds of the documents that can be reconciled, by their index. */
  readonly #sought: ReadonlyMap<number, string>;
  readonly #accepted = new Set<number>();
  readonly #twice = new Set<number>();
  /** What the last reading that counts showed. */
  #counted: string | undefined;
  /** Whether one more reading may settle it. */
  #oneMore = false;
  /** Whether that was waited for although it was time to give up: a long reading is not to be in vain. */
  #granted = false;
  #end: 'found' | 'absent' | 'undecided' | undefined;
  #needsProof = false;
  #isDown = false;
  #readMs: number | undefined;
  #reason = 'nothing was read yet';

  /** @param nowMs when looking begins, milliseconds since 1970 */
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
    if (this.#sought.size === 0) this.#end = 'found';
  }

  get open(): boolean {
    return this.#end === undefined;
  }

  /** Between which moments its documents were published. */
  get published(): PublishedWindow | null {
    return this.#request.published;
  }

  /** The sourceIds that are sought. */
  get soughtIds(): Iterable<string> {
    return this.#sought.values();
  }

  /** Whether there are documents that neither showed before nor do now. */
  lacksSome({ sightings }: WindowsReading): boolean {
    return [...this.#sought].some(
      ([index, id]) => !this.#accepted.has(index) && !sightings.shows(id),
    );
  }

  /** Whether a reading begun now can show absence. */
  isReady(nowMs: number, settleMs: number): boolean {
    return nowMs >= absenceShowsMs(this.#settlesFromMs, settleMs);
  }

  /** When to read next, milliseconds since 1970. @param pauseMs between readings that decide nothing */
  nextReadingMs(nowMs: number, settleMs: number, pauseMs: number): number {
    const readyMs = absenceShowsMs(this.#settlesFromMs, settleMs);
    if (this.#oneMore) return Math.max(readyMs, nowMs + PAUSE_SHARE * settleMs);
    const next = readyMs > nowMs ? Math.min(readyMs, nowMs + pauseMs) : nowMs + pauseMs;
    return Math.min(next, Math.max(this.#giveUpAtMs, nowMs + 1));
  }

  /** Whether this proves, when it shows, that readings show what came after the request. */
  readonly isProof = ({ acknowledgedMs }: Acknowledged): boolean =>
    acknowledgedMs > this.#request.endedMs;

  /**
   * Judges a reading.
   * @param settleMs the settle time of now
   * @param flaw why its acknowledged documents say that it proves no absence
   */
  weigh(reading: WindowsReading, settleMs: number, flaw: string | null): void {
    this.#readMs = reading.startedMs;
    this.#oneMore = false;
    const shown = this.#noteShown(reading);
    if (this.#accepted.size === this.#sought.size) {
      this.#end = 'found';
      return;
    }
    const inconclusive =
      this.#inconclusive(reading, settleMs) ?? flaw ?? this.#conclude(reading, shown);
    if (inconclusive !== null) this.#reason = inconclusive;
    const { ended = false, isDown = false } = reading.broken ?? {};
    this.#isDown = this.open && isDown;
    if (!this.open || (isDown && !ended && reading.startedMs < this.#outageUntilMs)) return;
    if (ended || this.#overdue(reading.startedMs)) this.#end = 'undecided';
  }

  /** Gives which of the documents show in this reading, in a form that can be compared. */
  #noteShown({ sightings }: WindowsReading): string {
    const shown = [...this.#sought].filter(([, id]) => sightings.shows(id));
    for (const [index, id] of shown) {
      this.#accepted.add(index);
      if (sightings.showsTwice(id)) this.#twice.add(index);
    }
    return shown.map(([index]) => index).join();
  }

  /** Why a reading says nothing of absence; `null`: it does. */
  #inconclusive(reading: WindowsReading, settleMs: number): string | null {
    const isCovered = reading.covers(this.published, 'wide');
    if (!isCovered && reading.broken) return reading.broken.message;
    if (this.isReady(reading.startedMs, settleMs))
      return isCovered ? null : 'its window was not read';
    const leftMs = absenceShowsMs(this.#settlesFromMs, settleMs) - reading.startedMs;
    return `they may still come: absence shows ${Math.ceil(leftMs / 1_000)} s later at the earliest`;
  }

  /** Ends it by a reading that shows absence; if it can't yet, says why. */
  #conclude({ acknowledged, sightings }: WindowsReading, shown: string): string | null {
    const agreed = this.#counted === shown;
    this.#counted = shown;
    if (!agreed) {
      this.#oneMore = true;
      return 'no two readings one after the other agreed';
    }
    const proofs = acknowledged.filter(this.isProof);
    this.#needsProof = proofs.length === 0;
    if (this.#needsProof) {
      this.#end = 'undecided';
      return 'nothing was acknowledged after their request, so nothing proves that readings show what came later';
    }
    if (!proofs.some(({ sourceId }) => sightings.shows(sourceId))) {
      return 'no document that was acknowledged after their request shows yet';
    }
    this.#end = 'absent';
    return null;
  }

  /** Goes by when a reading began, or one that takes long would be the last one whatever it shows. */
  #overdue(startedMs: number): boolean {
    if (startedMs < this.#giveUpAtMs) return false;
    if (!this.#oneMore || this.#granted) return true;
    this.#granted = true;
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
      : 'documents without a usable sourceId can not be reconciled';
    return {
      accepted,
      absent: missing.filter(isAbsent),
      undecided,
      twice: accepted.filter((index) => this.#twice.has(index)),
      needsProof: this.#needsProof,
      isDown: this.#isDown && undecided.length > 0,
      readAfterMs: this.#readMs === undefined ? null : this.#readMs - this.#settlesFromMs,
      reason: undecided.length === 0 ? null : reason,
    };
  }
}
