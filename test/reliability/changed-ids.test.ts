import { expect } from 'vitest';
import { type ImportOptions, importDocuments, type Report } from '../../src/index.js';
import { MAPPING } from '../helpers/reviews.js';
import { eachSample } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { reviews } from './job.js';

/** How a service changes a sourceId. */
type Change = (sourceId: string) => string;

const capitals: Change = (sourceId) => sourceId.toUpperCase();
const marked: Change = (sourceId) => `feedback:${sourceId}`;

const RECORDS = reviews(200);
const BATCH = 20;

/** Two of each batch are changed, and neither the first nor the last. */
function isChanged(sourceId: string): boolean {
  return [7, 13].includes(Number(sourceId.slice('r-'.length)) % BATCH);
}

/** A service that stores some documents under other sourceIds, and leaves one import unanswered. */
async function changingService(change: Change, unanswered: number) {
  const sandbox = await startWithMonitoring();
  const asStored = (sourceId: string) => (isChanged(sourceId) ? change(sourceId) : sourceId);
  const { baseUrl, imports, idle } = await watchService(sandbox, async (call, pass) => {
    if (call.number === 0) return await pass();
    const sent = JSON.parse(call.body) as { documents: { sourceId: string }[] };
    const documents = sent.documents.map((document) => ({
      ...document,
      sourceId: asStored(document.sourceId),
    }));
    const told = await pass(JSON.stringify({ ...sent, documents }));
    return call.number === unanswered ? undefined : told;
  });
  const connection = { ...sandbox, baseUrl, timeoutMs: 600 };
  const patience = { connection, quietMs: 600, lookForMs: 0 };
  const run = (more: Partial<ImportOptions>): Promise<Report> =>
    importDocuments({
      stateDir: false,
      input: RECORDS,
      mapping: MAPPING,
      monitoring: 1,
      batchSize: BATCH,
      concurrency: 1,
      throwOn: 'never',
      ...patience,
      ...(more.stateDir !== undefined && { inputKey: 'reviews' }),
      ...more,
    });
  /** Everything was sent, and is there once. */
  const checkOnce = async (): Promise<void> => {
    await idle();
    const shown = (await shownDocuments(sandbox)).map(({ sourceId }) => sourceId);
    expect(shown.toSorted()).toEqual(RECORDS.map(({ id }) => asStored(id)).toSorted());
  };
  const changedIn = (request: number) => (imports[request - 1]?.ids ?? []).filter(isChanged);
  return { run, patience, checkOnce, changedIn };
}

function unknownMessage({ problems }: Report): string {
  const unknown = problems.find(({ kind }) => kind === 'unknown');
  return unknown?.examples[0]?.message ?? '';
}

const SAYS =
  /acknowledged documents don't show under the sourceIds that were sent \(for example "r-\d+"\)/;

eachSample()([
  ['in capitals', capitals],
  ['with a prefix', marked],
] as const)(
  'documents that the service shows under another sourceId (%s) are not sent again, but stay unknown',
  async (_, change) => {
    const { run, checkOnce, changedIn } = await changingService(change, 3);
    const report = await run({});
    await checkOnce();
    const unknown = changedIn(3).length;
    expect(unknown).toBeGreaterThan(0);
    expect(report).toMatchObject({ exitCode: 5 });
    expect(report.counts).toMatchObject({ accepted: RECORDS.length - unknown, unknown });
    expect(unknownMessage(report)).toMatch(SAYS);
  },
);
