import { type AbsentColumns, AbsentColumnTracker } from '../coverage/absent-columns.js';
import { Survey, type SurveySummary } from '../coverage/survey.js';
import { checkCount, readRecords, recordPlace } from '../formats/read-records.js';
import { strayBytes } from '../formats/stray-bytes.js';
import { rawColumn } from '../mapping/compile/column.js';
import { mappingColumns } from '../mapping/rules.js';
import type { Chunk, Layout } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import type { InvalidRecord, TransformedChunk } from '../model/documents.js';
import type { ParsedRecord, Place, Problem, SkippedBy } from '../model/record.js';
import { compileValidation } from '../validation/schemas.js';
import { digestDocument } from './digest-document.js';
import {
  type Allocate,
  allocateFresh,
  compileReviewHash,
  DocumentWriter,
  loadHashes,
} from './serialise.js';
import {
  compileTransformRecord,
  type TransformPlan,
  type TransformRecord,
} from './transform-record.js';

export interface SurveyedChunk extends TransformedChunk {
  /** Only for validation; imports don't spend time on it. */
  readonly survey: SurveySummary | undefined;
  /** Columns that no record of the input had so far on this thread; `null` for tables. */
  readonly absent: AbsentColumns | null;
}

/**
 * Compiles parse → map → validate → serialise into one function of a chunk. The schema is compiled
 * once, the mapping once for each header. The function throws a MappingError if the mapping doesn't
 * fit a header.
 * @param allocate allocates memory for a chunk's documents
 */
export async function compileTransform(
  plan: TransformPlan,
  allocate: Allocate = allocateFresh,
): Promise<(chunk: Chunk) => SurveyedChunk> {
  await loadHashes();
  const validate = compileValidation(plan.validation);
  const hashReview = compileReviewHash(plan.mapping);
  // A program's function may make documents of any shape, which only JSON has a text for.
  const write = plan.sends || plan.factory !== undefined ? JSON.stringify : digestDocument;
  const absentTrackers = new Map<number, AbsentColumnTracker>();
  return (chunk) => {
    const transformRecord = compileTransformRecord(chunk.layout, plan, validate, write);
    const absentTracker = chunk.layout.columns
      ? undefined
      : absentTrackerOf(chunk, plan, absentTrackers);
    const survey = surveyOf(chunk, plan);
    const work = { chunk, plan, allocate, hashReview, absentTracker, survey };
    return transformRecords(work, transformRecord);
  };
}

/** Expected ratio of document size to record size; documents repeat field names. */
const SIZE_RATIO = 2;

interface ChunkWork {
  readonly chunk: Chunk;
  readonly plan: TransformPlan;
  readonly allocate: Allocate;
  readonly hashReview: ReturnType<typeof compileReviewHash>;
  readonly absentTracker: AbsentColumnTracker | undefined;
  readonly survey: Survey | undefined;
}

function absentTrackerOf(
  { input }: Chunk,
  { mapping }: TransformPlan,
  trackers: Map<number, AbsentColumnTracker>,
): AbsentColumnTracker {
  const tracker = trackers.get(input) ?? new AbsentColumnTracker(mapping);
  trackers.set(input, tracker);
  return tracker;
}

function surveyOf(
  { kind, layout }: Chunk,
  { surveys, started }: TransformPlan,
): Survey | undefined {
  if (!surveys || kind === 'broken') return undefined;
  return new Survey(layout.columns ?? null, started);
}

function transformRecords(
  { chunk, plan, allocate, hashReview, absentTracker, survey }: ChunkWork,
  transformRecord: TransformRecord,
): SurveyedChunk {
  const writer = new DocumentWriter(
    chunk.records,
    'bytes' in chunk ? chunk.bytes.byteLength * SIZE_RATIO : 0,
    allocate,
    hashReview,
  );
  const invalid: InvalidRecord[] = [];
  const skips = new Map<SkippedBy, number>();
  const placeAt = (at: number): Place => recordPlace(chunk, at);
  let index = -1;
  for (const read of readRecords(chunk)) {
    index += 1;
    const parsed = read.isDamaged ? withoutStrayBytes(read, chunk.layout, plan) : read;
    if (parsed.problem !== undefined) {
      invalid.push({ index, problems: [parsed.problem] });
      continue;
    }
    absentTracker?.add(parsed.value);
    survey?.add(parsed.value);
    const transformed = transformRecord(parsed.value);
    if (transformed.skipped) {
      skips.set(transformed.by, (skips.get(transformed.by) ?? 0) + 1);
    } else if (transformed.problems.length > 0) {
      invalid.push({ index, problems: transformed.problems });
    } else {
      writer.add(transformed.form, index, transformed.document, transformed.hashedId);
      survey?.document(transformed.document, placeAt, index);
    }
  }
  checkCount(chunk, index + 1);
  const made = writer.finish(chunk);
  const documents = plan.sends ? made : { ...made, bytes: NO_BYTES };
  const absent = absentTracker?.absent() ?? null;
  return { chunk, documents, invalid, skips: [...skips], absent, survey: survey?.summary() };
}

const NO_BYTES = new Uint8Array();

/** Result for one record of a sample, whether it could be read or not. */
export interface RecordResult {
  readonly skipped: boolean;
  /** `null` if the record is skipped or could not be read. */
  readonly document: ImportedDocument | null;
  readonly problems: readonly Problem[];
  /** Whether the document's sourceId is a hash of its review. */
  readonly hashedId: boolean;
}

const NO_DOCUMENT = { skipped: false, document: null, problems: [], hashedId: false } as const;

/**
 * Compiles the transform of single records, for previews and samples.
 * @throws MappingError if the mapping doesn't fit the layout's columns
 */
export function compileSampleTransform(
  layout: Layout,
  plan: TransformPlan,
): (parsed: ParsedRecord) => RecordResult {
  const transform = compileTransformRecord(layout, plan, compileValidation(plan.validation));
  return (parsed) => {
    const { problem, value } = withoutStrayBytes(parsed, layout, plan);
    if (problem !== undefined) return { ...NO_DOCUMENT, problems: [problem] };
    const transformed = transform(value);
    return transformed.skipped ? { ...NO_DOCUMENT, skipped: true } : transformed;
  };
}

/** Replaces a record by a problem if a value that its document needs has invalid UTF-8. */
function withoutStrayBytes(
  parsed: ParsedRecord,
  { columns }: Layout,
  { mapping, factory }: Pick<TransformPlan, 'mapping' | 'factory'>,
): ParsedRecord {
  const { value, isDamaged } = parsed;
  if (value === undefined || !isDamaged) return parsed;
  // It is unknown which values a function needs.
  if (factory !== undefined) return { problem: strayBytes('the record') };
  const lacksKey = hasBrokenKey(value);
  for (const column of mappingColumns(mapping)) {
    const found = rawColumn(column, columns ?? null)(value);
    const name = JSON.stringify(column);
    if (found === undefined && lacksKey) {
      return { problem: strayBytes(`a key that may be ${name}`) };
    }
    if (isBroken(found)) return { problem: strayBytes(`column ${name}`) };
  }
  return parsed;
}

function isBroken(found: unknown): boolean {
  return found !== undefined && JSON.stringify(found).includes('\ufffd');
}

function hasBrokenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => isBroken(key) || hasBrokenKey(inner));
}
