/** Opens the stored run of an import, new or resumed. Loaded only when something is to be sent. */
import { createHash } from 'node:crypto';
import type { OptionTable } from '../../model/options.js';
import { shownInput } from '../../model/text.js';
import type { EventHub } from '../../outcomes/events.js';
import { StopConditions } from '../../outcomes/stop-conditions.js';
import type { Report } from '../../report/report.js';
import type { RunDescription, RunTarget } from '../../runs/description.js';
import { isSomethingLeft, latestUnfinished, takeRun } from '../../runs/find-run.js';
import { lockTarget } from '../../runs/lock-target.js';
import type { RunStore } from '../../runs/store.js';
import { StoredRun } from '../../runs/stored-run.js';
import { IMPORT_OPTIONS } from '../option-table.js';
import type { ImportOptions } from '../options.js';
import { checkEarlierImports } from './check-earlier-imports.js';
import { writeReportFiles } from './finish-run.js';
import type { PipelineRun } from './pipeline-run.js';
import { planOutputs } from './plan-outputs.js';
import { writeEvents } from './prepare-run.js';

/**
 * Opens the run that is to be resumed, or returns `undefined` if a new one is to begin.
 * @throws ResumeError if it can't be resumed
 */
export async function findEarlierRun(
  store: RunStore | undefined,
  options: ImportOptions,
  target: NonNullable<PipelineRun['target']>,
): Promise<StoredRun | undefined> {
  if (store === undefined) return undefined;
  const id = await earlierRunId(store, options, target);
  return id === undefined ? undefined : await takeRun(store, id);
}

/** Finds the id of the run to resume; `undefined` if a new one begins. */
export async function earlierRunId(
  store: RunStore,
  options: ImportOptions,
  target: NonNullable<PipelineRun['target']>,
): Promise<string | undefined> {
  const { resume } = options;
  if (resume !== true) return resume === false ? undefined : resume;
  const now = { options: givenOptions(options), target: targetOf(options, { target }) };
  return await latestUnfinished(store, now);
}

/** Returns whether an earlier run has nothing left to do. */
export function isFinished({ report }: StoredRun, { retryRejected }: ImportOptions): boolean {
  if (isSomethingLeft(report)) return false;
  return !(retryRejected && (report as Report).counts.rejected > 0);
}

/**
 * Writes the requested files of an earlier run that has nothing left to do, and returns its report;
 * `undefined` if it has.
 * @throws OptionError if a file can't be written
 */
export async function finishedReport(
  run: StoredRun,
  { rejects: _, ...options }: ImportOptions,
  hub: EventHub,
): Promise<Report | undefined> {
  if (!isFinished(run, options)) return undefined;
  const report = run.report as Report;
  const { id, description } = run;
  const inputs = description.inputs.flatMap(({ path }) => path ?? []);
  // They may hold corrections by now.
  const reads = [...inputs, ...report.rejects.flatMap(({ file, reasons }) => [file, reasons])];
  const files = await planOutputs(options, { id, sources: [], reads });
  await writeEvents({ id, files, hub }, (error) => {
    throw error;
  });
  const notices = [...report.notices, 'This run had already finished, so nothing was sent.'];
  const stops = new StopConditions({ kind: 'never' });
  return await writeReportFiles({ ...report, notices }, files, stops);
}

/**
 * Locks the target, then begins a run, or resumes an earlier one after checking that inputs,
 * mapping and target are unchanged.
 * @returns `undefined` without a store
 * @throws ResumeError, JournalError
 */
export async function openRun(
  store: RunStore | undefined,
  options: ImportOptions,
  prepared: PipelineRun,
  { earlier, lockHolder }: { earlier: StoredRun | undefined; lockHolder: string | undefined },
): Promise<StoredRun | undefined> {
  if (store === undefined) return undefined;
  const description = describeRun(options, prepared);
  const request = {
    run: earlier?.id ?? prepared.id,
    target: description.target,
    holder: lockHolder,
  };
  const { signal, notice } = prepared;
  const timeoutMs = options.lockTimeoutMs;
  const lock = await lockTarget(store, request, { timeoutMs, signal, notice });
  let run = earlier;
  try {
    if (run === undefined) {
      const checked = { options, mapping: prepared.plan.mapping };
      const warning = await checkEarlierImports(store, description, checked);
      if (warning !== undefined) notice(warning, true);
    }
    run ??= await StoredRun.of(store, await store.begin(prepared.id, description));
    run.holdWith(lock);
    if (run === earlier) await run.resume(description);
    if (options.skipKnown !== false) await run.openLedger();
    return run;
  } catch (error) {
    await run?.release();
    lock.release();
    throw error;
  }
}

/** Describes a run, so that a resumed run can be compared with it. */
export function describeRun(options: ImportOptions, run: PipelineRun): RunDescription {
  const { sources, plan } = run;
  return {
    started: plan.started,
    inputs: sources.map(({ name, size, file }) => ({
      name,
      path: file?.path ?? null,
      size,
      modifiedMs: file?.modifiedMs ?? null,
    })),
    inputKey: options.inputKey ?? null,
    mapping: {
      name: plan.mapping.name,
      hash: mappingHash(options, run),
      sourceId: plan.mapping.document.sourceId ?? null,
    },
    validation: hashOf(plan.validation),
    reading: readingHash(options, run),
    target: targetOf(options, run),
    options: givenOptions(options),
  };
}

/**
 * Hash of how the inputs are read and documents made. Whatever is added to the reading options or the
 * plan counts by itself. Leave out here what changes no document (`chunkBytes`, `sends`, `surveys`,
 * `retainBytes`), is compared by itself (`name`, `mapping`, `factory`, `validation`), or comes from
 * the run that is resumed (`started`).
 */
function readingHash(
  { source = {} }: Pick<ImportOptions, 'source'>,
  { sources, plan }: Pick<PipelineRun, 'sources' | 'plan'>,
): string {
  const { chunkBytes, name, ...reading } = source;
  const layouts = sources.map(({ layout, detected }) => ({ layout, detected }));
  const { mapping, factory, validation, started, sends, surveys, retainBytes, ...making } = plan;
  return hashOf({ reading, layouts, making });
}

/** Identifies the target by `service` if the caller named it, otherwise by base URL. */
function targetOf(
  { service, monitoring }: Pick<ImportOptions, 'service' | 'monitoring'>,
  { target }: Pick<PipelineRun, 'target'>,
): RunTarget {
  return { service: service ?? target?.baseUrl ?? '', monitoring };
}

/**
 * Options as JSON, with the folder that relative paths start from. Omits streams, iterables and
 * objects, which can't be read again.
 */
function givenOptions(options: ImportOptions): Readonly<Record<string, unknown>> {
  const table: OptionTable = IMPORT_OPTIONS;
  const entries = Object.entries(options).filter(
    ([name, value]) => value !== undefined && table[name]?.storedWithRun !== false,
  );
  const given = Object.fromEntries(entries);
  return { ...given, input: givenPaths(options), folder: process.cwd() };
}

/** Paths of the input, or `null` if it isn't paths. Addresses are shown without secrets. */
function givenPaths({ input }: ImportOptions): readonly string[] | null {
  if (typeof input === 'string') return [shownInput(input)];
  const isList = Array.isArray(input) && input.every((item) => typeof item === 'string');
  return isList ? (input as readonly string[]).map(shownInput) : null;
}

/** Hash of the mapping, or of `mappingKey` for a function; `null` if a function has none. */
function mappingHash(
  { mappingKey }: Pick<ImportOptions, 'mappingKey'>,
  { plan: { mapping, factory } }: Pick<PipelineRun, 'plan'>,
): string | null {
  if (typeof factory === 'function')
    return mappingKey === undefined ? null : hashOf({ mappingKey });
  // Expectations don't affect documents.
  const { expects: _, ...rules } = mapping;
  return hashOf(rules);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
