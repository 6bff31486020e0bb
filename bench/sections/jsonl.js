// @ts-check
import { docferryValidate, jq } from '../contestants.js';
import { reviews } from '../data.js';
import { compare } from '../figures.js';
import { runRounds } from '../rounds.js';

/** The same reviews as JSON Lines. @type {import('../settings.js').Section} */
export async function jsonl({ rows, rounds }) {
  const lines = await reviews(rows, 'jsonl');
  const { csv, ours, other } = await runRounds(
    {
      csv: docferryValidate('docferry validate, CSV', await reviews(rows), rows),
      ours: docferryValidate('docferry validate, JSON Lines', lines, rows),
      other: jq(lines, rows),
    },
    rounds,
  );
  return { results: [csv, ours, other], verdicts: [compare(csv, ours, { atLeast: 1.5 })] };
}
