/** How the service is read for documents whose request got no answer. */
import { expect } from 'vitest';
import type { Mapping } from '../../src/index.js';
import { put } from '../helpers/files.js';
import { MAPPING, review } from '../helpers/reviews.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import type { Meddle, WatchedCall } from '../helpers/watched-service.js';
import { lines } from './job.js';
import { type Rehearsal, rehearse } from './rehearsal.js';

function isReading({ path }: WatchedCall): boolean {
  return path === '/5.0/documents';
}

/** Loses the second import, and leaves the readings to another. */
function losing(read: Meddle = (_, pass) => pass()): Meddle {
  return async (call, pass) => {
    if (isReading(call)) return await read(call, pass);
    return call.number === 2 ? 'reset' : await pass();
  };
}

longTest('readings keep the rate of the run', async () => {
  const rate = 5;
  const { run, service } = await rehearse({ records: 6, meddle: losing() });
  expect(await run({ rate })).toMatchObject({ exitCode: 0, counts: { accepted: 6 } });
  const times = service.readings.map(({ at }) => at);
  expect(times.length).toBeGreaterThan(4);
  const seconds = (times.at(-1)! - times[0]!) / 1_000;
  expect(times.length - 1).toBeLessThanOrEqual(seconds * rate + 1);
});

longTest(
  'a pause that the service asks for is kept by readings, and by imports after them',
  async () => {
    let until = 0;
    const early: string[] = [];
    const pauseMs = 1_000;
    const { run } = await rehearse({
      meddle: async (call, pass) => {
        if (call.at < until - 10) early.push(call.path);
        return await losing(async (one, through) => {
          if (until > 0) return await through();
          until = one.at + pauseMs;
          const body = '{"errors":[{"message":"slow down"}]}';
          return { status: 429, body, headers: { 'retry-after': `${pauseMs / 1_000}` } };
        })(call, pass);
      },
    });
    expect(await run()).toMatchObject({ exitCode: 0, counts: { accepted: 4 } });
    expect(until).toBeGreaterThan(0);
    expect(early).toEqual([]);
  },
);

type Shown = Awaited<ReturnType<typeof shownDocuments>>[number];

function publishedMs({ published }: Shown): number {
  return Date.parse(`${published ?? new Date().toISOString()}`);
}

const ORDERS = {
  'by id': (one: Shown, other: Shown) => Number(one['id']) - Number(other['id']),
  'the oldest first': (one: Shown, other: Shown) => publishedMs(one) - publishedMs(other),
};

/** Answers as a service that lists all documents in this order, a hundred a page. */
function listing(order: keyof typeof ORDERS, sandbox: () => Rehearsal['sandbox']): Meddle {
  return async ({ body }) => {
    const form = new URLSearchParams(body);
    const [start, end] = ['start', 'end'].map((name) =>
      Date.parse(`${form.get(name)?.replace(' ', 'T')}Z`),
    );
    const all = (await shownDocuments(sandbox())).filter((one) => {
      const ms = publishedMs(one);
      return ms >= start! && ms < end! + 60_000;
    });
    const offset = Number(form.get('offset') ?? 0);
    const documents = all.toSorted(ORDERS[order]).slice(offset, offset + 100);
    return { status: 200, body: JSON.stringify({ documents, total: all.length, offset }) };
  };
}

/** Times of publication, by the number of the record. */
const TIMES = {
  // Every fifth has no date, so only a window of all times holds them all.
  'over fifty years, or at an unknown time': (index: number) =>
    index % 5 === 0 ? '' : `${1970 + ((index * 37) % 50)}-05-31T10:00:00Z`,
  'within a day': (index: number) =>
    new Date(Date.UTC(2024, 0, 1, 0, (index * 277) % 720)).toISOString(),
  'within an hour': (index: number) =>
    new Date(Date.UTC(2024, 0, 1, 0, (index * 7) % 60)).toISOString(),
};

eachSample()(
  (['by id', 'the oldest first'] as const).flatMap((order) =>
    (Object.keys(TIMES) as (keyof typeof TIMES)[]).map((times) => ({ order, times })),
  ),
)('a service that lists $order is read through where documents are $times', async (given) => {
  let sandbox: Rehearsal['sandbox'];
  const rehearsal = await rehearse({ meddle: losing(listing(given.order, () => sandbox)) });
  ({ sandbox } = rehearsal);
  const records = Array.from({ length: 250 }, (_, index) => {
    return { ...review(index + 1), at: TIMES[given.times](index) };
  });
  const input = put(rehearsal.folder, 'reviews-at.jsonl', lines(records));
  const document = { ...MAPPING.document, published: { from: 'at', date: 'iso' } };
  const report = await rehearsal.run({
    input,
    mapping: { ...MAPPING, document } as Mapping,
    batchSize: 25,
  });
  expect(report).toMatchObject({ exitCode: 0, counts: { accepted: 250 } });
  expect(await rehearsal.shown()).toEqual(records.map(({ id }) => id).toSorted());
  // Minute by minute, they would be thousands.
  expect(rehearsal.service.readings.length).toBeLessThan(100);
});
