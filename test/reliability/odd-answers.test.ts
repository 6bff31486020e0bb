import { describe, expect } from 'vitest';
import type { FaultPlan, FaultRule } from '../../src/sandbox/index.js';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { checkComplete, type Job, makeJob, startJob } from './job.js';

const RECORDS = 60;

async function jobWith(
  rules: FaultPlan['rules'],
  settings: { readonly batchSize?: number } = {},
): Promise<Job> {
  const sandbox = await startTestSandbox({ faults: { rules } });
  return await makeJob({ folder: newFolder(), sandbox, records: RECORDS, ...settings });
}

/** Runs a job to its end: nothing it says may be a stack trace. */
async function run(job: Job, ...more: readonly string[]): ReturnType<typeof startJob>['ended'] {
  const ended = await startJob(job, more).ended;
  expect(ended.stderr).not.toMatch(/\n {4}at /);
  return ended;
}

const ODD: readonly unknown[] = [
  { documents: { toString: 1 } },
  [[{ toString: 1 }]],
  { accepted: true, documents: {} },
  { accepted: true, documents: [], total: {} },
];

/** Rules that meet one request each: every `step`th from `first` on. */
function oneByOne(
  rules: readonly FaultRule[],
  { first, step }: { readonly first: number; readonly step: number },
): readonly FaultRule[] {
  return rules.map((rule, index) => ({ ...rule, requests: [first + step * index] }));
}

describe('a service behind a gateway', () => {
  longTest.each<[string, FaultRule]>([
    ['limits the rate with a page of HTML', { html: { status: 429, retryAfter: 1 }, every: 2 }],
    ['answers in HTTP/1.0, and loses some answers', { gateway: 'http/1.0', every: 2 }],
  ])('that %s gets every document once', async (name, rule) => {
    const lost: readonly FaultRule[] = name.includes('loses')
      ? [{ on: 'import', requests: [3], reset: 'after' }]
      : [];
    const job = await jobWith([...lost, { ...rule, on: ['monitorings', 'import'] }]);
    await checkComplete(job, await run(job));
  });
});

describe('a service whose answers are odd or never end', () => {
  const values = ODD.map((value): FaultRule => ({ answer: { value } }));

  // Each is the answer to a question that is asked again a quarter of a second later. There are at
  // least two readings, of two questions each: more of them would not surely be met.
  longTest.each<[string, readonly FaultRule[]]>([
    ['odd answers', values],
    ['answers without end', [{ endless: 'interim' }, { endless: 'body' }]],
  ])(
    'gets every document once, if it does so while it is asked what it has: %s',
    async (_, odd) => {
      const rules = oneByOne(
        odd.map((rule) => ({ ...rule, on: 'documents' })),
        { first: 1, step: 2 },
      );
      const job = await jobWith([{ on: 'import', requests: [2], reset: 'before' }, ...rules]);
      await checkComplete(job, await run(job));
    },
  );
});
