/** Chance that comes out the same for the same seed. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  /** A whole number from 0 to `most`; small ones are far more frequent. */
  skewed(most: number): number;
  chance(probability: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
  /** Like `pick`, but no item comes a second time before all came once. */
  deal<Item>(list: readonly Item[]): Item;
  /** Picks a key; the numbers say how often each comes, beside the others. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
}

/** Starts the sequence that belongs to a seed, a whole number. */
export function createRandom(seed: number): Random {
  const next = mulberry32(seed);
  const decks = new Map<readonly unknown[], unknown[]>();
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <Item>(list: readonly Item[]) => list[between(0, list.length - 1)] as Item;
  return {
    next,
    between,
    skewed: (most) => {
      const share = next();
      return Math.floor(share * share * share * (most + 1));
    },
    chance: (probability) => next() < probability,
    pick,
    deal: <Item>(list: readonly Item[]) => {
      const left = decks.get(list)?.length ? (decks.get(list) as Item[]) : [...list];
      decks.set(list, left);
      return left.splice(between(0, left.length - 1), 1)[0] as Item;
    },
    weighted: (weights) => weightedKey(weights, next()),
  };
}

/** The generator known as Mulberry32: small, and good enough for a made world. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function weightedKey<Key extends string>(
  weights: Readonly<Record<Key, number>>,
  share: number,
): Key {
  const entries = Object.entries(weights) as [Key, number][];
  let left = share * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [key, weight] of entries) {
    left -= weight;
    if (left < 0) return key;
  }
  return (entries.at(-1) as [Key, number])[0];
}
