// @ts-check
import { docferryImport, twoThreads } from '../contestants.js';
import { reviews } from '../data.js';
import { each, judge } from '../figures.js';
import { runRounds } from '../rounds.js';
import { startSink } from '../start-sink.js';

/** What an import may take: MiB for any size, and bytes for each record's id. */
const MAX_MIB = 300;
const BYTES_A_RECORD = 16;

/** Peak memory of a long import beside a short one. @type {import('../settings.js').Section} */
export async function memory({ rows, rounds }) {
  const many = rows * 10;
  const sink = await startSink();
  const flags = twoThreads();
  const few = await reviews(rows);
  const { short, long } = await runRounds(
    {
      short: docferryImport('docferry import', few, rows, sink, flags),
      long: docferryImport('docferry import, ten times', await reviews(many), many, sink, flags),
    },
    rounds,
  );
  await sink.stop();
  const forIds = Math.round(((many - rows) * BYTES_A_RECORD) / 1024 / 1024);
  return {
    results: [short, long],
    verdicts: [judgePeak(short, MAX_MIB), judgePeak(long, MAX_MIB + forIds)],
  };
}

/** @param {import('../rounds.js').Result} result @param {number} atMost */
function judgePeak(result, atMost) {
  const peak = Math.round(Math.max(...each(result, 'peakMiB')));
  return judge(`${result.name} takes ${peak} MiB in its largest run`, peak, { atMost }, ' MiB');
}
