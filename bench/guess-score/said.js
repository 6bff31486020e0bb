// @ts-check
/** What a guess says about a field: that it proposes a rule, and whether it asks somebody to look. */
import { FIELDS } from './truth.js';

/** @typedef {import('./truth.js').Field} Field */
/** @typedef {import('../../dist/index.js').Guess} Guess */

/**
 * @typedef {object} Said
 * @property {(field: Field) => boolean} proposed it has a rule
 * @property {(field: Field) => boolean} flagged its rule is low or has a TODO, or it is said to be missing
 * @property {(path: string) => boolean} flaggedPath the same for a field of a problem, such as `metrics.score`
 */

/**
 * @param {Guess} guess
 * @returns {Said}
 */
export function saidBy({ mapping, fields }) {
  const top = topOf(mapping);
  const missing = notFoundIn(top);
  const todos = top.split('TODO:').slice(1).join(' ');
  /** @param {string} path */
  const entries = (path) => fields.filter(({ field }) => `${field}.`.startsWith(`${path}.`));
  /** @param {string} path */
  const flaggedPath = (path) => {
    const own = entries(path);
    if (own.length > 0) return own.some(({ confidence, todo }) => confidence === 'low' || todo);
    const word = path.split('.').at(-1) ?? path;
    return missing.has(path) || new RegExp(`\\b${word}\\b`, 'u').test(todos);
  };
  return {
    proposed: (field) => entries(FIELDS[field]).length > 0,
    flagged: (field) => Boolean(flaggedPath(FIELDS[field])),
    flaggedPath: (path) => Boolean(flaggedPath(path)),
  };
}

/**
 * The comments above the first key, as one line.
 * @param {string} mapping
 */
function topOf(mapping) {
  const lines = mapping.split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('#'));
  return lines
    .slice(0, end)
    .join(' ')
    .replace(/\s*#\s*/gu, ' ');
}

/**
 * @param {string} top
 * @returns {Set<string>}
 */
function notFoundIn(top) {
  const list = /Not found in the file: (.*?)\.(?:\s|$)/u.exec(top)?.[1] ?? '';
  return new Set(list.split(',').map((name) => name.trim()));
}
