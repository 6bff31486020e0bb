/** A range of document ids, both ends included. */
export type IdRange = readonly [first: number, last: number];

/**
 * Documents that are stored and do not show yet, as the service's own need a short time. Kept in
 * memory: after a restart all of them show, and to other processes they always do.
 */
export interface Visibility {
  /** Hides these documents for so many milliseconds from now. */
  hide(ids: IdRange, forMs: number): void;
  /** What is hidden now. */
  hidden(): IdRange[];
}

/** Starts with everything visible. */
export function createVisibility(): Visibility {
  let delays: { readonly ids: IdRange; readonly until: number }[] = [];
  return {
    hide: (ids, forMs) => void delays.push({ ids, until: performance.now() + forMs }),
    hidden: () => {
      const now = performance.now();
      delays = delays.filter(({ until }) => until > now);
      return delays.map(({ ids }) => ids);
    },
  };
}
