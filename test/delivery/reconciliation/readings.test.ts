import { expect, it } from 'vitest';
import { Acknowledgements } from '../../../src/delivery/reconciliation/acknowledged.js';
import { checkUnsent } from '../../../src/delivery/reconciliation/check-unsent.js';
import type { ShownPage } from '../../../src/delivery/reconciliation/pages.js';
import { readWindow } from '../../../src/delivery/reconciliation/read-window.js';
import type { Acknowledged } from '../../../src/delivery/reconciliation/sightings.js';
import { halves, type Window } from '../../../src/delivery/reconciliation/window.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';
import { SimulatedTime } from '../simulated-time.js';
import { SimulatedService } from './simulated-service.js';

const MINUTE_MS = 60_000;
const FROM_MS = Date.parse('2024-05-01T00:00:00Z');
const DAY: Window = { from: FROM_MS, to: FROM_MS + 24 * 60 * MINUTE_MS };
const ANSWER_MS = 10_000;

/** Reads a day of a service that has documents without end, and says that there are so many. */
async function readEndless(totalAt: (offset: number) => number) {
  const time = new SimulatedTime(1);
  let requests = 0;
  const page = async ({ to }: Window, offset: number): Promise<ShownPage> => {
    requests += 1;
    await time.sleep(ANSWER_MS);
    const published = new Date(to - MINUTE_MS).toISOString();
    const documents = Array.from({ length: 100 }, (_, at) => {
      return { id: offset + at + 1, source: 'RVW', sourceId: `${offset + at}`, published };
    });
    return { documents, total: totalAt(offset) };
  };
  const { signal } = new AbortController();
  const reading = await time.pass(readWindow(DAY, { page, clock: time, signal }, () => {}));
  return { reading, requests, tookMs: time.now() };
}

it('a total that is never reached ends after an hour, with a reason', async () => {
  const before = new SimulatedTime(1).now();
  const { reading, requests, tookMs } = await readEndless(() => 1_000_000_000);
  expect(reading).toMatchObject({ complete: false, ended: false });
  expect(reading).toHaveProperty('message', expect.stringContaining('within 60 minutes'));
  expect(tookMs - before).toBeGreaterThanOrEqual(60 * MINUTE_MS);
  expect(tookMs - before).toBeLessThan(62 * MINUTE_MS);
  expect(requests).toBeLessThanOrEqual(1 + (60 * MINUTE_MS) / ANSWER_MS);
});

it('a total that grows with every page ends once a single minute can not be read', async () => {
  let total = 1_000;
  const { reading, requests } = await readEndless(() => {
    total += 1_000;
    return total;
  });
  expect(reading).toMatchObject({ complete: false, ended: false });
  let parts = 1;
  for (let part = halves(DAY)?.[1]; part !== undefined; part = halves(part)?.[1]) parts += 1;
  // Each is tried a few times, and shows with its second page that it changes.
  expect(requests).toBeLessThanOrEqual(parts * 3 * 2);
});

/** Documents whose sourceIds are as long as they may get, so that few batches take all of the memory. */
function largeBatch(number: number) {
  const ids = Array.from({ length: 100 }, (_, at) => `${number}-${at}`.padEnd(1_000, 'x'));
  const documents = documentsOf(ids.map((sourceId) => ({ sourceId })));
  return { batch: batchOf({ documents, from: 0, to: ids.length }), ids };
}

it('remembers all documents of the first requests and of the last ones, as many as fit into memory', () => {
  const acknowledgements = new Acknowledgements();
  const batches = Array.from({ length: 200 }, (_, number) => largeBatch(number));
  for (const [at, { batch }] of batches.entries()) acknowledgements.note(batch, at);
  const remembered = acknowledgements.list();
  const times = remembered.map(({ acknowledgedMs }) => acknowledgedMs);
  const last = batches.length - (remembered.length - 20);
  expect(times).toEqual([...Array(20).keys(), ...[...Array(200).keys()].slice(last)]);
  const bytes = remembered.slice(20).flatMap(({ request }) => request.documents()).length * 1_000;
  expect(bytes).toBeGreaterThan(7e6);
  expect(bytes).toBeLessThan(8 * 2 ** 20);
  const ids = remembered
    .at(-1)
    ?.request.documents()
    .map(({ sourceId }) => sourceId);
  expect(ids).toEqual(batches.at(-1)?.ids);
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PUBLISHED = '2024-05-01T10:00:00Z';

/** Checks one document that is called unsent; gives what may be sent, and why not. */
async function check(service: SimulatedService, acknowledged: readonly Acknowledged[] = []) {
  const documents = documentsOf([{ sourceId: 'a', published: PUBLISHED }]);
  const range = { documents, from: 0, to: 1 };
  async function* unsent() {
    yield range;
  }
  const stops: string[] = [];
  const checked = checkUnsent(unsent(), {
    ...service.port,
    waitMs: 0,
    settleMs: MINUTE,
    acknowledged: async () => acknowledged,
    clock: { ...service.port.clock, random: Math.random },
    sentByOthers: async () => [],
    notice: () => {},
    stop: ({ message }) => stops.push(message),
    stopped: () => stops.length > 0,
  });
  let given = 0;
  for await (const { from, to } of checked) given += to - from;
  const widths = service.requests.map(({ window }) => window.to - window.from);
  return { given, stops, widestMs: Math.max(...widths) };
}

function acknowledged(service: SimulatedService): readonly Acknowledged[] {
  const document = { sourceId: 'sent', published: { from: PUBLISHED, to: PUBLISHED } };
  const request = { published: document.published, documents: () => [document] };
  return [{ ...document, acknowledgedMs: service.now, request }];
}

it('what is there although the journal calls it unsent ends the run', async () => {
  const service = new SimulatedService();
  service.apply('a', { published: '2024-05-02T00:00:00Z' });
  expect(await check(service)).toMatchObject({
    given: 0,
    stops: [expect.stringContaining('the service has 1 of the first 1 documents')],
  });
});

it('what is not there is sent, once a day around it was read', async () => {
  expect(await check(new SimulatedService())).toEqual({
    given: 1,
    stops: [],
    widestMs: 48 * HOUR,
  });
});

it('three hours around it are enough where what was accepted shows at its time', async () => {
  const service = new SimulatedService();
  service.apply('sent');
  const read = await check(service, acknowledged(service));
  expect(read).toEqual({ given: 1, stops: [], widestMs: 6 * HOUR });
});

it('three hours around it are not enough where that shows at another time', async () => {
  const service = new SimulatedService();
  service.apply('sent', { published: '2024-05-01T15:00:00Z' });
  service.apply('a', { published: '2024-05-01T15:00:00Z' });
  expect(await check(service, acknowledged(service))).toMatchObject({ given: 0 });
});
