/** What workers are told of a run: how its inputs are opened, and cut into shards. */

import { isDeepStrictEqual } from 'node:util';
import { openSources } from '../formats/open-sources.js';
import { planSpans } from '../formats/plan-spans.js';
import { hashSpan } from '../input/file-input.js';
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
    inputs: sources.map((source) => plannedInput(source, sources)),
    // Shards always write their rejects, which may be asked for after the run has ended.
    transform: { ...transform, givesUpRecords: false },
    reading: { ...transform.mapping.input, ...options.source },
    ...{ settings, notices, drift },
  };
}

/** @throws OptionError for what other machines can't read */
function plannedInput(source: Source, sources: readonly Source[]): PlannedInput {
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

/**
 * Opens an input of a run and makes sure that it looks the same.
 * @throws SourceError that says what to do if it isn't there, or is another file
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
    throw new SourceError(
      `This worker sees another file as ${path} than the run was begun with: it has ${size} bytes, and there it had ${planned.size}. Give all workers the same file.`,
    );
  }
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(source.layout)), planned.layout)) {
    throw new SourceError(
      `This worker sees another file as ${path} than the run was begun with: its columns or its layout are others. Give all workers the same file.`,
    );
  }
  return source;
}

/** A source under the name and number that it has in the run, or a span of it. */
export function partOf(
  source: Source,
  { name }: PlannedInput,
  { input, span }: { readonly input: number; readonly span: Span | undefined },
): Source {
  let read = 0;
  return {
    ...source,
    name,
    input,
    // The source itself counts for all its spans, and beyond their ends.
    bytesRead: span === undefined ? source.bytesRead : () => read,
    async *chunks(signal) {
      for await (const chunk of source.chunks(signal, span)) {
        if ('bytes' in chunk) read += chunk.bytes.byteLength;
        yield { ...chunk, source: name, input } as Chunk;
      }
    },
  };
}
