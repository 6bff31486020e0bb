import { planSpans } from '../formats/plan-spans.js';
import { hashSpan } from '../input/file-input.js';
import { DocferryError, JournalError } from '../model/errors.js';
import type { Source, Span } from '../model/source.js';
import type { Shards } from './postgres/shards.js';
import type { PlannedInput, RunPlan } from './run-plan.js';

/** A span, and what its bytes and records are to be. */
export interface ShardSpan extends Span {
  readonly records: number;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly hash: string;
}

const MAX_BYTES = 16 * 2 ** 20;
/** So that several workers have something to do of a small input. */
const SHARDS = 16;
/** Of what is left: shards get smaller at the end, so that all workers end at about the same time. */
const MAX_PART = 1 / 8;

/** Shards are written together, so that a large input is not as many transactions. */
const SHARDS_AT_ONCE = 16;

/** Where an input is cut. */
interface Planning {
  readonly run: number;
  readonly input: number;
  readonly plan: RunPlan;
  readonly shards: Shards;
  readonly signal: AbortSignal;
}

/**
 * Cuts an input into shards, and adds them as they are found, so that workers can begin. The same
 * input gives the same shards whenever that is done again.
 */
export async function planInput(source: Source, planning: Planning): Promise<void> {
  const { run, input, shards, plan } = planning;
  const planned = plan.inputs[input] as PlannedInput;
  if (!planned.divisible) {
    const whole = { part: 0, span: null, bytes: planned.size };
    if (await shards.add(run, input, [whole])) await shards.planned(run, input, null);
    return;
  }
  let problem: string | null = null;
  try {
    if (!(await addSpans(source, planned, planning))) return;
  } catch (error) {
    if (planning.signal.aborted) return;
    // What the state can't take now, another planner writes later.
    if (error instanceof JournalError || !(error instanceof DocferryError)) throw error;
    problem = error.message;
  }
  await shards.planned(run, input, problem);
}

/** @returns whether all of them are there; not so if the run or this process ends before */
async function addSpans(
  source: Source,
  { size }: PlannedInput,
  { run, input, shards, plan, signal }: Planning,
): Promise<boolean> {
  const bytesFrom = (byte: number): number =>
    Math.max(plan.minShardBytes, Math.min(MAX_BYTES, size / SHARDS, (size - byte) * MAX_PART));
  const { path } = source.file as NonNullable<Source['file']>;
  let part = 0;
  let found: { part: number; span: ShardSpan; bytes: number }[] = [];
  const add = async (): Promise<boolean> => {
    const isAdded = !signal.aborted && (await shards.add(run, input, found));
    found = [];
    return isAdded;
  };
  try {
    for await (const { span, records } of planSpans(source, { bytesFrom, signal })) {
      const hash = await hashSpan(path, span);
      found.push({ part, span: { ...span, records, hash }, bytes: span.to - span.from.byte });
      part += 1;
      const isFull = part === 1 || found.length === SHARDS_AT_ONCE;
      if (isFull && !(await add())) return false;
    }
  } catch (error) {
    // What came before a place that can't be read is good.
    await add();
    throw error;
  }
  return await add();
}
