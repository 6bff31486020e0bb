import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createDecider } from '../../../src/sandbox/faults/decide.js';
import {
  type FaultPlan,
  type FaultRule,
  OPERATIONS,
  type Operation,
  type RequestFaults,
} from '../../../src/sandbox/faults/plan.js';

const SERVED: RequestFaults = { waitMs: 0, import: {} };

/** The fates of the first requests to one operation. */
function fates(plan: FaultPlan, count: number, operation: Operation = 'import'): RequestFaults[] {
  const decide = createDecider(plan);
  return Array.from({ length: count }, () => decide(operation, 0));
}

/** The numbers of the requests that did not end as they deserve. */
function struck(rule: FaultRule, count: number, operation?: Operation): number[] {
  return fates({ rules: [rule] }, count, operation).flatMap((fate, index) =>
    fate.ending ? [index + 1] : [],
  );
}

describe('which requests a rule means', () => {
  it.each<[string, FaultRule, number[]]>([
    ['all', { reset: 'after' }, [1, 2, 3, 4, 5, 6]],
    ['those with these numbers', { requests: [2, 5], reset: 'after' }, [2, 5]],
    ['every so-manieth', { every: 3, reset: 'after' }, [3, 6]],
    ['those after one', { after: 4, reset: 'after' }, [5, 6]],
    ['the first few', { atMost: 2, reset: 'after' }, [1, 2]],
    ['the first few of some', { every: 2, after: 3, atMost: 1, reset: 'after' }, [4]],
    ['none at a rate of 0', { rate: 0, reset: 'after' }, []],
    ['all at a rate of 1', { rate: 1, reset: 'after' }, [1, 2, 3, 4, 5, 6]],
    ['none of another operation', { on: 'feed', reset: 'after' }, []],
    ['those of one of its operations', { on: ['feed', 'import'], atMost: 1, reset: 'after' }, [1]],
    ['those of any operation', { on: 'any', requests: [6], reset: 'after' }, [6]],
  ])('%s', (_, rule, expected) => {
    expect(struck(rule, 6)).toEqual(expected);
  });
});

describe('what rules do', () => {
  it('waits add up, and the first ending and the first of each import fault count', () => {
    const rules: FaultRule[] = [
      { latency: { fixed: 10 } },
      { apply: { share: 0.5 } },
      { on: 'import', hang: 'after' },
      { latency: { fixed: 5 } },
      { status: 503 },
      { apply: { documents: 3 } },
      { countOff: -1 },
    ];
    expect(fates({ rules }, 1)).toEqual([
      {
        waitMs: 15,
        ending: { hang: 'after' },
        import: { apply: { share: 0.5 }, countOff: -1 },
      },
    ]);
  });
});

describe('a rate limit', () => {
  it('lets so many pass in any window, and says when the next one may', () => {
    const decide = createDecider({ rules: [{ rateLimit: { requests: 2, perSeconds: 3 } }] });
    const at = (ms: number): unknown => decide('import', ms).ending;
    expect([at(0), at(1000)]).toEqual([undefined, undefined]);
    expect(at(1001)).toMatchObject({ status: 429, retryAfter: 2 });
    expect(at(2999)).toMatchObject({ retryAfter: 1 });
    expect(at(3000)).toBeUndefined();
    expect(at(3500)).toMatchObject({ retryAfter: 1 });
    expect(at(4000)).toBeUndefined();
  });

  it('counts the operations of its rule together', () => {
    const rateLimit = { requests: 1, perSeconds: 1, status: 503 };
    const decide = createDecider({ rules: [{ on: ['import', 'feed'], rateLimit }] });
    expect(decide('chart', 0)).toEqual(SERVED);
    expect(decide('import', 0)).toEqual(SERVED);
    expect(decide('feed', 0).ending).toMatchObject({ status: 503 });
  });
});

const anyRule: fc.Arbitrary<FaultRule> = fc
  .record(
    {
      on: fc.constantFrom('any' as const, ...OPERATIONS),
      rate: fc.double({ min: 0, max: 1, noNaN: true }),
      every: fc.integer({ min: 1, max: 3 }),
      after: fc.nat(3),
      atMost: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: [] },
  )
  .chain((selection) =>
    fc
      .constantFrom<FaultRule>(
        { latency: { median: 1, p99: 9 } },
        { latency: { from: 0, to: 9 } },
        { status: 503 },
        { reset: 'after' },
        { truncate: true },
      )
      .map((fault) => ({ ...selection, ...fault })),
  );
const anyPlan = fc.record({ seed: fc.nat(), rules: fc.array(anyRule, { maxLength: 5 }) });

test('the n-th request to an operation gets the same fault in any interleaving and at any time', () => {
  const check = (plan: FaultPlan, calls: readonly Operation[], times: readonly number[]): void => {
    const interleaved = createDecider(plan);
    const met = calls.map((operation, index) => ({
      operation,
      fate: interleaved(operation, times[index] ?? 0),
    }));
    for (const operation of OPERATIONS) {
      const own = met.filter((call) => call.operation === operation).map(({ fate }) => fate);
      expect(own).toEqual(fates(plan, own.length, operation));
    }
  };
  const calls = fc.array(fc.constantFrom(...OPERATIONS), { maxLength: 40 });
  fc.assert(fc.property(anyPlan, calls, fc.array(fc.nat()), check));
});

test('another seed gives other faults, and this one these in every version', () => {
  const rules: FaultRule[] = [{ rate: 0.2, reset: 'before' }];
  const numbers = (seed: number): number[] =>
    fates({ seed, rules }, 40).flatMap(({ ending }, index) => (ending ? [index + 1] : []));
  expect(numbers(7)).not.toEqual(numbers(8));
  expect(numbers(7).slice(0, 8)).toEqual([3, 8, 9, 10, 21, 23, 25, 26]);
});
