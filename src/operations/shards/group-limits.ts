import pLimit from 'p-limit';
import type { Pacing } from '../../delivery/pacing/pacing.js';
import { StopConditions } from '../../outcomes/stop-conditions.js';
import type { ShardCounts, ShardRun } from '../../runs/postgres/shard-run.js';
import type { ImportOptions } from '../options.js';
import { type PipelineRun, progressOf } from '../pipeline/pipeline-run.js';
import { errorLimit } from '../settings.js';

/** Interval at which the shards of a group learn of each other. */
const EXCHANGE_MS = 2_000;

interface Limits {
  readonly pacing: Pacing;
  readonly maxErrors: ImportOptions['maxErrors'];
}

/**
 * Applies what is limited for all shards together, from now on: each sends its share of the rate, and
 * stops once all of them have too many errors. Publishes the progress of this shard.
 * @returns function that does so once more, and ends it
 */
export async function applyGroupLimits(
  run: PipelineRun,
  shard: ShardRun,
  { pacing, maxErrors }: Limits,
): Promise<() => Promise<void>> {
  const { rate } = run.settings.pacing;
  const limit = errorLimit(maxErrors);
  const exchange = async (): Promise<void> => {
    const { senders, counts } = await shard.exchange(countsOf(run));
    if (rate !== undefined) pacing.limitRate(rate / Math.max(1, senders));
    const together = new StopConditions(limit);
    together.checkErrors(counts);
    const { reason } = together;
    if (reason === undefined) return;
    run.stops.stop({ ...reason, message: `${reason.message}, in all shards together` });
  };
  await exchange();
  // One at a time, and if the state is away, the journal reports it.
  const onlyOne = pLimit(1);
  const next = (): Promise<void> => onlyOne(exchange).catch(() => {});
  const timer = setInterval(() => {
    if (onlyOne.pendingCount === 0) void next();
  }, EXCHANGE_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await next();
  };
}

export function countsOf(run: PipelineRun): ShardCounts {
  return { ...run.recorder.counts(), bytesRead: progressOf(run).bytesRead };
}
