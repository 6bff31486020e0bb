import type { Doubt, ReadBackSettings, ResolvedDoubt } from './doubt.js';
import type { Look } from './look.js';
import type { Acknowledged } from './port.js';
import { covered, type Window, windowAround } from './window.js';

/** How two looks that agree lie apart: by this share of the quiet time. */
const PAUSE_SHARE = 0.1;

/** A sourceId with half a character doesn't come back from the service as it was sent. */
const HALF_A_CHARACTER = /\p{Cs}/u;

/** What to go by in judging a look. */
interface Grounds {
  /** The quiet time of now, in milliseconds. */
  readonly quietMs: number;
  /** Why the look is stale, as half a sentence; `null`: it isn't. */
  readonly stale: string | null;
}

/** When absence can show at the earliest, milliseconds since 1970. */
export function absenceShowsMs(
  endedMs: number,
  { quietMs, timeoutMs }: Pick<ReadBackSettings, 'quietMs' | 'timeoutMs'>,
): number {
  return endedMs + 2 * Math.max(quietMs, timeoutMs);
}

/**
 * What is known of one doubt. A document that showed is there. What is missing is taken to be
 * absent once two complete looks agree that were begun when two quiet times had passed since the
 * request: one for the service to apply it, one for that to show. The second of them must show a
 * document that was acknowledged after the request.
 */
export class DoubtCase {
  /** What to read for it. */
  readonly window: Window;
  readonly #doubt: Doubt;
  /** When quiet begins: the clock that told the request's end may have been set back since. */
  readonly #quietFromMs: number;
  readonly #giveUpAtMs: number;
  /** Indexes of the documents that can be looked for. */
  readonly #sought: readonly number[];
  readonly #accepted = new Set<number>();
  readonly #twice = new Set<number>();
  /** What the last look that counts showed. */
  #counted: string | undefined;
  /** Whether one more look may settle it. */
  #oneMore = false;
  /** Whether that was waited for although it was time to give up: a long reading is not to be in vain. */
  #granted = false;
  #end: 'found' | 'absent' | 'undecided' | undefined;
  #needsProof = false;
  #lookedMs: number | undefined;
  #reason = 'nothing was read yet';

  /** @param nowMs when looking begins, milliseconds since 1970 */
  constructor(doubt: Doubt, nowMs: number, { quietMs, timeoutMs, giveUpMs }: ReadBackSettings) {
    this.#doubt = doubt;
    this.window = windowAround(doubt.published);
    this.#quietFromMs = Math.min(doubt.endedMs, nowMs);
    const leastMs = absenceShowsMs(this.#quietFromMs, { quietMs, timeoutMs });
    this.#giveUpAtMs = Math.max(nowMs, leastMs) + giveUpMs;
    this.#sought = [...doubt.ids.keys()].filter((index) => this.#idAt(index) !== undefined);
    if (this.#sought.length === 0) this.#end = 'found';
  }

  get open(): boolean {
    return this.#end === undefined;
  }

  /** The sourceIds that are to be looked for. */
  get soughtIds(): readonly string[] {
    return this.#sought.flatMap((index) => this.#idAt(index) ?? []);
  }

  /** Whether a look begun now can show absence. */
  ready(nowMs: number, quietMs: number): boolean {
    return nowMs >= this.#quietFromMs + 2 * quietMs;
  }

  /** When to look next, milliseconds since 1970. @param pauseMs between looks that decide nothing */
  nextLookMs(nowMs: number, quietMs: number, pauseMs: number): number {
    const readyMs = this.#quietFromMs + 2 * quietMs;
    if (this.#oneMore) return Math.max(readyMs, nowMs + PAUSE_SHARE * quietMs);
    const next = readyMs > nowMs ? Math.min(readyMs, nowMs + pauseMs) : nowMs + pauseMs;
    return Math.min(next, Math.max(this.#giveUpAtMs, nowMs + 1));
  }

  /** Whether this proves, when it shows, that looks show what came after the request. */
  isProof = ({ acknowledgedMs }: Acknowledged): boolean => acknowledgedMs > this.#doubt.endedMs;

  /** Judges a look. */
  weigh(look: Look, { quietMs, stale }: Grounds): void {
    this.#lookedMs = look.startedMs;
    const shown = this.#noteShown(look);
    this.#oneMore = false;
    if (this.#accepted.size === this.#sought.length) {
      this.#end = 'found';
      return;
    }
    const flaw = this.#flawOf(look, quietMs) ?? stale;
    if (flaw === null) this.#weighFlawless(look, shown);
    else this.#reason = flaw;
    if (this.open && (look.ended || this.#overdue(look.startedMs))) this.#end = 'undecided';
  }

  result(): ResolvedDoubt {
    const indexes = [...this.#doubt.ids.keys()];
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
      lookedAfterMs: this.#lookedMs === undefined ? null : this.#lookedMs - this.#quietFromMs,
      reason: undecided.length === 0 ? null : this.#reasonFor(rest.length > absent.length),
    };
  }

  #reasonFor(soughtInVain: boolean): string {
    if (soughtInVain) return this.#reason;
    return 'documents without a usable sourceId can not be looked for';
  }

  /** Goes by when a look began, or one that takes long would be the last one whatever it shows. */
  #overdue(startedMs: number): boolean {
    if (startedMs < this.#giveUpAtMs) return false;
    if (!this.#oneMore || this.#granted) return true;
    this.#granted = true;
    return false;
  }

  /** Gives which of the documents show in this look, in a form that can be compared. */
  #noteShown({ times }: Look): string {
    const shown = this.#sought.filter((index) => times(this.#idAt(index) as string) > 0);
    for (const index of shown) {
      this.#accepted.add(index);
      if (times(this.#idAt(index) as string) > 1) this.#twice.add(index);
    }
    return shown.join();
  }

  /** Why a look says nothing of absence; `null`: it does. */
  #flawOf({ startedMs, complete, broken }: Look, quietMs: number): string | null {
    if (!covered(this.window, complete)) return broken ?? 'its window was not read';
    if (this.ready(startedMs, quietMs)) return null;
    const seconds = Math.ceil((this.#quietFromMs + 2 * quietMs - startedMs) / 1_000);
    return `they may still come: absence shows ${seconds} s later at the earliest`;
  }

  #weighFlawless({ acknowledged, times }: Look, shown: string): void {
    const agreed = this.#counted === shown;
    this.#counted = shown;
    if (!agreed) {
      this.#oneMore = true;
      this.#reason = 'no two readings one after the other agreed';
      return;
    }
    const proofs = acknowledged.filter(this.isProof);
    if (proofs.some(({ sourceId }) => times(sourceId) > 0)) {
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
    const id = this.#doubt.ids[index] ?? null;
    return id === null || HALF_A_CHARACTER.test(id) ? undefined : id;
  }
}
