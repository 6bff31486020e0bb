/** Imports one shard: joins its group, and takes its part of the inputs through the pipeline of any import. */
import { systemClock } from '../../delivery/clock.js';
import { Pacing } from '../../delivery/pacing/pacing.js';
import { DocferryError, InterruptedError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import type { Report } from '../../report/report.js';
import { lockTarget } from '../../runs/lock-target.js';
import type { Group } from '../../runs/postgres/groups.js';
import type { ShardRun } from '../../runs/postgres/shard-run.js';
import { PostgresStore, type TakenShard } from '../../runs/postgres/store.js';
import { shardId } from '../../runs/store.js';
import { StoredRun } from '../../runs/stored-run.js';
import type { ThreadPool } from '../../transform/pool/transform-on-threads.js';
import { checkEarlierImports } from '../pipeline/check-earlier-imports.js';
import { closeFigures } from '../pipeline/close-figures.js';
import { runEndOf, storeReport } from '../pipeline/finish-run.js';
import { importRecords } from '../pipeline/import-records.js';
import type { RunControl, RunEnd } from '../pipeline/import-run.js';
import { openService, type Service } from '../pipeline/open-service.js';
import type { PipelineRun } from '../pipeline/pipeline-run.js';
import { inputReport, prepareRun } from '../pipeline/prepare-run.js';
import { startThreads } from '../pipeline/read-documents.js';
import { runReport } from '../pipeline/run-report.js';
import { runSettings } from '../settings.js';
import { checkShardOptions, type ShardOptions } from './check-shard-options.js';
import { applyGroupLimits, countsOf } from './group-limits.js';
import { joinGroup } from './join-group.js';
import { PartHashes, type ShardPart, sourceOfPart } from './plan-shards.js';
import { ShardRejects, shardFigures } from './shard-figures.js';

/**
 * Batches whose intents may be written ahead of sending. A commit takes tens of milliseconds on a
 * busy disk; with one batch ahead, at most one request could start in that time.
 */
const MAX_INTENTS_AHEAD = 4;

/**
 * Imports one shard of a group. Waits while another process has the shard.
 * @throws OptionError, ResumeError if this process would import something else than the group;
 *   InterruptedError
 */
export async function importShard(options: ShardOptions, control: RunControl): Promise<RunEnd> {
  checkShardOptions(options);
  await using store = await PostgresStore.open(options.state);
  // The limit applies to all shards together: see applyGroupLimits.
  const settings = { ...runSettings(options), errorLimit: { kind: 'never' } as const };
  const service = openService(options, settings);
  const rejects = new ShardRejects();
  let threads: ThreadPool | undefined;
  let stored: StoredRun | undefined;
  try {
    threads = await startThreads(options, settings);
    const { target } = service;
    const group = await store.groups.open(options.run);
    const id = shardId({ key: group.key, index: options.shard.index });
    // The process that defined the group has checked all inputs.
    const isChecked = group.defined !== undefined;
    const { started } = group;
    const shard = { id, started, isChecked, rejects: rejects.writer };
    // The page of the merged report shows it.
    const surveyed = { ...options, survey: options.survey ?? true };
    const prepared = await prepareRun(surveyed, { settings, control, target, shard });
    const plan = await joinGroup(store, group, options, prepared);
    const parts = plan.shards[options.shard.index - 1] ?? [];
    // Before a shard counts as done, so that a new export under an old name isn't taken for the old one.
    const sources = await sourcesOf(prepared, parts);
    const taken = await takeShard(store, group, options, prepared);
    if (taken === undefined) return await nothingLeft(store, prepared.id);
    rejects.storeWith((page, lines) => taken.shard.addRejects(page, lines));
    stored = await StoredRun.of(store, taken.journal);
    await beginShard(store, stored, { shard: taken.shard, options, prepared });
    const run = { ...prepared, sources, stored };
    control.run = run;
    await send(run, { options, service, threads, shard: taken.shard });
    return await finishShard(run, { prepared, parts, rejects, shard: taken.shard });
  } catch (error) {
    // While the shards were planned, or another process had this one.
    throw control.signal.aborted && !(error instanceof DocferryError)
      ? new InterruptedError(control.signal)
      : error;
  } finally {
    await threads?.stop();
    await stored?.release();
    await service.close();
  }
}

async function takeShard(
  store: PostgresStore,
  group: Group,
  { shard: { index, count } }: ShardOptions,
  { signal, hub }: PipelineRun,
): Promise<TakenShard | undefined> {
  const id = await store.groups.addShard(group, index);
  const onWait = (process: string): void => {
    const message = `Shard ${index}/${count} of ${group.key} is with the process ${process}, or that was killed and its lease has not expired. Waiting for it to end.`;
    hub.warn(message);
    // Not in the report, which is of the shard and not of this process.
    hub.emit({ type: 'notice', message });
  };
  return await store.takeShard(id, { signal, onWait });
}

/** The report of a shard that earlier processes have finished. */
async function nothingLeft(store: PostgresStore, id: string): Promise<RunEnd> {
  const run = await store.openReadOnly(id);
  const report = (await run.facts()).report as Report;
  const notices = [...report.notices, 'This shard had already finished, so nothing was sent.'];
  return runEndOf({ ...report, notices, resumable: false });
}

interface HeldShard {
  readonly shard: ShardRun;
  readonly options: ShardOptions;
  readonly prepared: PipelineRun;
}

/** Waits for imports into the target that aren't of the group, and resumes what earlier processes left. */
async function beginShard(
  store: PostgresStore,
  stored: StoredRun,
  { shard, options, prepared }: HeldShard,
): Promise<void> {
  const { signal, notice, id } = prepared;
  const request = { run: id, target: stored.description.target };
  const timeoutMs = options.lockTimeoutMs;
  stored.holdWith(await lockTarget(store, request, { timeoutMs, signal, notice }));
  const follows = options.skipKnown !== false && (await store.followsOthers(id));
  if (follows) {
    // Checked when the group was planned, but another import may have come between.
    const checked = { options, mapping: prepared.plan.mapping };
    await checkEarlierImports(store, stored.description, checked, options.run);
    await stored.openLedger();
  }
  await shard.begin();
  await stored.markTakenOverAsUnsent();
  await stored.withdrawReport();
}

/** Opens the parts of a shard, and closes the other inputs. */
async function sourcesOf(
  { sources }: PipelineRun,
  parts: readonly ShardPart[],
): Promise<readonly Source[]> {
  for (const source of sources) {
    if (!parts.some(({ input }) => input === source.input)) source.close();
  }
  const hashes = new PartHashes();
  return await Promise.all(
    parts.map((part) => sourceOfPart(sources[part.input] as Source, part, hashes)),
  );
}

interface Sending {
  readonly options: ShardOptions;
  readonly service: Service;
  readonly threads: ThreadPool | undefined;
  readonly shard: ShardRun;
}

async function send(
  run: PipelineRun,
  { options, service, threads, shard }: Sending,
): Promise<void> {
  const pacing = new Pacing(run.settings.pacing, systemClock.random);
  const endLimits = await applyGroupLimits(run, shard, { pacing, maxErrors: options.maxErrors });
  try {
    await importRecords(run, { service, threads, pacing, maxIntentsAhead: MAX_INTENTS_AHEAD });
  } finally {
    await endLimits();
  }
}

interface SentShard {
  /** With all inputs. */
  readonly prepared: PipelineRun;
  readonly parts: readonly ShardPart[];
  readonly rejects: ShardRejects;
  readonly shard: ShardRun;
}

/** Stores the figures of the shard for the merged report, and makes its own report. */
async function finishShard(
  run: PipelineRun,
  { prepared, parts, rejects, shard }: SentShard,
): Promise<RunEnd> {
  const before = (input: number): number =>
    (parts.find((part) => part.input === input)?.span?.from.record ?? 1) - 1;
  const figures = await closeFigures(run, before);
  const inputs = prepared.sources.map(inputReport);
  const whole = { ...run, inputs, isStored: true, canBeResumed: true };
  const made = await runReport(figures, whole);
  const isOwn = (_: unknown, input: number): boolean => parts.some((part) => part.input === input);
  const report = { ...made, inputs: made.inputs.filter(isOwn) };
  let isFinished = false;
  const finish = async (): Promise<void> => {
    await rejects.flush();
    await run.stored?.finish(report);
    const text = JSON.stringify(shardFigures(figures));
    await shard.finish(text, countsOf(run), !report.resumable);
    isFinished = true;
  };
  const ended = await storeReport(report, run, { finish });
  // Else a scheduler would take it for done.
  return runEndOf(isFinished ? ended : { ...ended, resumable: true }, run);
}
