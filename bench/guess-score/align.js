// @ts-check
/**
 * Which document belongs to which record of the truth. Both are in the file's order, so as long as
 * there are as many they go by number. A guess that takes a title line for a record, or a record for
 * the header, has more or fewer: then those go together, in order, that agree in most fields.
 */
import { isSame, VALUE_OF } from './values.js';

/** @typedef {import('./truth.js').TruthRecord} TruthRecord */
/** @typedef {import('../../dist/index.js').PreviewedRecord} PreviewedRecord */

const COMPARED = /** @type {const} */ (['text', 'score', 'username', 'language']);

/**
 * @param {readonly TruthRecord[]} truth
 * @param {readonly PreviewedRecord[]} previewed
 * @returns {{ expected: TruthRecord | undefined, told: PreviewedRecord | undefined }[]} each of both once
 */
export function align(truth, previewed) {
  if (truth.length === previewed.length) {
    return truth.map((expected, at) => ({ expected, told: previewed[at] }));
  }
  return longestAgreement(truth, previewed);
}

/**
 * @param {readonly TruthRecord[]} truth
 * @param {readonly PreviewedRecord[]} previewed
 */
function longestAgreement(truth, previewed) {
  const best = agreements(truth, previewed);
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < truth.length || j < previewed.length) {
    const here = best[i]?.[j] ?? 0;
    const skipsTruth = i < truth.length && here === (best[i + 1]?.[j] ?? 0);
    if (j >= previewed.length || skipsTruth) {
      pairs.push({ expected: truth[i], told: undefined });
      i += 1;
    } else if (i >= truth.length || here === (best[i]?.[j + 1] ?? 0)) {
      pairs.push({ expected: undefined, told: previewed[j] });
      j += 1;
    } else {
      pairs.push({ expected: truth[i], told: previewed[j] });
      i += 1;
      j += 1;
    }
  }
  return pairs;
}

/**
 * For what is left from each two places on, the most fields that can agree.
 * @param {readonly TruthRecord[]} truth
 * @param {readonly PreviewedRecord[]} previewed
 */
function agreements(truth, previewed) {
  const best = Array.from({ length: truth.length + 1 }, () =>
    new Array(previewed.length + 1).fill(0),
  );
  for (let i = truth.length - 1; i >= 0; i -= 1) {
    for (let j = previewed.length - 1; j >= 0; j -= 1) {
      const paired = agreement(truth[i], previewed[j]) + best[i + 1]?.[j + 1];
      best[i]?.splice(j, 1, Math.max(paired, best[i + 1]?.[j], best[i]?.[j + 1]));
    }
  }
  return best;
}

/**
 * @param {TruthRecord | undefined} expected
 * @param {PreviewedRecord | undefined} told
 */
function agreement(expected, told) {
  const document = told?.document;
  if (!expected || !document) return 0;
  return COMPARED.filter((field) => {
    const value = VALUE_OF[field](document);
    return value !== undefined && isSame(field, value, expected[field]);
  }).length;
}
