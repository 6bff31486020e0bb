import { randomInt } from 'node:crypto';
import { NO_COUNTS } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import type { InputReport } from '../../outcomes/events.js';
import { OutputError } from '../../outputs/output-file.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { StoredRun } from '../../runs/stored-run.js';
import { readingFlags, stateFlags } from '../option-table.js';
import type { ImportOptions, ValidateOptions } from '../options.js';
import type { RunSettings } from '../settings.js';
import { asOfNotices, requireAsOf } from './as-of.js';
import type { RunControl } from './import-run.js';
import { newPipelineRun, type PipelineRun } from './pipeline-run.js';
import { planOutputs } from './plan-outputs.js';
import { planRecords, questionNotices } from './plan-records.js';

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

/**
 * Checks everything that can be checked before a run starts: mapping, schema, inputs and their
 * columns, drift, and output files. Nothing has been sent then.
 * @throws DocferryError with exit code 2
 */
export async function prepareRun(
  options: ValidateOptions & Partial<Pick<ImportOptions, 'stateDir' | 'survey'>>,
  { settings, control, target, earlier, shard }: Preparation,
): Promise<PipelineRun> {
  const now = new Date();
  const { hub, signal } = control;
  const started =
    shard?.started ?? (earlier === undefined ? now : new Date(earlier.description.started));
  const id = shard?.id ?? earlier?.id ?? runId(now);
  const sends = target !== null;
  const surveys = !sends || (options.survey ?? options.htmlFile !== undefined);
  const { rejects, withRecords = false } = options;
  const retainBytes = rejects !== undefined || shard !== undefined || withRecords;
  const uses = { started, sends, surveys, retainBytes };
  const { plan, ...planned } = await planRecords(options, uses);
  control.sources = planned.sources;
  const { expects } = plan.mapping;
  // A file of fixed rejects is younger than its export, so its date says nothing about the export's.
  const exports = planned.sources.filter(({ layout }) => layout.header !== 'rejects');
  const dated = exports.map(inputReport);
  if (sends) requireAsOf(plan, dated);
  const reads = planned.sources.flatMap(({ file }) => (file === null ? [] : [file.path]));
  const writing = { id, sources: planned.sources, reads, earlierRejects: earlier?.rejects };
  const files = await planOutputs(options, writing);
  // A run that has sent something was checked before it began; one that is still new may have been
  // interrupted in the middle of the check.
  const isUnchecked = shard === undefined ? (earlier?.isNew ?? true) : !shard.isChecked;
  const { sources, drift, ...checked } =
    isUnchecked && (sends || expects !== undefined)
      ? await (await import('./check-drift.js')).checkDrift(
          planned.sources,
          { ...plan, expects },
          options,
        )
      : { sources: planned.sources, notices: [], drift: null };
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
      hub,
      signal,
      rejects: shard?.rejects ?? files.rejects,
      startedMs: now.getTime(),
    },
    { beganMs: started.getTime(), withRecords },
  );
  await writeEvents(run, (error) => run.stops.stopIf(error, OutputError));
  const inputs = sources.map(inputReport);
  hub.emit({ type: 'start', run: id, resumed: earlier !== undefined, inputs });
  for (const message of [
    ...checked.notices,
    ...questionNotices(plan.mapping),
    ...asOfNotices(plan, dated),
    ...sources.flatMap((source) => source.notices),
  ]) {
    run.notice(message);
  }
  control.run = run;
  return run;
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
function runId(started: Date): string {
  lastStartMs = Math.max(started.getTime(), lastStartMs + 1);
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
