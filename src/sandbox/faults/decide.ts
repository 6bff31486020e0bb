import { createHash } from 'node:crypto';
import {
  type Ending,
  type FaultPlan,
  type FaultRule,
  type ImportFaults,
  type Latency,
  OPERATIONS,
  type Operation,
  type RateLimit,
  type RequestFaults,
  type Selection,
} from './plan.js';

/** Decides on the faults of a request. Must be called in order of arrival. */
type Decide = (operation: Operation, nowMs: number) => RequestFaults;

/**
 * Creates the decision function of a plan. The n-th request of an operation always gets the same
 * faults, however operations are interleaved; only rate limits depend on the clock `nowMs`
 * (monotonic milliseconds).
 *
 * Rules select requests independently, and their effects add up: waits are summed; of endings, and
 * of each fault within an import, the first rule's counts.
 */
export function createDecider(plan: FaultPlan): Decide {
  const rules = plan.rules.map((rule, index) => createRule(rule, index + 1, plan.seed ?? 1));
  const numbers = new Map<Operation, number>();
  return (operation, nowMs) => {
    const number = (numbers.get(operation) ?? 0) + 1;
    numbers.set(operation, number);
    return combine(rules.map((effectOn) => effectOn({ operation, number, nowMs })));
  };
}

interface NumberedRequest {
  readonly operation: Operation;
  readonly number: number;
  readonly nowMs: number;
}

type Effect = Partial<RequestFaults>;

function createRule(
  rule: FaultRule,
  number: number,
  seed: number,
): (request: NumberedRequest) => Effect {
  const key = `${seed} ${number}`;
  const selects = createSelection(rule, key);
  const effectOn = createEffect(rule, number, key);
  return (request) => (selects(request) ? effectOn(request) : {});
}

function createEffect(
  rule: FaultRule,
  number: number,
  key: string,
): (request: NumberedRequest) => Effect {
  if ('latency' in rule) {
    const { latency } = rule;
    return ({ operation, number: n }) => ({
      waitMs: drawLatency(latency, `${key} ${operation} ${n} latency`),
    });
  }
  if ('rateLimit' in rule) return createRateLimitEffect(rule.rateLimit, number);
  const { on, rate, requests, every, after, atMost, ...fault } = rule;
  if (IMPORT_FAULTS.some((name) => name in fault)) {
    return () => ({ import: fault as ImportFaults });
  }
  const message = `This error is rule ${number} of the fault plan.`;
  const ending = ('status' in fault ? { message, ...fault } : fault) as Ending;
  return () => ({ ending });
}

function createRateLimitEffect(
  limit: RateLimit,
  number: number,
): (request: NumberedRequest) => Effect {
  const secondsToWait = createRateLimit(limit);
  const { status = 429, requests, perSeconds } = limit;
  const message = `More than ${requests} requests in ${perSeconds} s; this limit is rule ${number} of the fault plan.`;
  return ({ nowMs }) => {
    const retryAfter = secondsToWait(nowMs);
    return retryAfter === undefined ? {} : { ending: { status, message, retryAfter } };
  };
}

function combine(effects: readonly Effect[]): RequestFaults {
  const ending = effects.find((effect) => effect.ending)?.ending;
  const imports = effects.map((effect) => effect.import ?? {});
  return {
    waitMs: effects.reduce((sum, { waitMs = 0 }) => sum + waitMs, 0),
    ...(ending && { ending }),
    // Reversed, as Object.assign lets the last value of a key win.
    import: Object.assign({}, ...imports.toReversed()) as ImportFaults,
  };
}

/**
 * Creates a sliding-window rate limit. Returns `undefined` for a request that may pass, otherwise
 * the whole seconds until one may; refused requests don't count.
 */
function createRateLimit(limit: RateLimit): (nowMs: number) => number | undefined {
  const windowMs = limit.perSeconds * 1000;
  let passed: number[] = [];
  return (nowMs) => {
    passed = passed.filter((atMs) => atMs > nowMs - windowMs);
    const [oldest = nowMs] = passed;
    if (passed.length >= limit.requests) {
      return Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000));
    }
    passed.push(nowMs);
    return undefined;
  };
}

/**
 * Maximum latency; longer timers overflow after some weeks. The schema limits other durations to a
 * day.
 */
const MAX_LATENCY_MS = 86_400_000;

/** Standard deviations between the median of a normal distribution and its 99th percentile. */
const P99_DEVIATIONS = 2.326_347_874;

function drawLatency(latency: Latency, key: string): number {
  if ('fixed' in latency) return latency.fixed;
  if ('from' in latency) return latency.from + draw(key) * (latency.to - latency.from);
  const sigma = Math.log(latency.p99 / latency.median) / P99_DEVIATIONS;
  return Math.min(latency.median * Math.exp(sigma * drawNormal(key)), MAX_LATENCY_MS);
}

/**
 * Creates the test whether a rule selects a request. Must be called in the order of numbers within
 * an operation, because `atMost` counts; operations may be interleaved.
 * @param key key of the rule, which its draws depend on, along with operation and number
 */
function createSelection(rule: FaultRule, key: string): (request: NumberedRequest) => boolean {
  const operations = operationsOf(rule);
  const selected = new Map<Operation, number>();
  return ({ operation, number }) => {
    if (!operations.has(operation) || !isListed(rule, number)) return false;
    if (rule.rate !== undefined && draw(`${key} ${operation} ${number} rate`) >= rule.rate) {
      return false;
    }
    const count = (selected.get(operation) ?? 0) + 1;
    selected.set(operation, count);
    return count <= (rule.atMost ?? Number.POSITIVE_INFINITY);
  };
}

const IMPORT_FAULTS = ['apply', 'refuse', 'countOff', 'visibleAfterMs', 'sizeLimit'] as const;

function operationsOf(rule: FaultRule): ReadonlySet<Operation> {
  const usual = IMPORT_FAULTS.some((fault) => fault in rule) ? 'import' : 'any';
  const named = [rule.on ?? usual].flat();
  return new Set(named.flatMap((name) => (name === 'any' ? OPERATIONS : [name])));
}

function isListed({ requests, every, after }: Selection, number: number): boolean {
  return (
    (requests === undefined || requests.includes(number)) &&
    (every === undefined || number % every === 0) &&
    (after === undefined || number > after)
  );
}

/**
 * Draws a number from 0 to less than 1 that depends only on the key, on every machine and in any
 * order.
 */
function draw(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** Draws from the standard normal distribution (Box–Muller). */
function drawNormal(key: string): number {
  // 1 - u avoids the logarithm of 0.
  const radius = Math.sqrt(-2 * Math.log(1 - draw(`${key} radius`)));
  return radius * Math.cos(2 * Math.PI * draw(`${key} angle`));
}
