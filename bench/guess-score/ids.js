// @ts-check
/** Whether the ids of the documents are those of the reviews. */

/** @typedef {import('./truth.js').Truth} Truth */
/** @typedef {import('./score.js').Pair} Pair */

/**
 * Of a column, each id is compared. Of a hash, which columns went into it is left to the guess: it has
 * to tell the same reviews apart, and give a review that comes twice the same id.
 * @param {Truth['sourceId']} kind
 * @param {readonly Pair[]} pairs
 * @returns {boolean[]} for each pair whether its id is right
 */
export function rightIds(kind, pairs) {
  if (kind === 'column') {
    return pairs.map(({ expected, document }) => document.sourceId === String(expected.sourceId));
  }
  const told = groups(pairs.map(({ document }) => document.sourceId));
  const reviews = groups(pairs.map(({ expected }, at) => expected.review ?? `own ${at}`));
  return pairs.map((pair, at) => isHash(pair) && told[at] === reviews[at]);
}

/**
 * For each value, which places hold it.
 * @param {readonly unknown[]} values
 */
function groups(values) {
  /** @type {Map<unknown, number[]>} */
  const places = new Map();
  for (const [at, value] of values.entries()) places.set(value, [...(places.get(value) ?? []), at]);
  return values.map((value) => places.get(value)?.join(' '));
}

/**
 * @param {Pair} pair
 */
function isHash({ document, record }) {
  const id = document.sourceId ?? '';
  return /^[0-9a-f]{32}$/u.test(id) && !Object.values(record ?? {}).includes(id);
}
