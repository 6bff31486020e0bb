import { absentInBoth } from '../../coverage/absent-columns.js';
import { DedupIndex, MAX_IDS, TooManyIdsError } from '../../dedup/dedup-index.js';
import {
  type DedupState,
  type Duplicate,
  FirstFields,
  type PartitionedDocuments,
  partitionDuplicates,
} from '../../dedup/duplicates.js';
import { bytesOnDisk } from '../../input/inputs.js';
import type { Chunk } from '../../model/chunk.js';
import { type DocumentRange, sourceIdOf, type TransformedChunk } from '../../model/documents.js';
import { type DocferryError, SourceBrokenError, ThreadDiedError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import type { RepeatedDocument } from '../../outcomes/outcome-recorder.js';
import type { Stop } from '../../outcomes/stop-conditions.js';
import type { SurveyedChunk } from '../../transform/compile-transform.js';
import type { ThreadPool } from '../../transform/pool/transform-on-threads.js';
import { startAhead, transformChunks } from '../../transform/transform-chunks.js';
import type { ValidateOptions } from '../options.js';
import type { RunSettings } from '../settings.js';
import { emitProgress, type PipelineRun, progressOf } from './prepare-run.js';

/**
 * Starts threads for a run that is still to be prepared.
 * @returns `undefined` where a run needs none
 */
export async function startThreads(
  options: Pick<ValidateOptions, 'input' | 'mapping'>,
  { threads }: RunSettings,
): Promise<ThreadPool | undefined> {
  if (typeof options.mapping === 'function') return undefined;
  return await startAhead(threads, await bytesOnDisk(options.input));
}

/**
 * The first three stages: reads the sources, transforms their records and drops duplicates. Yields
 * the documents of one chunk together; the outcome of every other record is recorded here.
 * @param ahead threads that were started for it
 * @param maxIds most sourceIds among which repeats are detected
 */
export async function* readDocuments(
  run: PipelineRun,
  ahead?: ThreadPool,
  maxIds: number = MAX_IDS,
): AsyncGenerator<readonly DocumentRange[], void, undefined> {
  const { transform, signal, pool = ahead } = run;
  const { threads } = run.settings;
  const expectedBytes = progressOf(run).bytesTotal ?? 0;
  const place = { threads, expectedBytes, signal, pool };
  const documents = transformChunks((reading) => readChunks(run, reading), transform, place);
  yield* dropDuplicates(untilStopped(documents, run), run, maxIds);
}

/**
 * Reads all sources, one after another. Notes once what turns up meanwhile.
 * @throws SourceBrokenError when one breaks in the middle; the signal's reason when it is aborted
 */
async function* readChunks(
  { sources, notice }: PipelineRun,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, undefined> {
  const noted = new Set<string>();
  const note = (source: Source): void => {
    for (const remark of source.remarks?.() ?? []) {
      if (!noted.has(remark)) notice(remark);
      noted.add(remark);
    }
  };
  for (const source of sources) {
    try {
      for await (const chunk of source.chunks(signal)) {
        note(source);
        yield chunk;
      }
    } finally {
      note(source);
    }
  }
}

/**
 * Passes chunks on until they end or the run is stopped. What breaks in the middle stops the run, and
 * what came before goes its way.
 */
async function* untilStopped<Chunk extends TransformedChunk>(
  chunks: AsyncIterable<Chunk>,
  { recorder, stops }: PipelineRun,
): AsyncGenerator<Chunk, void, undefined> {
  if (stops.stopsReading) return;
  try {
    for await (const chunk of chunks) {
      // Also the last one: what a program has given is in the report, sent or not.
      yield chunk;
      if (stops.stopsReading) return;
    }
    recorder.readToEnd = true;
  } catch (error) {
    // An abort ends the chunks with an error, and is known already.
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

/** Yields the documents with a new sourceId, chunk by chunk. */
async function* dropDuplicates(
  chunks: AsyncIterable<SurveyedChunk>,
  run: PipelineRun,
  maxIds: number,
): AsyncGenerator<readonly DocumentRange[], void, undefined> {
  const dedup = { index: new DedupIndex(maxIds), firstFields: new FirstFields() };
  for await (const transformed of chunks) {
    const unique = uniqueDocuments(transformed, dedup, run);
    addToSurvey(transformed, unique, run);
    const { input } = transformed.chunk;
    run.absent[input] = absentInBoth(run.absent[input] ?? null, transformed.absent);
    yield unique;
    await run.hub.room();
    emitProgress(run);
  }
}

/**
 * Records the outcomes of a chunk's records that are not to be sent, and gives the documents with a
 * new sourceId. If there are too many ids to detect repeats, the run ends and none of them is sent.
 */
function uniqueDocuments(
  { chunk, documents, invalid, skipped }: TransformedChunk,
  dedup: DedupState,
  { recorder, duplicates, delivery, stops }: PipelineRun,
): readonly DocumentRange[] {
  recorder.transformed(chunk, skipped);
  delivery.read(chunk.records);
  const partitioned = partition();
  recorder.setApart(documents, invalid, (partitioned?.duplicates ?? []).map(withProblem));
  if (partitioned === undefined) {
    recorder.markPending({ documents, from: 0, to: documents.ends.length });
    return [];
  }
  for (const range of partitioned.unique) recorder.markPending(range);
  return partitioned.unique;

  function withProblem(duplicate: Duplicate): RepeatedDocument {
    const { document, outcome, previous } = duplicate;
    const sourceId = sourceIdOf(documents, document);
    const problem = duplicates.problemOf(duplicate, sourceId, recorder.numbers.nameOf(previous));
    return { document, sourceId, outcome, problem };
  }

  function partition(): PartitionedDocuments | undefined {
    try {
      return partitionDuplicates(documents, dedup, recorder.numbers.firstOf(chunk));
    } catch (error) {
      if (!(error instanceof TooManyIdsError)) throw error;
      stops.stop({ kind: 'output', message: error.message, cause: error });
      return undefined;
    }
  }
}

/** Adds what the threads have found out about a chunk's documents. */
function addToSurvey(
  { survey: found }: SurveyedChunk,
  unique: readonly DocumentRange[],
  { survey }: PipelineRun,
): void {
  if (found === undefined || survey === undefined) return;
  survey.documents.merge(found);
  for (const range of unique) survey.requests.add(range);
}
