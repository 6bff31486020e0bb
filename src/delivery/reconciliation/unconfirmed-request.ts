import type { PublishedWindow } from '../../model/documents.js';
import type { Acknowledged, Sightings, WindowsReading } from './sightings.js';
import { covered } from './window.js';

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
export function absenceShowsMs(endedMs: number, settings: ReconciliationSettings): number {
  return endedMs + 2 * minSettleMs(settings);
}

/** How two readings that agree lie apart: by this share of the settle time. */
const PAUSE_SHARE = 0.1;

/** A sourceId with a lone surrogate doesn't come back from the service as it was sent. */
const LONE_SURROGATE = /\p{Cs}/u;

/** What to go by in judging a reading. */
interface Grounds {
  /** The settle time of now, in milliseconds. */
  readonly settleMs: number;
  /** Why the reading is stale, as half a sentence; `null`: it isn't. */
  readonly stale: string | null;
}

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
  /** Indexes of the documents that can be reconciled. */
  readonly #sought: readonly number[];
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
    const leastMs = absenceShowsMs(this.#settlesFromMs, settings);
    this.#giveUpAtMs = Math.max(nowMs, leastMs) + settings.giveUpMs;
    this.#outageUntilMs = nowMs + (settings.maxOutageMs ?? 0);
    this.#sought = [...request.ids.keys()].filter((index) => this.#idAt(index) !== undefined);
    if (this.#sought.length === 0) this.#end = 'found';
  }

  get open(): boolean {
    return this.#end === undefined;
  }

  /** The sourceIds that are sought. */
  get soughtIds(): readonly string[] {
    return this.#sought.flatMap((index) => this.#idAt(index) ?? []);
  }

  /** Between which moments its documents were published. */
  get published(): PublishedWindow | null {
    return this.#request.published;
  }

  /** Whether there are documents that neither showed before nor do now. */
  lacksSome(sightings: Sightings): boolean {
    return this.#sought.some(
      (index) => !this.#accepted.has(index) && !sightings.shows(this.#idAt(index) as string),
    );
  }

  /** Whether a reading begun now can show absence. */
  ready(nowMs: number, settleMs: number): boolean {
    return nowMs >= this.#settlesFromMs + 2 * settleMs;
  }

  /** When to read next, milliseconds since 1970. @param pauseMs between readings that decide nothing */
  nextReadingMs(nowMs: number, settleMs: number, pauseMs: number): number {
    const readyMs = this.#settlesFromMs + 2 * settleMs;
    if (this.#oneMore) return Math.max(readyMs, nowMs + PAUSE_SHARE * settleMs);
    const next = readyMs > nowMs ? Math.min(readyMs, nowMs + pauseMs) : nowMs + pauseMs;
    return Math.min(next, Math.max(this.#giveUpAtMs, nowMs + 1));
  }

  /** Whether this proves, when it shows, that readings show what came after the request. */
  isProof = ({ acknowledgedMs }: Acknowledged): boolean => acknowledgedMs > this.#request.endedMs;

  /** Judges a reading. */
  weigh(reading: WindowsReading, { settleMs, stale }: Grounds): void {
    this.#readMs = reading.startedMs;
    const shown = this.#noteShown(reading);
    this.#oneMore = false;
    if (this.#accepted.size === this.#sought.length) {
      this.#end = 'found';
      return;
    }
    const flaw = this.#flawOf(reading, settleMs) ?? stale;
    if (flaw === null) this.#weighFlawless(reading, shown);
    else this.#reason = flaw;
    this.#isDown = this.open && reading.isDown;
    if (this.#isDown && !reading.ended && reading.startedMs < this.#outageUntilMs) return;
    if (this.open && (reading.ended || this.#overdue(reading.startedMs))) this.#end = 'undecided';
  }

  result(): Reconciled {
    const indexes = [...this.#request.ids.keys()];
    const rest = this.#sought.filter((index) => !this.#accepted.has(index));
    const absent = this.#end === 'absent' ? rest : [];
    const decided = new Set([...this.#accepted, ...absent]);
    const undecided = indexes.filter((index) => !decided.has(index));
    return {
      accepted: indexes.filter((index) => this.#accepted.has(index)),
      absent,
      undecided,
      twice: indexes.filter((index) => this.#twice.has(index)),
      needsProof: this.#needsProof,
      isDown: this.#isDown && undecided.length > 0,
      readAfterMs: this.#readMs === undefined ? null : this.#readMs - this.#settlesFromMs,
      reason: undecided.length === 0 ? null : this.#reasonFor(rest.length > absent.length),
    };
  }

  #reasonFor(soughtInVain: boolean): string {
    if (soughtInVain) return this.#reason;
    return 'documents without a usable sourceId can not be reconciled';
  }

  /** Goes by when a reading began, or one that takes long would be the last one whatever it shows. */
  #overdue(startedMs: number): boolean {
    if (startedMs < this.#giveUpAtMs) return false;
    if (!this.#oneMore || this.#granted) return true;
    this.#granted = true;
    return false;
  }

  /** Gives which of the documents show in this reading, in a form that can be compared. */
  #noteShown({ sightings }: WindowsReading): string {
    const shown = this.#sought.filter((index) => sightings.shows(this.#idAt(index) as string));
    for (const index of shown) {
      this.#accepted.add(index);
      if (sightings.showsTwice(this.#idAt(index) as string)) this.#twice.add(index);
    }
    return shown.join();
  }

  /** Why a reading says nothing of absence; `null`: it does. */
  #flawOf(reading: WindowsReading, settleMs: number): string | null {
    const { startedMs, complete, broken, windowOf } = reading;
    const isCovered = covered(windowOf(this.published), complete);
    if (!isCovered && broken !== null) return broken;
    if (this.ready(startedMs, settleMs)) return isCovered ? null : 'its window was not read';
    const seconds = Math.ceil((this.#settlesFromMs + 2 * settleMs - startedMs) / 1_000);
    return `they may still come: absence shows ${seconds} s later at the earliest`;
  }

  #weighFlawless({ acknowledged, sightings }: WindowsReading, shown: string): void {
    const agreed = this.#counted === shown;
    this.#counted = shown;
    if (!agreed) {
      this.#oneMore = true;
      this.#reason = 'no two readings one after the other agreed';
      return;
    }
    const proofs = acknowledged.filter(this.isProof);
    if (proofs.some(({ sourceId }) => sightings.shows(sourceId))) {
      this.#end = 'absent';
    } else if (proofs.length === 0) {
      this.#end = 'undecided';
      this.#needsProof = true;
      this.#reason =
        'nothing was acknowledged after their request, so nothing proves that readings show what came later';
    } else {
      this.#reason = 'no document that was acknowledged after their request shows yet';
    }
  }

  #idAt(index: number): string | undefined {
    const id = this.#request.ids[index] ?? null;
    return id === null || LONE_SURROGATE.test(id) ? undefined : id;
  }
}
