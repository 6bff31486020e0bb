/** What README and docs/runs.md say of how documents are sent, and what a service that has too much or is down gets. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { HAS } from '../helpers/needs.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { refusal, type Told, type WatchedCall } from '../helpers/watched-service.js';
import { idsOf, type Rehearsal, rehearse } from './rehearsal.js';

/** A meddling that answers after this many milliseconds, and counts the imports in flight. */
function slow(ms: number) {
  const inFlight = { now: 0, most: 0, first: 0 };
  const meddle = async ({ number }: WatchedCall, pass: () => Promise<Told>): Promise<Told> => {
    if (number === 0) return await pass();
    inFlight.now += 1;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    await wait(ms);
    if (number === 1) inFlight.first = inFlight.most;
    const told = await pass();
    inFlight.now -= 1;
    return told;
  };
  return { inFlight, meddle };
}

/** Everything is there once, and came in so many documents of so many requests. */
async function checkAll({ shown, sent }: Rehearsal, records: number, again = 0): Promise<void> {
  expect(await shown()).toEqual(idsOf(records));
  expect(sent()).toHaveLength(records + again);
}

it.each([
  ['3 at a time', 3, 3],
  ['auto, which begins with one', 'auto', 32],
] as const)('batches keep to their bounds, %s', async (_, concurrency, most) => {
  const { inFlight, meddle } = slow(30);
  const rehearsal = await rehearse({ records: 90, meddle });
  await rehearsal.run({ concurrency, batchSize: 7 });
  await checkAll(rehearsal, 90);
  expect(Math.max(...rehearsal.service.imports.map(({ ids }) => ids.length))).toBe(7);
  expect(inFlight.most).toBeGreaterThan(1);
  expect(inFlight.most).toBeLessThanOrEqual(most);
  if (concurrency === 'auto') expect(inFlight.first).toBe(1);
});

test('no body is larger than batchBytes, except for one document that is', async () => {
  const rehearsal = await rehearse({ records: 30 });
  const batchBytes = 1_000;
  await rehearsal.run({ batchSize: 20, batchBytes });
  await checkAll(rehearsal, 30);
  for (const { body, ids } of rehearsal.service.imports) {
    expect(ids.length === 1 || Buffer.byteLength(body) <= batchBytes).toBe(true);
  }
  await rehearsal.run({ batchBytes: 10, skipKnown: false });
  expect(rehearsal.service.imports.slice(-30).every(({ ids }) => ids.length === 1)).toBe(true);
});

test('a rate is kept in every second', async () => {
  const rehearsal = await rehearse({ records: 12 });
  await rehearsal.run({ rate: 20, concurrency: 8 });
  await checkAll(rehearsal, 12);
  const times = rehearsal.service.imports.map(({ at }) => at);
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(11 * 50 - 40);
});

eachSample()([429, 503])(
  'the whole run waits for all of the Retry-After of a %i',
  async (status) => {
    let refusedAt = Number.POSITIVE_INFINITY;
    const rehearsal = await rehearse({
      records: 60,
      meddle: async ({ number }, pass) => {
        if (number > 0) await wait(20);
        if (number !== 5) return await pass();
        refusedAt = performance.now();
        return { ...refusal(status, 'slow down'), headers: { 'retry-after': '1' } };
      },
    });
    const report = await rehearsal.run({ concurrency: 4, batchSize: 5, onUnknown: 'hold' });
    // Nothing of it was taken: it goes again, once.
    expect(report).toMatchObject({ exitCode: 0, counts: { accepted: 60 }, batches: 13 });
    await checkAll(rehearsal, 60, 5);
    const { imports, readings } = rehearsal.service;
    expect(readings).toEqual([]);
    // What was on its way when the answer came is none of it, which takes a moment on a busy machine.
    const late = imports.filter(({ at }) => at > refusedAt + 500);
    expect(late.length).toBeGreaterThan(3);
    expect(Math.min(...late.map(({ at }) => at)) - refusedAt).toBeGreaterThan(990);
  },
);

test('a bad document costs itself and log₂ of its batch', async () => {
  const rehearsal = await rehearse({
    records: 128,
    rules: [{ refuse: { containing: '"r-77"' } }],
  });
  const report = await rehearsal.run({ batchSize: 64, refusals: 'atomic' });
  expect(report).toMatchObject({ exitCode: 1, counts: { accepted: 127, rejected: 1 } });
  expect(report.problems[0]).toMatchObject({ kind: 'rejected', examples: [{ record: 77 }] });
  expect(await rehearsal.shown()).toEqual(idsOf(128).filter((id) => id !== 'r-77'));
  // Two batches, and two halves for each halving.
  expect(report.batches).toBeLessThanOrEqual(2 + 2 * Math.log2(64));
  expect(rehearsal.service.readings).toEqual([]);
});

test('what was not sent, as the service was out of reach, is sent without being sought', async () => {
  const rehearsal = await rehearse({
    records: 8,
    meddle: async ({ number }, pass) => {
      if (number !== 4) return await pass();
      void rehearsal.service.pause(700);
      return { ...(await pass()), headers: { connection: 'close' } };
    },
  });
  const report = await rehearsal.run();
  expect(report).toMatchObject({ exitCode: 0, counts: { accepted: 8 } });
  await checkAll(rehearsal, 8);
  const times = rehearsal.service.imports.map(({ at }) => at);
  expect(times[4]! - times[3]!).toBeGreaterThan(690);
  expect(rehearsal.service.readings).toEqual([]);
});

longTest('a service that stays down ends the run, which resumes', async () => {
  let isDown = false;
  const rehearsal = await rehearse({
    records: 10,
    meddle: async ({ number }, pass) => {
      isDown ||= number === 4;
      return isDown ? refusal(503, 'out for lunch') : await pass();
    },
  });
  const report = await rehearsal.run({ maxOutageMs: 800, onUnknown: 'hold' });
  expect(report).toMatchObject({ exitCode: 4, stop: { kind: 'service-down' }, resumable: true });
  expect(report.stop?.message).toContain('more than 0.8 s');
  expect(report.counts).toMatchObject({ accepted: 3, rejected: 0 });
  isDown = false;
  const resumed = await rehearsal.run({ resume: report.run });
  expect(resumed).toMatchObject({ exitCode: 0, counts: { accepted: 10 }, run: report.run });
  expect(await rehearsal.shown()).toEqual(idsOf(10));
});

describe('a service in maintenance when the run begins', () => {
  const PAGE = {
    status: 503,
    body: '<h1>Back soon</h1>',
    headers: { 'content-type': 'text/html' },
  };

  /** Answers the first checks of the monitoring with these. */
  async function rehearseChecks(answers: readonly (Told | 'reset')[]) {
    let checks = 0;
    const rehearsal = await rehearse({
      meddle: async ({ method, path }, pass) => {
        if (method !== 'GET' || !path.endsWith('/monitorings/1')) return await pass();
        checks += 1;
        return answers[checks - 1] ?? (await pass());
      },
    });
    return { rehearsal, checks: () => checks };
  }

  it('is waited for, also while it restarts, and gets every document', async () => {
    const answers = [PAGE, 'reset'] as const;
    const { rehearsal, checks } = await rehearseChecks(answers);
    const report = await rehearsal.run({ maxOutageAtStartMs: 1 });
    expect(report).toMatchObject({ exitCode: 0, counts: { accepted: 4 } });
    expect(checks()).toBe(answers.length + 1);
    await checkAll(rehearsal, 4);
  });

  it.runIf(HAS.postgres)('is waited for by an import on a shared state', async () => {
    const { rehearsal } = await rehearseChecks([PAGE, PAGE, PAGE]);
    const report = await rehearsal.run({ state: await newSharedState() });
    expect(report).toMatchObject({ exitCode: 0, counts: { accepted: 4 } });
    await checkAll(rehearsal, 4);
  });

  it('ends the run where it lasts for longer than an outage may', async () => {
    const rehearsal = await rehearse({ meddle: async () => PAGE });
    const report = await rehearsal.run({ maxOutageMs: 300 });
    expect(report).toMatchObject({ exitCode: 4, stop: { kind: 'service-down' } });
    expect(report.stop?.message).toMatch(/answered with 503, .*\. Try again later$/);
    expect(report.counts).toMatchObject({ accepted: 0 });
  });
});
