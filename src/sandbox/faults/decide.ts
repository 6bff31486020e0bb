import { createHash } from 'node:crypto';
import {
  type Ending,
  type Fate,
  type FaultPlan,
  type FaultRule,
  type ImportFaults,
  type Latency,
  OPERATIONS,
  type Operation,
  type RateLimit,
  type Selection,
} from './plan.js';

/** Told of every request in the order of arrival, says its fate. */
type Decide = (operation: Operation, nowMs: number) => Fate;

/**
 * Follows a plan. The n-th request to an operation always meets the same fate, whatever other
 * operations are called in between; only rate limits go by the clock `nowMs` (milliseconds from
 * any start, never backwards).
 *
 * Every rule goes by its own selection alone. What the rules do to one request adds up: waits
 * follow each other, and of endings, and of each fault within an import, the first rule's counts.
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

/** A request as the plan sees it. */
interface NumberedRequest {
  readonly operation: Operation;
  /** From 1, among the requests of its operation. */
  readonly number: number;
  readonly nowMs: number;
}

/** What one rule does to one request. */
type Effect = Partial<Fate>;

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
  if ('rateLimit' in rule) return createLimited(rule.rateLimit, number);
  const { on, rate, requests, every, after, atMost, ...fault } = rule;
  if (IMPORT_FAULTS.some((name) => name in fault)) {
    return () => ({ import: fault as ImportFaults });
  }
  const message = `This error is rule ${number} of the plan of faults.`;
  const ending = ('status' in fault ? { message, ...fault } : fault) as Ending;
  return () => ({ ending });
}

function createLimited(limit: RateLimit, number: number): (request: NumberedRequest) => Effect {
  const secondsToWait = createRateLimit(limit);
  const { status = 429, requests, perSeconds } = limit;
  const message = `More than ${requests} requests in ${perSeconds} s; this limit is rule ${number} of the plan of faults.`;
  return ({ nowMs }) => {
    const retryAfter = secondsToWait(nowMs);
    return retryAfter === undefined ? {} : { ending: { status, message, retryAfter } };
  };
}

function combine(effects: readonly Effect[]): Fate {
  const ending = effects.find((effect) => effect.ending)?.ending;
  const imports = effects.map((effect) => effect.import ?? {});
  return {
    waitMs: effects.reduce((sum, { waitMs = 0 }) => sum + waitMs, 0),
    ...(ending && { ending }),
    // Of two with the same key the last counts here.
    import: Object.assign({}, ...imports.toReversed()) as ImportFaults,
  };
}

/**
 * Counts requests in a window that slides with the clock. Answers `undefined` for a request that
 * may pass, else after how many whole seconds one will; refused requests don't count.
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

/** Timers overflow some weeks later; the schema holds all other durations to a day. */
const DAY_MS = 86_400_000;

/** Standard deviations between the median of a normal distribution and its 99th percentile. */
const P99 = 2.326_347_874;

/** How long the request of this key waits, in milliseconds; at most a day. */
function drawLatency(latency: Latency, key: string): number {
  if ('fixed' in latency) return latency.fixed;
  if ('from' in latency) return latency.from + draw(key) * (latency.to - latency.from);
  const sigma = Math.log(latency.p99 / latency.median) / P99;
  return Math.min(latency.median * Math.exp(sigma * drawNormal(key)), DAY_MS);
}

/**
 * Tells of each request whether a rule means it. Has to be asked in the order of the numbers of an
 * operation, since `atMost` counts; operations may alternate as they like.
 * @param key of the rule: its draws depend on that, on the operation and on the number
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

/** Faults of an import mean nothing elsewhere. */
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
 * A number from 0 up to, but not including, 1 that depends on nothing but the key: the same on
 * every machine and in every order of asking.
 */
function draw(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** A draw from the standard normal distribution (Box–Muller). */
function drawNormal(key: string): number {
  // 1 - u is never 0, whose logarithm is no finite number.
  const radius = Math.sqrt(-2 * Math.log(1 - draw(`${key} radius`)));
  return radius * Math.cos(2 * Math.PI * draw(`${key} angle`));
}
