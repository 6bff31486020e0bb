import { randomInt } from 'node:crypto';
import { NO_COUNTS } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import type { InputReport } from '../../outcomes/events.js';
import { OutputError } from '../../outputs/output-file.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { StoredRun } from '../../runs/stored-run.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { readingFlags, stateFlags } from '../option-table.js';
import type { ImportOptions, ValidateOptions } from '../options.js';
import type { RunSettings } from '../settings.js';
import { asOfNotices, requireAsOf } from './as-of.js';
import type { CheckedSources } from './check-drift.js';
import type { RunControl } from './import-run.js';
import { newPipelineRun, type PipelineRun } from './pipeline-run.js';
import { planOutputs } from './plan-outputs.js';
import { planRecords, questionNotices, type RecordUses } from './plan-records.js';

interface Preparation {
  readonly settings: RunSettings;
  readonly control: RunControl;
  readonly target: PipelineRun['target'];
  readonly earlier?: StoredRun | undefined;
  /** Given for a shard, whose group knows when it began. */
  readonly shard?: PreparedShard;
}

interface PreparedShard {
  /** Id of its run. */
  readonly id: string;
  readonly started: Date;
  /** Whether an earlier process has checked the inputs for drift. */
  readonly isChecked: boolean;
  readonly rejects: RejectsWriter;
}

type PrepareOptions = ValidateOptions & Partial<Pick<ImportOptions, 'stateDir' | 'survey'>>;

/**
 * Checks everything that can be checked before a run starts: mapping, schema, inputs and their
 * columns, drift, and output files. Nothing has been sent then.
 * @throws DocferryError with exit code 2
 */
export async function prepareRun(
  options: PrepareOptions,
  preparation: Preparation,
): Promise<PipelineRun> {
  const { settings, control, target, earlier, shard } = preparation;
  const startedMs = Date.now();
  const { id, began } = identityOf(preparation, startedMs);
  const { plan, sources: planned } = await planRecords(
    options,
    usesOf(options, preparation, began),
  );
  control.sources = planned;
  const dated = exportsOf(planned).map(inputReport);
  if (target !== null) requireAsOf(plan, dated);
  const reads = planned.flatMap(({ file }) => (file === null ? [] : [file.path]));
  const writing = { id, sources: planned, reads, earlierRejects: earlier?.rejects };
  const files = await planOutputs(options, writing);
  const { sources, notices, drift } = await checkedSources(planned, plan, options, preparation);
  const run = newPipelineRun(
    {
      id,
      target,
      drift,
      files,
      settings,
      readingFlags: readingFlags(options),
      stateFlags: stateFlags(options),
      plan,
      sources,
      hub: control.hub,
      signal: control.signal,
      rejects: shard?.rejects ?? files.rejects,
      startedMs,
    },
    { beganMs: began.getTime(), withRecords: options.withRecords ?? false },
  );
  await writeEvents(run, (error) => run.stops.stopIf(error, OutputError));
  const inputs = sources.map(inputReport);
  run.hub.emit({ type: 'start', run: id, resumed: earlier !== undefined, inputs });
  for (const message of [
    ...notices,
    ...questionNotices(plan.mapping),
    ...asOfNotices(plan, dated),
    ...sources.flatMap((source) => source.notices),
  ]) {
    run.notice(message);
  }
  control.run = run;
  return run;
}

/** Id and beginning of a run: those of the earlier run that it resumes, or of its shard. */
function identityOf(
  { earlier, shard }: Preparation,
  nowMs: number,
): { readonly id: string; readonly began: Date } {
  if (shard !== undefined) return { id: shard.id, began: shard.started };
  if (earlier === undefined) return { id: runId(nowMs), began: new Date(nowMs) };
  return { id: earlier.id, began: new Date(earlier.description.started) };
}

function usesOf(
  { survey, htmlFile, rejects, withRecords = false }: PrepareOptions,
  { target, shard }: Preparation,
  started: Date,
): RecordUses {
  const sends = target !== null;
  return {
    started,
    sends,
    surveys: !sends || (survey ?? htmlFile !== undefined),
    retainBytes: rejects !== undefined || shard !== undefined || withRecords,
  };
}

/** Leaves out files of fixed rejects: they are younger than their export, so their date says nothing. */
function exportsOf(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ layout }) => layout.header !== 'rejects');
}

/**
 * Checks the sources for drift, unless that is done or has nothing to compare with.
 * @throws DriftError
 */
async function checkedSources(
  sources: readonly Source[],
  plan: TransformPlan,
  options: PrepareOptions,
  { target, earlier, shard }: Preparation,
): Promise<Pick<CheckedSources, 'sources' | 'notices' | 'drift'>> {
  const { expects } = plan.mapping;
  // A run that has sent something was checked before it began; one that is still new may have been
  // interrupted in the middle of the check.
  const isChecked = shard === undefined ? earlier?.isNew === false : shard.isChecked;
  if (isChecked || (target === null && expects === undefined)) {
    return { sources, notices: [], drift: null };
  }
  const { checkDrift } = await import('./check-drift.js');
  return await checkDrift(sources, { ...plan, expects }, options);
}

/**
 * Writes the run's events to `eventsFile`, if given.
 * @param onFailure called once if they can't be written, for example because the disk is full
 */
export async function writeEvents(
  { id, files: { eventsFile }, hub }: Pick<PipelineRun, 'id' | 'files' | 'hub'>,
  onFailure: (error: OutputError) => void,
): Promise<void> {
  hub.run = id;
  if (eventsFile === undefined) return;
  const { EventLog } = await import('../../outputs/event-log.js');
  hub.addSink(new EventLog(eventsFile, onFailure));
}

/** Start of this process's latest run according to its id, in milliseconds since 1970. */
let lastStartMs = 0;

/**
 * Creates an id that sorts by the run's start, for example `20260131-093000-1237f4`: after the time
 * in milliseconds come three random hexadecimal digits.
 */
function runId(startedMs: number): string {
  lastStartMs = Math.max(startedMs, lastStartMs + 1);
  const time = new Date(lastStartMs).toISOString().replace(/\D/g, '');
  const random = randomInt(0x1000).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 14)}-${time.slice(14)}${random}`;
}

/** Formats a time; `null` if it is beyond what dates can hold, as on some file systems. */
function dateText(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Describes an unread input for the report and the `start` event. */
export function inputReport(source: Source): InputReport {
  const { detected } = source;
  return {
    name: source.name,
    format: detected.format,
    encoding: detected.encoding ?? null,
    compression: detected.compression ?? null,
    delimiter: detected.delimiter ?? null,
    bytes: source.size,
    modified: source.file && dateText(source.file.modifiedMs),
    records: 0,
    counts: NO_COUNTS,
  };
}
