/** What README and docs/runs.md say of documents that may have arrived, and of what the service shows. */
import { expect, test } from 'vitest';
import { verifyRun } from '../../src/index.js';
import { MAPPING } from '../helpers/reviews.js';
import { docferryOnce, type Ended, environmentOf } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { type Meddle, refusal, type Told, type WatchedCall } from '../helpers/watched-service.js';
import { idsOf, type Rehearsal, rehearse, SETTLE_MS } from './rehearsal.js';

/** Gives the second import no answer, and stores so many of its documents. */
function losing(stored: 'all' | 'none'): Meddle {
  return async ({ number }, pass) => {
    if (number !== 2) return await pass();
    if (stored === 'all') await pass();
    return 'reset';
  };
}

/** A run of four records, of which the second got no answer and is held. */
async function held(stored: 'all' | 'none', more: Meddle = (_, pass) => pass()) {
  const lose = losing(stored);
  const rehearsal = await rehearse({
    meddle: (call, pass) => (call.number === 2 ? lose(call, pass) : more(call, pass)),
  });
  const { run, counts } = await rehearsal.run({ onUnknown: 'hold' });
  expect(counts).toMatchObject({ accepted: 3, unknown: 1 });
  return { ...rehearsal, held: run };
}

function isReading({ path }: WatchedCall): boolean {
  return path === '/5.0/documents';
}

const SECONDS = String(SETTLE_MS / 1_000);
const SETTLING = ['--settle-time', SECONDS];

/** Runs a command on a rehearsal's state, with its patience. */
function command({ folder, connection }: Rehearsal, ...args: readonly string[]): Promise<Ended> {
  const patience = ['--timeout', SECONDS, '--state-dir', 'state'];
  return docferryOnce([...args, ...patience], { cwd: folder, env: environmentOf(connection) });
}

test('what is missing is sent again after two settle times, two readings and a later document', async () => {
  const rehearsal = await rehearse({ records: 12, meddle: losing('none') });
  const report = await rehearsal.run({ batchSize: 2 });
  expect(report).toMatchObject({ exitCode: 0, counts: { accepted: 12 }, batches: 7 });
  expect(report.problems).toMatchObject([{ kind: 'sent-again', count: 2 }]);
  expect(await rehearsal.shown()).toEqual(idsOf(12));
  const { imports, readings } = rehearsal.service;
  const again = imports.at(-1)!;
  expect(again.ids).toEqual(imports[1]!.ids);
  expect(again.at - imports[1]!.at).toBeGreaterThanOrEqual(2 * SETTLE_MS - 5);
  // Meanwhile all others were sent, and only then it was missed for good.
  const late = readings.filter(({ at }) => at >= imports[1]!.at + 2 * SETTLE_MS - 5);
  expect(late.length).toBeGreaterThanOrEqual(2);
  expect(imports.slice(2, -1).every(({ at }) => at < late[0]!.at)).toBe(true);
});

eachSample()<[string, Told]>([
  ['reading is refused', refusal(403, 'not yours')],
  ['the service shows nothing', { status: 200, body: '{"documents":[],"total":0}' }],
])('what can’t be settled stays unknown, and is not sent again: %s', async (_, answer) => {
  const lose = losing('all');
  const rehearsal = await rehearse({
    meddle: async (call, pass) => (isReading(call) ? answer : await lose(call, pass)),
  });
  const report = await rehearsal.run();
  expect(report).toMatchObject({ exitCode: 5, counts: { accepted: 3, unknown: 1 } });
  expect(report.unknown).toMatchObject([{ from: 2, to: 2 }]);
  expect(rehearsal.service.imports).toHaveLength(4);
  const resumed = await rehearsal.run({ resume: report.run });
  const reasons = resumed.problems[0]?.examples[0]?.message.split('; not reconciled: ');
  expect(reasons).toEqual(['no answer came: read ECONNRESET', expect.any(String)]);
});

test('a document without a sourceId is never reconciled, nor known to a later run', async () => {
  const { sourceId: _, ...document } = MAPPING.document;
  const rehearsal = await rehearse({
    meddle: async ({ number }, pass) => {
      if (number === 2) return 'reset';
      return number === 0 ? await pass() : { status: 200, body: '{"accepted":true,"documents":1}' };
    },
  });
  const mapping = { name: 'Without ids', document };
  const first = await rehearsal.run({ mapping, schema: {} });
  expect(first).toMatchObject({ exitCode: 5, counts: { accepted: 3, unknown: 1 } });
  const second = await rehearsal.run({ mapping, schema: {} });
  expect(second).toMatchObject({ exitCode: 0, counts: { accepted: 4 } });
  expect(rehearsal.service.readings).toEqual([]);
});

longTest('runs resolve sends nothing, and its exit code is what it found', async () => {
  let isReadable = false;
  const [there, missing, unreadable] = await Promise.all([
    held('all'),
    held('none'),
    held('all', async (call, pass) =>
      isReading(call) && !isReadable ? refusal(403, 'not yours') : await pass(),
    ),
  ]);
  const resolve = async (rehearsal: typeof there): Promise<number | null> => {
    const { code } = await command(rehearsal, 'runs', 'resolve', rehearsal.held, ...SETTLING);
    expect(rehearsal.service.imports).toHaveLength(4);
    return code;
  };
  expect(await Promise.all([resolve(there), resolve(missing), resolve(unreadable)])).toEqual([
    ...[0, 4, 5],
  ]);
  isReadable = true;
  // What it found counts: the one is done, the other is sent, the third is sought again.
  for (const { run, held: resume, shown } of [there, missing, unreadable]) {
    expect(await run({ resume })).toMatchObject({ exitCode: 0, counts: { accepted: 4 } });
    expect(await shown()).toEqual(idsOf(4));
  }
  expect([there, missing, unreadable].map(({ sent }) => sent().length)).toEqual([4, 5, 4]);
});

longTest('verify tells what is missing or there twice, and when it can’t read', async () => {
  let change = (body: string): string | undefined => body;
  const rehearsal = await rehearse({
    meddle: async (call, pass) => {
      const told = await pass();
      if (!isReading(call)) return told;
      const body = change(told.body);
      return body === undefined ? refusal(403, 'not yours') : { ...told, body };
    },
  });
  const { connection, stateDir } = rehearsal;
  const { run } = await rehearsal.run();
  const verify = async (code: number): Promise<unknown> => {
    const ended = await command(rehearsal, 'verify', run, '--json');
    expect(ended.code, ended.stderr).toBe(code);
    return JSON.parse(ended.stdout);
  };
  expect(await verify(0)).toMatchObject({ compared: 4, missing: [], duplicate: [] });
  change = (body) => body.replaceAll('"r-2"', '"r-1"');
  const compared = await verifyRun({ connection, stateDir, run, lookForMs: 0 });
  expect(compared).toMatchObject({ compared: 4, missing: ['r-2'], duplicate: ['r-1'] });
  change = () => undefined;
  expect(await verify(4)).toMatchObject({ incomplete: expect.any(String) });
  change = (body) => body;
  await rehearsal.run({ skipKnown: false });
  expect(await verify(1)).toMatchObject({ missing: [], duplicate: idsOf(4) });
});
