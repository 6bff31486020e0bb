import { addAbortListener } from 'node:events';
import { driftOf } from '../../coverage/drift.js';
import type { SampleProfile } from '../../coverage/profile.js';
import { Survey } from '../../coverage/survey.js';
import type { Expectations } from '../../mapping/mapping.js';
import type { Chunk } from '../../model/chunk.js';
import { DriftError, type InputDrift, SourceBrokenError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { compileTransform } from '../../transform/compile-transform.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { ValidateOptions } from '../options.js';

/** Sources that may be read, and what is different about them. */
interface CheckedSources {
  readonly sources: readonly Source[];
  readonly notices: readonly string[];
  /** In what they have drifted; `null` if the run was stopped meanwhile. */
  readonly drift: readonly InputDrift[] | null;
}

/**
 * Compares the first records of each source with what the mapping expects.
 * @throws DriftError if one has drifted and that is not accepted
 */
export async function checkDrift(
  sources: readonly Source[],
  { expects, ...plan }: TransformPlan & { readonly expects: Expectations },
  { acceptDrift, signal }: Pick<ValidateOptions, 'acceptDrift' | 'signal'>,
): Promise<CheckedSources> {
  const { name } = plan.mapping;
  const checked: Source[] = [];
  const notices: string[] = [];
  const drift: InputDrift[] = [];
  for (const source of sources) {
    if (isRejects(source)) {
      checked.push(source);
      continue;
    }
    const sampled = await sampleSource(source, plan, signal);
    // The part of a sample that was read until then shows no drift.
    if (signal?.aborted) return { sources, notices: [], drift: null };
    checked.push(sampled.source);
    const changes = sampled.sample.records === 0 ? [] : driftOf(expects, sampled.sample);
    if (changes.length > 0) {
      const title = `${source.name} has drifted from what the mapping "${name}" expects`;
      notices.push([`${title}:`, ...changes.map(({ message }) => `  ${message}`)].join('\n'));
      drift.push(...changes.map((change) => ({ source: source.name, ...change })));
    }
  }
  if (drift.length === 0 || acceptDrift) return { sources: checked, notices, drift };
  const remedy =
    'Nothing was sent. If the file is right all the same, run it again with --accept-drift, or learn it anew with docferry mapping learn.';
  throw new DriftError([...notices, remedy].join('\n'), drift);
}

/** Records that were fixed are few and odd, and no measure of the export that they come from. */
function isRejects({ layout }: Source): boolean {
  return layout.header === 'rejects';
}

/** Records that are looked at of each source. */
export const SAMPLE_RECORDS = 2000;
/** A sample takes no more memory than this, where it has to be kept. */
const SAMPLE_BYTES = 8 * 1024 * 1024;

/** A sample, and the source as if nobody had looked. */
interface SampledSource {
  readonly sample: SampleProfile;
  readonly source: Source;
}

/**
 * Looks at the first records of a source. What can be read only once is kept, and given again when
 * the run reads it. If the source breaks or the signal is aborted, that shows when the run gets there.
 */
export async function sampleSource(
  source: Source,
  plan: TransformPlan,
  signal?: AbortSignal,
): Promise<SampledSource> {
  const stop = new AbortController();
  const chunks = source.chunks(stop.signal)[Symbol.asyncIterator]();
  const first = await stoppedBy(signal, stop, () => firstChunks(chunks, stop.signal));
  const sample = await sampleOf(source, first.chunks, plan);
  if (source.file === null) return { sample, source: replayed(source, first, { chunks, stop }) };
  await chunks.return?.();
  return { sample, source };
}

async function sampleOf(
  source: Source,
  chunks: readonly Chunk[],
  plan: TransformPlan,
): Promise<SampleProfile> {
  const transform = await compileTransform({ ...plan, sends: false, surveys: true });
  const survey = new Survey();
  let [records, invalid, skipped] = [0, 0, 0];
  for (const chunk of chunks) {
    const transformed = transform(chunk);
    records += chunk.records;
    invalid += transformed.invalid.length;
    skipped += transformed.skipped;
    if (transformed.survey !== undefined) survey.merge(transformed.survey);
  }
  const header = source.layout.columns ?? null;
  return { records, invalid, skipped, header, summary: survey.summary() };
}

/** The first chunks of a source, and what ended it, if that came before the sample was complete. */
interface FirstChunks {
  readonly chunks: readonly Chunk[];
  readonly failure?: { readonly error: unknown };
}

async function firstChunks(
  chunks: AsyncIterator<Chunk>,
  signal: AbortSignal,
): Promise<FirstChunks> {
  const kept: Chunk[] = [];
  try {
    let [records, bytes] = [0, 0];
    while (records < SAMPLE_RECORDS && bytes < SAMPLE_BYTES) {
      const step = await chunks.next();
      if (step.done) break;
      kept.push(step.value);
      records += step.value.records;
      if ('bytes' in step.value) bytes += step.value.bytes.byteLength;
    }
    return { chunks: kept };
  } catch (error) {
    if (!(error instanceof SourceBrokenError || signal.aborted)) throw error;
    return { chunks: kept, failure: { error } };
  }
}

/** A source that goes on being read where its sample ends, as if nobody had looked. */
function replayed(
  source: Source,
  { chunks: kept, failure }: FirstChunks,
  rest: { readonly chunks: AsyncIterator<Chunk>; readonly stop: AbortController },
): Source {
  return {
    ...source,
    bytesRead: () => source.bytesRead(),
    async *chunks(signal) {
      try {
        yield* kept;
        if (failure !== undefined) throw failure.error;
        for (;;) {
          const step = await stoppedBy(signal, rest.stop, () => rest.chunks.next());
          if (step.done) return;
          yield step.value;
        }
      } finally {
        await rest.chunks.return?.();
      }
    },
  };
}

/** Waits for something that a controller ends, and ends it when the signal is aborted. */
async function stoppedBy<T>(
  signal: AbortSignal | undefined,
  stop: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const listener = signal && addAbortListener(signal, () => stop.abort(signal.reason));
  try {
    return await work();
  } finally {
    listener?.[Symbol.dispose]();
  }
}
