// @ts-check
import { docferryImport } from '../contestants.js';
import { reviews } from '../data.js';
import { each, grouped, judge, median } from '../figures.js';
import { runRounds } from '../rounds.js';
import { startSink } from '../start-sink.js';

const DELAY_MS = 50;
const CONCURRENCY = 8;

/**
 * Imports to a service that takes 50 ms a request. Start and end are taken out by the difference
 * between two sizes. A third run, to a service that answers at once, shows whether it is the
 * service that is waited for. @type {import('../settings.js').Section}
 */
export async function latency({ rows, rounds, latencyBatch }) {
  const few = Math.ceil(rows / 10);
  const flags = ['--concurrency', String(CONCURRENCY), '--batch-size', String(latencyBatch)];
  const slow = await startSink({ delayMs: DELAY_MS });
  const quick = await startSink();
  const fewFile = await reviews(few);
  const file = await reviews(rows);
  const { short, long, free } = await runRounds(
    {
      short: docferryImport(`${grouped(few)} rows, 50 ms`, fewFile, few, slow, flags),
      long: docferryImport(`${grouped(rows)} rows, 50 ms`, file, rows, slow, flags),
      free: docferryImport(`${grouped(rows)} rows, no delay`, file, rows, quick, flags),
    },
    rounds,
  );
  await slow.stop();
  await quick.stop();
  const milliseconds = median(each(long, 'wallMs')) - median(each(short, 'wallMs'));
  const ideal = (CONCURRENCY * latencyBatch * 1000) / DELAY_MS;
  const found = ((rows - few) * 1000) / milliseconds;
  const share = (found / ideal) * 100;
  const sentence =
    `Between the two sizes, ${grouped(found)} documents a second arrive: ${share.toFixed(1)}% of ` +
    `${grouped(ideal)}, which ${CONCURRENCY} requests of ${latencyBatch} documents in 50 ms make`;
  return { results: [short, long, free], verdicts: [judge(sentence, share, { atLeast: 95 }, '%')] };
}
