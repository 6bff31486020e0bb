import { createHash } from 'node:crypto';
import { type FaultRule, OPERATIONS, type Operation, type Selection } from './plan.js';

/** A request as the plan sees it. */
export interface NumberedRequest {
  readonly operation: Operation;
  /** From 1, among the requests of its operation. */
  readonly number: number;
}

/**
 * Tells of each request whether a rule means it. Has to be asked in the order of the numbers of an
 * operation, since `atMost` counts; operations may alternate as they like.
 * @param key of the rule: its draws depend on that, on the operation and on the number
 */
export function createSelection(
  rule: FaultRule,
  key: string,
): (request: NumberedRequest) => boolean {
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
export const IMPORT_FAULTS = [
  'apply',
  'refuse',
  'countOff',
  'visibleAfterMs',
  'sizeLimit',
] as const;

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
export function draw(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** A draw from the standard normal distribution (Box–Muller). */
export function drawNormal(key: string): number {
  // 1 - u is never 0, whose logarithm is no finite number.
  const radius = Math.sqrt(-2 * Math.log(1 - draw(`${key} radius`)));
  return radius * Math.cos(2 * Math.PI * draw(`${key} angle`));
}
