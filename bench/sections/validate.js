// @ts-check
import { docferryValidate, duckdb, handWrittenValidate, miller } from '../contestants.js';
import { reviews } from '../data.js';
import { compare } from '../figures.js';
import { runRounds } from '../rounds.js';

/** Mapping and checking a CSV. @type {import('../settings.js').Section} */
export async function validate({ rows, rounds }) {
  const file = await reviews(rows);
  const { ours, byHand, mlr, duck } = await runRounds(
    {
      ours: docferryValidate('docferry validate', file, rows),
      byHand: handWrittenValidate(file, rows),
      mlr: miller(file, rows),
      duck: duckdb(file, rows),
    },
    rounds,
  );
  return {
    results: [ours, byHand, mlr, duck],
    verdicts: [
      compare(byHand, ours, { atLeast: 6, aim: 10 }),
      ...(mlr === undefined ? [] : [compare(mlr, ours, { atLeast: 1 })]),
      compare(ours, duck, { atMost: 4, aim: 2.5 }),
    ],
  };
}
