/** What is looked back at when the service is pressed. */
const SPAN_MS = 2_000;
const SHORTEST_SPAN_MS = 1_000;
const MOST_REMEMBERED = 4_096;
/** Refusals beyond this share of the answers are no accident. */
const ACCIDENTS = 0.1;
/** A little below what was taken, so that the service can recover. */
const STEP_BACK = 0.95;
const LOWEST_RATE = 1;
/** How long a rate is kept before more is tried; twice as long each time it proves right. */
const SHORTEST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 10_000;
/** Rates that differ by less are the same. */
const SAME_RATE = 0.2;
/** Growth a second, once more is tried: tenfold more is found within six seconds. */
const GROWTH = 1.5;

/**
 * Learns how many requests a second the service takes, from what it takes while it refuses others.
 * Requests at a time can't say that: one at a time may be too many for a service that is quick and
 * counts. Time is given in milliseconds.
 */
export class LearnedRate {
  readonly #startedAt: number;
  #answers: { readonly at: number; readonly taken: boolean }[] = [];
  #rate = Number.POSITIVE_INFINITY;
  #keptUntil = 0;
  #holdMs = SHORTEST_HOLD_MS;

  constructor(now: number) {
    this.#startedAt = now;
  }

  /** @param taken whether the service took the request on, rather than refusing it unseen */
  answered(now: number, taken: boolean): void {
    this.#answers.push({ at: now, taken });
    // Old answers go now and then, not each time.
    if (this.#answers.length > MOST_REMEMBERED) this.#answers = this.#recent(now);
  }

  /** Whether so much is refused that there is too much of it, rather than a hiccup. */
  overloaded(now: number): boolean {
    const recent = this.#recent(now);
    const refused = recent.filter(({ taken }) => !taken).length;
    return refused > recent.length * ACCIDENTS;
  }

  /**
   * The service can't take more than it did.
   * @param from when sending goes on
   */
  reached(now: number, from: number): void {
    const span = Math.min(SPAN_MS, Math.max(SHORTEST_SPAN_MS, now - this.#startedAt));
    const taken = this.#recent(now).filter((answer) => answer.taken).length;
    const rate = Math.max(LOWEST_RATE, ((taken * 1000) / span) * STEP_BACK);
    const confirmed = Math.abs(rate - this.#rate) <= SAME_RATE * rate;
    this.#holdMs = confirmed ? Math.min(LONGEST_HOLD_MS, this.#holdMs * 2) : SHORTEST_HOLD_MS;
    this.#rate = rate;
    this.#keptUntil = from + this.#holdMs;
  }

  /** Most requests a second now. */
  at(now: number): number {
    const grownFor = Math.max(0, now - this.#keptUntil);
    return this.#rate * GROWTH ** (grownFor / 1000);
  }

  #recent(now: number): { readonly at: number; readonly taken: boolean }[] {
    const first = this.#answers.findIndex(({ at }) => now - at < SPAN_MS);
    return first === -1 ? [] : this.#answers.slice(first);
  }
}
