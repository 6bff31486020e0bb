// @ts-check
import { docferryValidate } from '../contestants.js';
import { reviews } from '../data.js';
import { compare } from '../figures.js';
import { runRounds } from '../rounds.js';

/** Ten times the rows. @type {import('../settings.js').Section} */
export async function linear({ rows, rounds }) {
  const many = rows * 10;
  const { short, long } = await runRounds(
    {
      short: docferryValidate('docferry validate', await reviews(rows), rows),
      long: docferryValidate('docferry validate, ten times', await reviews(many), many),
    },
    rounds,
  );
  return { results: [short, long], verdicts: [compare(long, short, { atMost: 10.5 })] };
}
