import { expect, it } from 'vitest';
import { readWindow } from '../../../src/delivery/reconciliation/read-window.js';
import type { ShownPage } from '../../../src/delivery/reconciliation/service-pages.js';
import { boundedPages } from '../../../src/delivery/reconciliation/service-pages.js';
import { halves, type Window } from '../../../src/delivery/reconciliation/window.js';
import { SimulatedTime } from '../simulated-time.js';

const MINUTE_MS = 60_000;
const FROM_MS = Date.parse('2024-05-01T00:00:00Z');
const DAY: Window = { from: FROM_MS, to: FROM_MS + 24 * 60 * MINUTE_MS };
const ANSWER_MS = 10_000;

/** Reads a day of a service that has documents without end, and says that there are so many. */
async function readEndless(
  totalAt: (offset: number) => number,
  { sought, answerMs = ANSWER_MS }: { readonly sought?: number; readonly answerMs?: number } = {},
) {
  const time = new SimulatedTime(1);
  let requests = 0;
  const page = async ({ to }: Window, offset: number): Promise<ShownPage> => {
    requests += 1;
    await time.sleep(answerMs);
    const published = new Date(to - MINUTE_MS).toISOString();
    const documents = Array.from({ length: 100 }, (_, at) => {
      return { id: offset + at + 1, source: 'RVW', sourceId: `${offset + at}`, published };
    });
    return { documents, total: totalAt(offset) };
  };
  const { signal } = new AbortController();
  const port = { page, clock: time, signal };
  const bounded = sought === undefined ? port : boundedPages(port, sought);
  const reading = await time.pass(readWindow(DAY, bounded, () => {}));
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

it.each([1, 50])(
  'a quick service without end is asked no more than %i documents are worth',
  async (sought) => {
    const { reading, requests } = await readEndless(() => 1_000_000_000, { sought, answerMs: 1 });
    expect(requests).toBe(2_000 + 20 * sought);
    expect(reading).toMatchObject({ complete: false, ended: true });
    expect(reading).toHaveProperty('message', expect.stringContaining(`${requests} requests`));
  },
);

it('pages that shift while they are read are no complete reading, though all totals are the same', async () => {
  const time = new SimulatedTime(1);
  // Whenever a page is read, a document goes from its start, and one comes behind it.
  const page = async ({ to }: Window, offset: number): Promise<ShownPage> => {
    const published = new Date(to - MINUTE_MS).toISOString();
    const first = offset === 0 ? 1 : offset + 2;
    const documents = Array.from({ length: Math.min(100, 150 - offset) }, (_, at) => {
      return { id: first + at, source: 'RVW', sourceId: `${first + at}`, published };
    });
    return { documents, total: 150 };
  };
  const { signal } = new AbortController();
  const reading = await time.pass(readWindow(DAY, { page, clock: time, signal }, () => {}));
  expect(reading).toMatchObject({ complete: false, ended: false });
  expect(reading).toHaveProperty(
    'message',
    expect.stringContaining("doesn't continue the one before"),
  );
});
