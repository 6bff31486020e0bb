/** The plan of a run that its workers share: how to open its inputs and cut them into shards. */

import { isDeepStrictEqual } from 'node:util';
import { openSources } from '../formats/open-sources.js';
import { planSpans } from '../formats/plan-spans.js';
import { hashSpan } from '../input/file-input.js';
import { sourceTextOf } from '../mapping/mapping-text.js';
import type { Chunk, Layout } from '../model/chunk.js';
import {
  DocferryError,
  type InputDrift,
  JournalError,
  OptionError,
  SourceError,
} from '../model/errors.js';
import type { Source, Span } from '../model/source.js';
import type { ImportOptions } from '../operations/options.js';
import { inputReport, type PreparedRun } from '../operations/pipeline/prepare-run.js';
import type { RunSettings } from '../operations/settings.js';
import type { InputReport } from '../outcomes/events.js';
import type { RunTarget } from '../runs/description.js';
import type { TransformPlan } from '../transform/transform-record.js';
import type { PlannedShard, Shards } from './postgres/shards.js';

/**
 * Everything that determines a run's documents and how to send them, except each worker's own
 * connection. Plain JSON.
 */
export interface RunPlan {
  readonly target: RunTarget;
  readonly minShardBytes: number;
  /** Base URL under which the process that started the run reaches the service. */
  readonly baseUrl: string;
  readonly inputs: readonly PlannedInput[];
  readonly transform: TransformPlan;
  /** The mapping's file; absent if it came as an object. */
  readonly mappingSource?: ReturnType<typeof sourceTextOf>;
  readonly reading: NonNullable<ImportOptions['source']>;
  readonly settings: RunSettings;
  readonly notices: readonly string[];
  readonly drift: readonly InputDrift[] | null;
}

export interface PlannedInput {
  /** Its name in reports. */
  readonly name: string;
  /** Absolute path on the machine that started the run. */
  readonly path: string;
  readonly size: number;
  /** Index among the sources of that file, from 0. */
  readonly member: number;
  readonly layout: Layout;
  readonly divisible: boolean;
  /** Excludes the count of its records. */
  readonly report: InputReport;
}

/**
 * Builds the plan of a run.
 * @throws OptionError if other processes can't read an input or don't have the mapping
 */
export function planRun(
  options: ImportOptions,
  { sources, transform, settings, notices, drift, target: checkedTarget }: PreparedRun,
  { target, minShardBytes, reading }: Pick<RunPlan, 'target' | 'minShardBytes'> & Partial<RunPlan>,
): RunPlan {
  if (typeof transform.factory === 'function') {
    throw new OptionError(
      'The mapping is a function, which other processes do not have. Write it as a mapping file, or leave out --no-work and --detach, so that this process imports on its own.',
    );
  }
  return {
    target,
    minShardBytes,
    baseUrl: checkedTarget?.baseUrl ?? '',
    inputs: sources.map((source) => plannedInput(source, sources)),
    // Rejects are always stored, because the file may be requested after the run has ended.
    transform: { ...transform, retainBytes: true },
    mappingSource: sourceTextOf(transform.mapping),
    reading: reading ?? { ...transform.mapping.input, ...options.source },
    ...{ settings, notices, drift },
  };
}

/** @throws OptionError if other machines can't read the input */
function plannedInput(source: Source, sources: readonly Source[]): PlannedInput {
  const { name, input, file, layout, divisible } = source;
  if (file === null) {
    throw new OptionError(
      `Only this process can read ${name}. Save it to a file that all workers can read, or leave out --no-work and --detach, so that this process imports on its own.`,
    );
  }
  const member = sources.slice(0, input).filter((other) => other.file?.path === file.path).length;
  const { path, size } = file;
  return { name, path, size, member, layout, divisible, report: inputReport(source) };
}

/** A span with the hash that a worker verifies. */
export interface ShardSpan extends Span {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

const MAX_SHARD_BYTES = 16 * 2 ** 20;
/**
 * Minimum number of shards of an input that isn't tiny, so that several workers share a small one.
 */
const MIN_SHARDS = 16;
/**
 * Largest share of the rest of an input. Shards get smaller towards its end, so that all workers
 * finish at about the same time.
 */
const MAX_SHARE_OF_REST = 1 / 8;

interface PlanningContext {
  readonly run: number;
  readonly input: number;
  readonly plan: RunPlan;
  readonly shards: Shards;
  readonly signal: AbortSignal;
}

/**
 * Cuts an input into shards and adds them as they are found, so that workers can start early.
 * Deterministic: planning the same input again gives the same shards.
 */
export async function planInput(source: Source, planning: PlanningContext): Promise<void> {
  const { run, input, shards, plan, signal } = planning;
  const planned = plan.inputs[input] as PlannedInput;
  let problem: string | null = null;
  try {
    for await (const shard of shardsOf(source, planned, planning)) {
      if (signal.aborted || !(await shards.add(run, input, shard))) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    // If the database fails, another planner continues later.
    if (error instanceof JournalError || !(error instanceof DocferryError)) throw error;
    // Shards before the unreadable position are valid.
    problem = error.message;
  }
  if (!signal.aborted) await shards.planned(run, input, problem);
}

async function* shardsOf(
  source: Source,
  { size, divisible }: PlannedInput,
  { plan, signal }: PlanningContext,
): AsyncGenerator<PlannedShard, void, undefined> {
  if (!divisible) return yield { part: 0, span: null };
  const bytesFrom = (byte: number): number =>
    Math.max(
      plan.minShardBytes,
      Math.min(MAX_SHARD_BYTES, size / MIN_SHARDS, (size - byte) * MAX_SHARE_OF_REST),
    );
  const { path } = source.file as NonNullable<Source['file']>;
  let part = 0;
  for await (const { span } of planSpans(source, { bytesFrom, signal })) {
    const hash = await hashSpan(path, span);
    yield { part, span: { ...span, hash } };
    part += 1;
  }
}

/**
 * Opens an input and verifies that its size and layout match the plan.
 * @throws SourceError with the remedy if the file is missing or differs
 */
export async function openInput(plan: RunPlan, input: number): Promise<Source> {
  const planned = plan.inputs[input] as PlannedInput;
  const { path } = planned;
  const sources = await openSources(path, plan.reading).catch((error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(
      `This worker does not see ${path}, which the run reads: ${error.message} Mount its folder here under the same path.`,
    );
  });
  const source = sources[planned.member];
  for (const other of sources) if (other !== source) other.close();
  const size = source?.file?.size;
  if (source === undefined || size !== planned.size) {
    source?.close();
    throw new SourceError(
      `This worker sees a different file at ${path}: it has ${size} bytes, but had ${planned.size} when the run started. Give all workers the same file.`,
    );
  }
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(source.layout)), planned.layout)) {
    source.close();
    throw new SourceError(
      `This worker sees a different file at ${path}: its columns or its layout differ from those the run started with. Give all workers the same file.`,
    );
  }
  return source;
}

/**
 * Restricts a source to a shard's span, under the name and number that the input has in the run.
 */
export function shardSource(
  source: Source,
  { name }: PlannedInput,
  { input, span }: { readonly input: number; readonly span: Span | undefined },
): Source {
  let read = 0;
  return {
    ...source,
    name,
    input,
    // The source itself would count the bytes of all its spans, and beyond their ends.
    bytesRead: span === undefined ? source.bytesRead : () => read,
    async *chunks(signal) {
      for await (const chunk of source.chunks(signal, span)) {
        if ('bytes' in chunk) read += chunk.bytes.byteLength;
        yield { ...chunk, source: name, input } as Chunk;
      }
    },
  };
}
