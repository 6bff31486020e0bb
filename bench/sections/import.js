// @ts-check
import { docferryImport, elasticsearch, handWrittenImport } from '../contestants.js';
import { reviews } from '../data.js';
import { compare } from '../figures.js';
import { runRounds } from '../rounds.js';
import { startSink } from '../start-sink.js';

/** The same CSV, sent to a service that answers at once. @type {import('../settings.js').Section} */
export async function importToSink({ rows, rounds }) {
  const file = await reviews(rows);
  const sink = await startSink();
  const { ours, byHand, elastic } = await runRounds(
    {
      ours: docferryImport('docferry import', file, rows, sink),
      byHand: handWrittenImport(file, rows, sink),
      elastic: elasticsearch(file, rows, sink),
    },
    rounds,
  );
  await sink.stop();
  return {
    results: [ours, byHand, elastic],
    verdicts: [compare(byHand, ours, { atLeast: 5 }), compare(elastic, ours, { atLeast: 2 })],
  };
}
