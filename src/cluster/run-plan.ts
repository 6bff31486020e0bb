import type { Layout } from '../model/chunk.js';
import { type InputDrift, OptionError } from '../model/errors.js';
import type { Source } from '../model/source.js';
import type { ImportOptions } from '../operations/options.js';
import { inputReport, type PreparedRun } from '../operations/pipeline/prepare-run.js';
import type { RunSettings } from '../operations/settings.js';
import type { InputReport } from '../outcomes/events.js';
import type { RunTarget } from '../runs/description.js';
import type { TransformPlan } from '../transform/transform-record.js';

/**
 * What a worker needs to know of a run beside its own connection: all that decides what documents
 * there are, and how to send them. Plain JSON.
 */
export interface RunPlan {
  readonly target: RunTarget;
  readonly minShardBytes: number;
  /** Where the process that began it reaches the service. */
  readonly baseUrl: string;
  readonly inputs: readonly PlannedInput[];
  readonly transform: TransformPlan;
  readonly reading: NonNullable<ImportOptions['source']>;
  readonly settings: RunSettings;
  /** What a person was told when the run began. */
  readonly notices: readonly string[];
  /** As in the report. */
  readonly drift: readonly InputDrift[] | null;
}

/** A file, or one of the members of an archive. */
export interface PlannedInput {
  /** As it is named in reports. */
  readonly name: string;
  /** Absolute, on the machine that began the run. */
  readonly path: string;
  readonly size: number;
  /** Which of the sources in that file it is, from 0. */
  readonly member: number;
  readonly layout: Layout;
  readonly divisible: boolean;
  /** Without its records. */
  readonly report: InputReport;
}

/**
 * Says what workers need to process a run.
 * @throws OptionError if others can't do what it takes
 */
export function planRun(
  options: ImportOptions,
  { sources, transform, settings, notices, drift, target: reached }: PreparedRun,
  { target, minShardBytes }: Pick<RunPlan, 'target' | 'minShardBytes'>,
): RunPlan {
  if (typeof transform.maker === 'function') {
    throw new OptionError(
      'The mapping is a function, which other processes do not have: write it as a mapping file, or import without a shared state.',
    );
  }
  return {
    target,
    minShardBytes,
    baseUrl: reached?.baseUrl ?? '',
    inputs: sources.map((source) => planInput(source, sources)),
    // Shards always write their rejects, which may be asked for after the run has ended.
    transform: { ...transform, givesUpRecords: false },
    reading: { ...transform.mapping.input, ...options.source },
    ...{ settings, notices, drift },
  };
}

/** @throws OptionError for what other machines can't read */
function planInput(source: Source, sources: readonly Source[]): PlannedInput {
  const { name, input, file, layout, divisible } = source;
  if (file === null) {
    throw new OptionError(
      `${name} can be read by this process alone, and not by other workers: save it to a file where all workers see it, or import without a shared state.`,
    );
  }
  const member = sources.slice(0, input).filter((other) => other.file?.path === file.path).length;
  const { path, size } = file;
  return { name, path, size, member, layout, divisible, report: inputReport(source) };
}
