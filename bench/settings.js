// @ts-check
/** The flags of `npm run bench`. */
import { parseArgs } from 'node:util';

/**
 * @typedef {object} Settings
 * @property {readonly string[]} only names of the sections to run
 * @property {number} rounds how often each contestant runs
 * @property {number} rows of the export that most sections read
 * @property {number} latencyBatch documents in a request of the section latency
 */

/**
 * What one section measured: a row for each contestant, and sentences with their verdicts.
 * @typedef {object} Measured
 * @property {readonly (import('./rounds.js').Result | undefined)[]} results
 * @property {readonly string[]} verdicts
 */

/** @typedef {(settings: Settings) => Promise<Measured>} Section */

/**
 * @param {readonly string[]} sections all there are
 * @returns {Settings}
 */
export function readSettings(sections) {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: sections.join(',') },
      rounds: { type: 'string', default: '5' },
      rows: { type: 'string', default: '300000' },
      'latency-batch': { type: 'string', default: '100' },
    },
  });
  const only = values.only.split(',');
  const unknown = only.find((name) => !sections.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no section "${unknown}"; there are ${sections.join(', ')}.`);
  }
  return {
    only,
    rounds: positive('rounds', values.rounds),
    rows: positive('rows', values.rows),
    latencyBatch: positive('latency-batch', values['latency-batch']),
  };
}

/** @param {string} name @param {string} text */
function positive(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} is "${text}"; expected a whole number, at least 1.`);
}
