import { addAbortListener } from 'node:events';
import { type AbsentColumns, intersectAbsent } from '../../coverage/absent-columns.js';
import { driftOf, type SampleProfile } from '../../coverage/drift.js';
import { Survey } from '../../coverage/survey.js';
import type { Expectations, Mapping } from '../../mapping/mapping.js';
import type { Chunk } from '../../model/chunk.js';
import type { InvalidRecord } from '../../model/documents.js';
import {
  DriftError,
  type DriftFinding,
  type InputDrift,
  SourceBrokenError,
} from '../../model/errors.js';
import { count } from '../../model/figures.js';
import type { Source } from '../../model/source.js';
import { quote } from '../../model/text.js';
import { compileTransform } from '../../transform/compile-transform.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { MIN_UNREAD, unreadFields, unreadText } from '../diagnosis/unread-fields.js';
import type { ValidateOptions } from '../options.js';

export interface CheckedSources {
  readonly sources: readonly Source[];
  readonly notices: readonly string[];
  /** Accepted drift; `null` if the run was stopped during the check. */
  readonly drift: readonly InputDrift[] | null;
}

interface CheckedPlan extends TransformPlan {
  /** What the mapping learned of an earlier file, if it did. */
  readonly expects?: Expectations | undefined;
}

/**
 * Compares the first records of each source with what the mapping expects. Without expectations, only
 * objects of files are checked, as a table's columns were compared with its header.
 * @throws DriftError if a source has drifted and `acceptDrift` isn't set
 */
export async function checkDrift(
  sources: readonly Source[],
  plan: CheckedPlan,
  { acceptDrift, signal }: Pick<ValidateOptions, 'acceptDrift' | 'signal'>,
): Promise<CheckedSources> {
  const { expects } = plan;
  const checked: Source[] = [];
  const notices: string[] = [];
  const drift: InputDrift[] = [];
  for (const source of sources) {
    if (!isSampled(source, plan)) {
      checked.push(source);
      continue;
    }
    const sampled = await sampleSource(source, plan, signal);
    checked.push(sampled.source);
    const changes = changesOf(plan, sampled.sample);
    if (changes.length === 0) continue;
    notices.push(driftText(source, plan, changes));
    drift.push(...changes.map((change) => ({ source: source.name, ...change })));
  }
  // An incomplete sample can't show drift.
  if (signal?.aborted) return { sources, notices: [], drift: null };
  if (drift.length > 0 && !acceptDrift) throw driftError(plan, notices, drift);
  return { sources: checked, notices, drift: expects || drift.length > 0 ? drift : null };
}

function driftText(
  { name }: Source,
  { expects, mapping }: CheckedPlan,
  changes: readonly DriftFinding[],
): string {
  const title = expects
    ? `has drifted from what the mapping "${mapping.name}" expects`
    : `doesn't fit the mapping "${mapping.name}"`;
  return [`${name} ${title}:`, ...changes.map(({ message }) => `  ${message}`)].join('\n');
}

function driftError(
  { expects }: CheckedPlan,
  notices: readonly string[],
  drift: readonly InputDrift[],
): DriftError {
  const update = expects
    ? 'update the mapping with `docferry mapping learn`'
    : 'correct the mapping';
  const remedy = `Nothing was sent. If the records are correct, run again with --accept-drift (acceptDrift in the library), or ${update}.`;
  return new DriftError([...notices, remedy].join('\n'), drift);
}

/** A file of fixed rejects has few, unusual records, so it isn't compared with the original export. */
function isSampled({ file, layout }: Source, { expects }: CheckedPlan): boolean {
  const isFileOfObjects = file !== null && layout.columns === undefined;
  return layout.header !== 'rejects' && (expects !== undefined || isFileOfObjects);
}

function changesOf({ expects, mapping }: CheckedPlan, sample: Sample): readonly DriftFinding[] {
  if (expects === undefined) return unreadDrift(mapping, sample);
  return sample.records === 0 ? [] : driftOf(expects, sample);
}

/**
 * Finds columns without which a field that most reviews have stays empty. Checked before sending,
 * because a document can't be replaced.
 */
function unreadDrift(mapping: Mapping, sample: Sample): readonly DriftFinding[] {
  const { records, absent } = sample;
  if (records < MIN_UNREAD) return [];
  const needsAll = isAllInvalid(sample) || isAllForeign(sample, mapping);
  return absenceOf(unreadFields(mapping, absent, needsAll), records, absent);
}

/** Whether all records are skipped and none has an id: those without a text may be skipped, too. */
function isAllForeign({ records, skipped, absent }: Sample, mapping: Mapping): boolean {
  const unread = unreadFields(mapping, absent, true);
  return skipped === records && unread.some(({ field }) => field === 'sourceId');
}

function isAllInvalid({ records, invalid, skipped }: Sample): boolean {
  return invalid > 0 && invalid + skipped === records;
}

function absenceOf(
  unread: ReturnType<typeof unreadFields>,
  records: number,
  absent: AbsentColumns,
): readonly DriftFinding[] {
  if (unread.length === 0) return [];
  const columns = [...new Set(unread.flatMap((one) => one.columns))];
  const suggestions = columns.flatMap((column) => absent[column] || []).map(quote);
  const hint = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(', ')}?`;
  const message = `none of the first ${count(records, 'record')} has ${unreadText(unread)}${hint}`;
  const expected = columns.map(quote).join(', ');
  return [{ kind: 'columns', name: null, expected, found: 'none of them', message }];
}

/** Limits of a sample; that of a stream is held in memory. */
export interface SampleLimits {
  readonly records: number;
  readonly bytes: number;
}

export const SAMPLE_LIMITS: SampleLimits = { records: 2000, bytes: 8 * 1024 * 1024 };

interface Sample extends SampleProfile {
  readonly failed: readonly InvalidRecord[];
  readonly absent: AbsentColumns;
}

/** A sample, and a source that still yields all records. */
interface SampledSource {
  readonly sample: Sample;
  readonly source: Source;
}

/**
 * Profiles the first records of a source. If the source can be read only once, the returned source
 * replays the sampled chunks. A read error or abort is thrown when the run reaches that point.
 */
export async function sampleSource(
  source: Source,
  plan: TransformPlan,
  signal?: AbortSignal,
): Promise<SampledSource> {
  const stop = new AbortController();
  const chunks = source.chunks(stop.signal)[Symbol.asyncIterator]();
  const listener = forwardAbort(signal, stop);
  let first: FirstChunks;
  try {
    first = await firstChunks(chunks, SAMPLE_LIMITS, stop.signal);
  } finally {
    listener?.[Symbol.dispose]();
  }
  const sample = await sampleOf(source, first.chunks, plan);
  if (source.file === null) return { sample, source: replayed(source, first, chunks, stop) };
  await chunks.return?.();
  return { sample, source };
}

function forwardAbort(
  signal: AbortSignal | undefined,
  to: AbortController,
): Disposable | undefined {
  return signal && addAbortListener(signal, () => to.abort(signal.reason));
}

async function sampleOf(
  source: Source,
  chunks: readonly Chunk[],
  plan: TransformPlan,
): Promise<Sample> {
  const transform = await compileTransform({ ...plan, sends: false, surveys: true });
  const survey = new Survey();
  let failed: readonly InvalidRecord[] = [];
  let [records, skipped] = [0, 0];
  let absent: AbsentColumns | null = null;
  for (const chunk of chunks) {
    const transformed = transform(chunk);
    records += chunk.records;
    failed = [...failed, ...transformed.invalid];
    skipped += transformed.skips.reduce((sum, [, number]) => sum + number, 0);
    absent = intersectAbsent(absent, transformed.absent);
    if (transformed.survey !== undefined) survey.merge(transformed.survey);
  }
  const header = source.layout.columns ?? null;
  const summary = survey.summary();
  const invalid = failed.length;
  return { records, invalid, failed, skipped, header, summary, absent: absent ?? {} };
}

/** First chunks of a source, and the error if one came before the sample was complete. */
interface FirstChunks {
  readonly chunks: readonly Chunk[];
  readonly records: number;
  readonly failure?: { readonly error: unknown };
}

export async function firstChunks(
  iterator: AsyncIterator<Chunk>,
  limits: SampleLimits,
  signal?: AbortSignal,
): Promise<FirstChunks> {
  const chunks: Chunk[] = [];
  let [records, bytes] = [0, 0];
  try {
    while (records < limits.records && bytes < limits.bytes) {
      const step = await iterator.next();
      if (step.done) break;
      chunks.push(step.value);
      records += step.value.records;
      if ('bytes' in step.value) bytes += step.value.bytes.byteLength;
    }
    return { chunks, records };
  } catch (error) {
    if (!(error instanceof SourceBrokenError || signal?.aborted)) throw error;
    return { chunks, records, failure: { error } };
  }
}

/** Returns a source that yields the sampled chunks first, and then the rest. */
function replayed(
  source: Source,
  { chunks: sampled, failure }: FirstChunks,
  rest: AsyncIterator<Chunk>,
  stop: AbortController,
): Source {
  return {
    ...source,
    bytesRead: () => source.bytesRead(),
    async *chunks(signal) {
      const listener = forwardAbort(signal, stop);
      try {
        yield* sampled;
        if (failure !== undefined) throw failure.error;
        yield* { [Symbol.asyncIterator]: () => rest };
      } finally {
        listener?.[Symbol.dispose]();
        await rest.return?.();
      }
    },
  };
}
