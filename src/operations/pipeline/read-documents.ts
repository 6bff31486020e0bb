import { intersectAbsent } from '../../coverage/absent-columns.js';
import { DedupIndex, MAX_IDS, TooManyIdsError } from '../../dedup/dedup-index.js';
import {
  duplicateProblem,
  type PartitionedDocuments,
  partitionDuplicates,
} from '../../dedup/duplicates.js';
import { bytesOnDisk } from '../../input/inputs.js';
import type { Chunk } from '../../model/chunk.js';
import { type DocumentRange, sourceIdOf, type TransformedChunk } from '../../model/documents.js';
import { type DocferryError, SourceBrokenError, ThreadDiedError } from '../../model/errors.js';
import type { RepeatedDocument } from '../../outcomes/outcome-recorder.js';
import type { Stop } from '../../outcomes/stop-conditions.js';
import type { SurveyedChunk } from '../../transform/compile-transform.js';
import type { ThreadPool } from '../../transform/pool/transform-on-threads.js';
import { prestartThreads, transformChunks } from '../../transform/transform-chunks.js';
import type { ValidateOptions } from '../options.js';
import type { RunSettings } from '../settings.js';
import { emitProgress, type PipelineRun, progressOf } from './pipeline-run.js';

/** Starts threads while the run is still being prepared; `undefined` if it needs none. */
export async function startThreads(
  options: Pick<ValidateOptions, 'input' | 'mapping'>,
  { threads }: RunSettings,
): Promise<ThreadPool | undefined> {
  if (typeof options.mapping === 'function') return undefined;
  return await prestartThreads(threads, await bytesOnDisk(options.input));
}

/**
 * Runs the first three stages: reads the sources, transforms their records and drops duplicates. Yields
 * the unique documents of one chunk at a time, and records the outcome of all other records.
 * @param threadPool from `startThreads`
 * @param maxIds maximum number of distinct sourceIds
 */
export async function* readDocuments(
  run: PipelineRun,
  threadPool?: ThreadPool,
  maxIds: number = MAX_IDS,
): AsyncGenerator<readonly DocumentRange[], void, undefined> {
  const { plan, signal } = run;
  const { threads } = run.settings;
  const expectedBytes = progressOf(run).bytesTotal ?? 0;
  const resources = { threads, expectedBytes, signal, pool: threadPool };
  const documents = transformChunks((stopping) => readChunks(run, stopping), plan, resources);
  yield* dropDuplicates(untilStopped(documents, run), run, maxIds);
}

/**
 * Reads all sources, one after another, and emits their remarks, each after its last chunk.
 * @throws SourceBrokenError if a source breaks in the middle; the signal's reason when it is aborted
 */
async function* readChunks(
  { sources, notice }: PipelineRun,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, undefined> {
  for (const source of sources) {
    try {
      yield* source.chunks(signal);
    } finally {
      for (const remark of source.remarks?.() ?? []) notice(remark);
    }
  }
}

/**
 * Passes chunks on until they end or the run is stopped. A broken source or a dead thread stops the
 * run; the chunks before it are still processed.
 */
async function* untilStopped<Chunk extends TransformedChunk>(
  chunks: AsyncIterable<Chunk>,
  { recorder, stops }: PipelineRun,
): AsyncGenerator<Chunk, void, undefined> {
  if (stops.stopsReading) return;
  try {
    for await (const chunk of chunks) {
      // Yielded even if the run has stopped, so that the report counts every record read.
      yield chunk;
      if (stops.stopsReading) return;
    }
    recorder.readToEnd = true;
  } catch (error) {
    // An abort ends the chunks with an error, but has stopped the run already.
    if (stops.stopsReading) return;
    const kind = stopOf(error);
    if (kind === undefined) throw error;
    const { message, cause = error } = error as DocferryError;
    stops.stop({ kind, message, cause });
  }
}

function stopOf(error: unknown): Stop['kind'] | undefined {
  if (error instanceof SourceBrokenError) return 'source';
  return error instanceof ThreadDiedError ? 'thread' : undefined;
}

async function* dropDuplicates(
  chunks: AsyncIterable<SurveyedChunk>,
  run: PipelineRun,
  maxIds: number,
): AsyncGenerator<readonly DocumentRange[], void, undefined> {
  const index = new DedupIndex(maxIds);
  for await (const transformed of chunks) {
    const unique = uniqueDocuments(transformed, index, run);
    if (transformed.survey !== undefined) run.survey?.merge(transformed.survey);
    const { input } = transformed.chunk;
    run.absent[input] = intersectAbsent(run.absent[input] ?? null, transformed.absent);
    yield unique;
    await run.hub.drained();
    emitProgress(run);
  }
}

/**
 * Returns a chunk's documents with a new sourceId, and records the outcomes of its other records. If
 * the index is full, the run stops and none of the chunk's documents is returned.
 */
function uniqueDocuments(
  { chunk, documents, invalid, skips }: TransformedChunk,
  index: DedupIndex,
  { recorder, plan, delivery, stops }: PipelineRun,
): readonly DocumentRange[] {
  recorder.transformed(chunk, skips);
  delivery.read(chunk.records);
  let found: PartitionedDocuments = { unique: [], duplicates: [] };
  try {
    found = partitionDuplicates(documents, index, recorder.numbers.firstOf(chunk));
  } catch (error) {
    stops.stopIf(error, TooManyIdsError);
    recorder.markPending({ documents, from: 0, to: documents.ends.length });
  }
  const repeated = found.duplicates.map((duplicate): RepeatedDocument => {
    const { document, outcome } = duplicate;
    const sourceId = sourceIdOf(documents, document);
    const previous = recorder.numbers.nameOf(duplicate.previous);
    const { duplicates } = plan.mapping;
    const problem = duplicateProblem(duplicate, { sourceId, previous, duplicates });
    return { document, sourceId, outcome, problem };
  });
  recorder.noteInvalidAndDuplicates(documents, invalid, repeated);
  for (const range of found.unique) recorder.markPending(range);
  return found.unique;
}
