// @ts-check
/** Lets contestants run in turn, round by round, and keeps the samples of each. */
import { measure } from './measure.js';

/** @typedef {import('./measure.js').Contestant} Contestant */
/** @typedef {import('./measure.js').Sample} Sample */

/**
 * What a contestant's runs took; the sample of a round stands at the same place for all.
 * @typedef {object} Result
 * @property {string} name
 * @property {number} records
 * @property {Sample[]} samples
 */

/**
 * A result for each contestant; those that are not installed stay undefined.
 * @template {Record<string, Contestant | undefined>} T
 * @typedef {{ [K in keyof T]: T[K] extends Contestant ? Result : Result | undefined }} Results
 */

/**
 * Every contestant runs once a round. Each round begins with the next one, so that none always
 * follows the same other.
 * @template {Record<string, Contestant | undefined>} T
 * @param {T} contestants
 * @param {number} rounds
 * @returns {Promise<Results<T>>} under the same names
 */
export async function runRounds(contestants, rounds) {
  const present = Object.entries(contestants).flatMap(([key, contestant]) => {
    if (contestant === undefined) return [];
    const { name, records } = contestant;
    /** @type {Result} */
    const result = { name, records, samples: [] };
    return [{ key, contestant, result }];
  });
  for (let round = 0; round < rounds; round += 1) {
    const first = round % present.length;
    for (const { contestant, result } of [...present.slice(first), ...present.slice(0, first)]) {
      showProgress(`round ${round + 1} of ${rounds}: ${contestant.name}`);
      result.samples.push(await measure(contestant));
    }
  }
  showProgress('');
  const results = Object.fromEntries(present.map(({ key, result }) => [key, result]));
  return /** @type {Results<T>} */ (results);
}

/** One line that is written over; on a terminal only. @param {string} line */
function showProgress(line) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}
