import { planSpans } from '../formats/plan-spans.js';
import { hashSpan } from '../input/file-input.js';
import { DocferryError, JournalError } from '../model/errors.js';
import type { Source, Span } from '../model/source.js';
import type { PlannedShard, Shards } from './postgres/shards.js';
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
  const { run, input, shards, plan, signal } = planning;
  const planned = plan.inputs[input] as PlannedInput;
  let found: PlannedShard[] = [];
  /** Not if the run or this process ends before. */
  const add = async (): Promise<boolean> => {
    const isAdded = !signal.aborted && (await shards.add(run, input, found));
    found = [];
    return isAdded;
  };
  let problem: string | null = null;
  try {
    for await (const shard of shardsOf(source, planned, planning)) {
      found.push(shard);
      const isFull = shard.part === 0 || found.length === SHARDS_AT_ONCE;
      if (isFull && !(await add())) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    // What the state can't take now, another planner writes later.
    if (error instanceof JournalError || !(error instanceof DocferryError)) throw error;
    // What came before a place that can't be read is good.
    problem = error.message;
  }
  if (await add()) await shards.planned(run, input, problem);
}

async function* shardsOf(
  source: Source,
  { size, divisible }: PlannedInput,
  { plan, signal }: Planning,
): AsyncGenerator<PlannedShard, void, undefined> {
  if (!divisible) return yield { part: 0, span: null, bytes: size };
  const bytesFrom = (byte: number): number =>
    Math.max(plan.minShardBytes, Math.min(MAX_BYTES, size / SHARDS, (size - byte) * MAX_PART));
  const { path } = source.file as NonNullable<Source['file']>;
  let part = 0;
  for await (const { span, records } of planSpans(source, { bytesFrom, signal })) {
    const hash = await hashSpan(path, span);
    yield { part, span: { ...span, records, hash }, bytes: span.to - span.from.byte };
    part += 1;
  }
}
