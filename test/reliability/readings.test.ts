/** How the service is read for documents whose request got no answer. */
import { expect } from 'vitest';
import { longTest } from '../helpers/runs.js';
import type { Meddle, WatchedCall } from '../helpers/watched-service.js';
import { rehearse } from './rehearsal.js';

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
