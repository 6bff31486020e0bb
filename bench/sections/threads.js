// @ts-check
import { docferryValidate, knowsThreads } from '../contestants.js';
import { reviews } from '../data.js';
import { compare } from '../figures.js';
import { runRounds } from '../rounds.js';

/** Twice the threads. @type {import('../settings.js').Section} */
export async function threads({ rows, rounds }) {
  if (!knowsThreads()) return { results: [], verdicts: ['Left out: there is no --threads yet.'] };
  const file = await reviews(rows);
  const { one, two } = await runRounds(
    {
      one: docferryValidate('docferry --threads 1', file, rows, ['--threads', '1']),
      two: docferryValidate('docferry --threads 2', file, rows, ['--threads', '2']),
    },
    rounds,
  );
  return { results: [one, two], verdicts: [compare(one, two, { atLeast: 1.7 })] };
}
