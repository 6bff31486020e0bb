/** Facts that all processes of a group share, as JSON: the shards, and the inputs for the merged report. */
import { Buffer } from 'node:buffer';
import { parseMapping } from '../../mapping/load/load-mapping.js';
import { sourceTextOf } from '../../mapping/mapping-text.js';
import type { InputDrift } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import type { InputReport } from '../../outcomes/events.js';
import type { RejectsSource } from '../../report/rejects/rejects.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { PipelineRun } from '../pipeline/pipeline-run.js';
import { inputReport } from '../pipeline/prepare-run.js';
import type { ShardPart } from './plan-shards.js';

export interface GroupPlan {
  /** The parts of each shard, in the order of the inputs. */
  readonly shards: readonly (readonly ShardPart[])[];
  readonly baseUrl: string;
  readonly inputs: readonly InputReport[];
  readonly sources: readonly RejectsSource[];
  readonly transform: TransformPlan;
  readonly drift: readonly InputDrift[] | null;
}

/** A source's text around its records, with bytes in base64. */
type WrittenSource = Omit<RejectsSource, 'head' | 'tail'> &
  Readonly<Record<'head' | 'tail', string>>;

interface WrittenPlan extends Omit<GroupPlan, 'sources'> {
  readonly sources: readonly WrittenSource[];
  /** The mapping's file, so that the report can name lines in it; absent if it came as an object. */
  readonly mappingFile?: ReturnType<typeof sourceTextOf>;
  /** Whether a function makes the documents, which can't be stored. */
  readonly isFunction: boolean;
}

export function writePlan(
  shards: GroupPlan['shards'],
  { sources, plan, drift, target }: PipelineRun,
): string {
  const inputs = sources.map(inputReport);
  const written: WrittenPlan = {
    shards,
    inputs,
    transform: plan,
    drift,
    baseUrl: target?.baseUrl ?? '',
    sources: sources.map(writtenSource),
    mappingFile: sourceTextOf(plan.mapping),
    isFunction: typeof plan.factory === 'function',
  };
  return JSON.stringify(written);
}

function writtenSource(source: Source): WrittenSource {
  const { name, input, layout, detected, head, tail, byteOrderMark } = source;
  const encoding = detected.encoding ?? null;
  const text = { head: inBase64(head), tail: inBase64(tail) };
  const written = { name, input, layout, detected: { encoding }, ...text };
  return byteOrderMark ? { ...written, byteOrderMark } : written;
}

export function readPlan(text: string): GroupPlan {
  const { mappingFile, isFunction, sources, ...plan } = JSON.parse(text) as WrittenPlan;
  const { transform } = plan;
  const mapping =
    mappingFile === undefined
      ? transform.mapping
      : parseMapping(mappingFile.text, mappingFile.name);
  return {
    ...plan,
    transform: { ...transform, mapping, ...(isFunction && { factory: NOT_CALLED }) },
    sources: sources.map(({ head, tail, ...source }) => ({
      ...source,
      head: Buffer.from(head, 'base64'),
      tail: Buffer.from(tail, 'base64'),
    })),
  };
}

const NOT_CALLED = (): undefined => undefined;

function inBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
