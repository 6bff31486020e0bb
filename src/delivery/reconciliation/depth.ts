import type { PagesEnd } from './page-sequence.js';

/** What is learnt of how deep the service gives pages, while the parts of a window are read. */
export class Depth {
  #reach = Number.POSITIVE_INFINITY;
  #totalsCapped = false;
  #most = 0;

  /** The most documents that the service said there are in what could not be read as a whole. */
  get said(): number {
    return this.#most;
  }

  /**
   * How many documents a part may have to be read as it is. One that can't be halved is tried all
   * the same: the reach may have been that of a bad moment. Unless totals are capped, since within
   * a minute nothing would tell.
   */
  reachFor(canBeHalved: boolean): number {
    return canBeHalved || this.#totalsCapped ? this.#reach : Number.POSITIVE_INFINITY;
  }

  note({ reach, total }: Extract<PagesEnd, { kind: 'too-deep' }>): void {
    const capped = total <= reach;
    this.#totalsCapped ||= capped;
    // From a capped total on, there may be more.
    this.#reach = Math.min(this.#reach, capped ? reach - 1 : reach);
    this.#most = Math.max(this.#most, total);
  }
}
