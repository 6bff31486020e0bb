/** Maps a whole sample, with the outcome that a run over the same records would give each. */
import { AbsentColumnTracker } from '../../coverage/absent-columns.js';
import { duplicateProblem } from '../../dedup/duplicates.js';
import { namedRecord } from '../../formats/read-records.js';
import { Repeats } from '../../guess/repeats.js';
import { columnMistakes } from '../../mapping/compile/compile-mapping.js';
import type { Mapping } from '../../mapping/mapping.js';
import type { ImportedDocument } from '../../model/document.js';
import { MappingError } from '../../model/errors.js';
import type { Place, Problem, RecordValue } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import { compileSampleTransform, type RecordResult } from '../../transform/compile-transform.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { checkColumns } from '../pipeline/plan-records.js';
import { compileRuleUses, type PreviewedRecord } from '../preview-documents.js';
import type { ParsedSample, PlacedRecord } from './sample-source.js';

export type MappedOutcome = 'valid' | 'invalid' | 'skipped' | 'duplicate';

/** A record of the sample with the document it becomes. */
export interface MappedRecord {
  readonly place: Place;
  /** `undefined` if the record could not be read. */
  readonly value: RecordValue | undefined;
  readonly outcome: MappedOutcome;
  /** `null` if the record is skipped or could not be read. */
  readonly document: ImportedDocument | null;
  readonly problems: readonly Problem[];
}

/** A record, the document it becomes and the rules that make it, to be shown. */
export interface ShownRecord extends Omit<PreviewedRecord, 'skipped'> {
  /** Repeats of an earlier sourceId are duplicates, or invalid if their content differs. */
  readonly outcome: MappedOutcome;
}

/** The part of a sample that mapping it takes. */
export interface MappedInput extends Pick<ParsedSample, 'parsed' | 'whole'> {
  readonly source: Pick<Source, 'name' | 'layout'>;
}

export interface MappedSample {
  readonly mapping: Mapping;
  readonly sample: MappedInput;
  readonly records: readonly MappedRecord[];
  /** Whether mapping took too long, so that only the first records were mapped. */
  readonly late: boolean;
  /** Columns that the mapping reads and no record has, each with the most similar key. */
  readonly absent: Readonly<Record<string, string>>;
  shown(record: MappedRecord): ShownRecord;
}

/** Results by sample and mapping, the latest last. */
const known = new WeakMap<MappedInput, Map<string, MappedSample>>();
const MAX_KNOWN = 3;

/**
 * As {@link mapSample}, from memory for the latest mappings: pages ask for several things about one,
 * and how it differs from the one before.
 */
export function mapSampleOnce(sample: MappedInput, mapping: Mapping): MappedSample {
  const results = known.get(sample) ?? new Map<string, MappedSample>();
  const key = JSON.stringify(mapping);
  const mapped = results.get(key) ?? mapSample(sample, mapping);
  results.delete(key);
  if (!mapped.late) results.set(key, mapped);
  const [oldest] = results.keys();
  if (results.size > MAX_KNOWN && oldest !== undefined) results.delete(oldest);
  known.set(sample, results);
  return mapped;
}

/** Maps a sample; as long as the mapping can't run, without its rules and conditions. */
export function mappedOrRead(sample: MappedInput, mapping: Mapping): MappedSample {
  try {
    return mapSampleOnce(sample, mapping);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return mapSampleOnce(sample, { ...mapping, document: {}, skip: [] });
  }
}

/** Lists the columns that a mapping names and a header lacks; none for records without a header. */
export function missingColumns(
  mapping: Pick<Mapping, 'document' | 'skip'>,
  columns: readonly string[] | null | undefined,
): readonly string[] {
  if (!columns) return [];
  return columnMistakes(mapping, columns)
    .flatMap(({ places }) => places[0]?.column ?? [])
    .filter((column) => !columns.includes(column));
}

/** Time limit: a mapping's regular expressions may be slow on every record. */
const MAX_MS = 10_000;

/** @throws MappingError if the source lacks columns that the mapping names */
export function mapSample(sample: MappedInput, mapping: Mapping): MappedSample {
  const { layout } = sample.source;
  const plan = planOf(mapping);
  checkColumns(sample.source, plan);
  const records = mapRecords(sample, plan);
  const rulesOf = compileRuleUses(mapping);
  return {
    mapping,
    sample,
    records,
    late: records.length < sample.parsed.length,
    absent: layout.columns === undefined ? absentIn(records, mapping) : {},
    shown: ({ place, value, outcome, document, problems }) => {
      const record = value === undefined ? null : namedRecord(value, layout);
      const rules = record === null ? [] : rulesOf(record);
      return { place, record, outcome, document, problems, rules };
    },
  };
}

function planOf(mapping: Mapping): TransformPlan {
  return {
    mapping,
    factory: undefined,
    started: new Date().toISOString(),
    asOf: undefined,
    validation: { profile: mapping.profile },
    sends: false,
    surveys: false,
  };
}

function mapRecords(
  { parsed, source: { layout } }: MappedInput,
  plan: TransformPlan,
): readonly MappedRecord[] {
  const transform = compileSampleTransform(layout, plan);
  const endMs = performance.now() + MAX_MS;
  const repeats = new Repeats<Place>(plan.mapping);
  const records: MappedRecord[] = [];
  for (const record of parsed) {
    if (performance.now() > endMs) break;
    records.push(recordOf(record, transform(record), repeats, plan.mapping));
  }
  return records;
}

function recordOf(
  { place, value }: PlacedRecord,
  { skipped, document, problems, hashedId }: RecordResult,
  repeats: Repeats<Place>,
  { duplicates }: Mapping,
): MappedRecord {
  const found = { place, value, document, problems };
  if (skipped) return { ...found, outcome: 'skipped' };
  if (document === null || problems.length > 0) return { ...found, outcome: 'invalid' };
  const repeat = repeats.find(document, hashedId, place);
  if (repeat === undefined) return { ...found, outcome: 'valid' };
  const outcome = repeat.isSame ? 'duplicate' : 'invalid';
  const previous = `record ${repeat.first.record}`;
  const byReview = hashedId || duplicates === 'same-review';
  const { sourceId = '' } = document;
  const problem = duplicateProblem({ outcome, byReview }, { sourceId, previous, duplicates });
  return { ...found, outcome, problems: [problem] };
}

function absentIn(records: readonly MappedRecord[], mapping: Mapping): MappedSample['absent'] {
  const tracker = new AbsentColumnTracker(mapping);
  for (const { value } of records) if (value !== undefined) tracker.add(value);
  return tracker.absent() ?? {};
}
