// @ts-check
import { docferry, docferryValidate } from '../contestants.js';
import { reviews } from '../data.js';
import { compare } from '../figures.js';
import { runRounds } from '../rounds.js';

const ROWS = 100;
/** As many as people have in a file. */
const USUAL_ROWS = 10_000;
/** These runs are short, so that they are measured more often. */
const TIMES_ROUNDS = 5;

/** How long it takes until a command does anything. @type {import('../settings.js').Section} */
export async function start({ rounds }) {
  const { node, help, small, usual } = await runRounds(
    {
      node: { name: 'node -e 0', command: process.execPath, args: ['-e', '0'], records: 0 },
      help: docferry('docferry --help', ['--help']),
      small: docferryValidate(`docferry validate, ${ROWS} rows`, await reviews(ROWS), ROWS),
      usual: docferryValidate(
        'docferry validate, 10,000 rows',
        await reviews(USUAL_ROWS),
        USUAL_ROWS,
      ),
    },
    rounds * TIMES_ROUNDS,
  );
  return {
    results: [node, help, small, usual],
    verdicts: [compare(help, node, { atMost: 1.7 }), compare(small, node, { atMost: 3.5 })],
  };
}
