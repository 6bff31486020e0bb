// @ts-check
/** What an export's documents should be, as the truth file beside it says (test/guess/exports/README.md). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {string | number | { oneOf: (string | number)[] } | { damaged: true } | undefined} Expected */

/**
 * One record of the export, in its order. `doc` is false where no document should come of it, and
 * null where either will do; `review` numbers the reviews that come more than once.
 * @typedef {{ doc?: false | null, review?: number } & Partial<Record<Field, Expected>>} TruthRecord
 */

/**
 * @typedef {object} Truth
 * @property {'column' | 'hash'} sourceId
 * @property {Partial<Record<Field, string | { why: string, proposed: boolean }>>} ambiguous fields where a TODO is right
 * @property {Partial<Record<Field, string>>} unscored fields that are not looked at, and why
 * @property {string} [asOf]
 * @property {TruthRecord[]} records
 */

/** The fields that are compared, and what the guess calls each; `records` is whether a document comes of each record. */
export const FIELDS = /** @type {const} */ ({
  records: 'skip',
  sourceId: 'sourceId',
  text: 'text',
  score: 'metrics.score',
  published: 'published',
  language: 'language',
  url: 'url',
  username: 'author.username',
  authorId: 'author.sourceId',
  country: 'detectedLocations.country',
  state: 'detectedLocations.state',
  city: 'detectedLocations.city',
  likes: 'metrics.likes',
  comments: 'metrics.comments',
  shares: 'metrics.shares',
});

/** @typedef {keyof typeof FIELDS} Field */

/**
 * The exports of a folder, each with its truth.
 * @param {string} folder
 * @returns {{ name: string, input: string, truth: Truth }[]}
 */
export function exportsIn(folder) {
  const files = readdirSync(folder).sort();
  return files.flatMap((file) => {
    if (!file.endsWith('.truth.json')) return [];
    const stem = file.slice(0, -'truth.json'.length);
    const name = files.find((other) => other.startsWith(stem) && other !== file);
    if (name === undefined) throw new Error(`${path.join(folder, file)} has no export beside it`);
    const truth = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    return [{ name, input: path.join(folder, name), truth }];
  });
}
