/** Maps a whole sample, with the outcome that a run over the same records would give each. */
import { AbsentColumnTracker } from '../../coverage/absent-columns.js';
import { DuplicateProblems } from '../../dedup/duplicates.js';
import { namedRecord } from '../../formats/read-records.js';
import { contentOf } from '../../guess/verify-draft.js';
import type { Mapping } from '../../mapping/mapping.js';
import type { ImportedDocument } from '../../model/document.js';
import type { Place, Problem, RecordValue } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import { withoutStrayBytes } from '../../transform/compile-transform.js';
import { ExpressionGuard } from '../../transform/slow-expressions.js';
import {
  compileTransformRecord,
  type TransformPlan,
  type TransformRecord,
} from '../../transform/transform-record.js';
import { compileValidation } from '../../validation/schemas.js';
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
  /** Shows a record as a preview does. */
  shown(record: MappedRecord): PreviewedRecord;
}

/** Time limit: a mapping's regular expressions may be slow on every record. */
const MAX_MS = 3_000;

/** @throws MappingError if the source lacks columns that the mapping names */
export function mapSample(sample: MappedInput, mapping: Mapping): MappedSample {
  const { layout } = sample.source;
  const plan = planOf(mapping);
  checkColumns(sample.source, plan);
  const transform = compileTransformRecord(layout, plan, compileValidation(plan.validation));
  const endMs = performance.now() + MAX_MS;
  const records = new ExpressionGuard(plan).run(transform, (guarded) =>
    mapRecords(sample, plan, guarded, endMs),
  );
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
      return { place, record, skipped: outcome === 'skipped', document, problems, rules };
    },
  };
}

export function planOf(mapping: Mapping): TransformPlan {
  return {
    mapping,
    factory: undefined,
    downloaded: new Date().toISOString(),
    asOf: undefined,
    validation: { profile: mapping.profile },
    sends: false,
    surveys: false,
  };
}

function mapRecords(
  { parsed, source: { layout } }: MappedInput,
  plan: TransformPlan,
  transform: TransformRecord,
  endMs: number,
): readonly MappedRecord[] {
  const records: MappedRecord[] = [];
  const repeats = new RepeatFinder(plan.mapping);
  for (const one of parsed) {
    if (performance.now() > endMs) break;
    const read = withoutStrayBytes(one, layout, plan);
    records.push(
      read.problem === undefined
        ? mapRecord(one, transform, repeats)
        : unreadable(one, read.problem),
    );
  }
  return records;
}

function unreadable({ place, value }: PlacedRecord, problem: Problem): MappedRecord {
  return { place, value, outcome: 'invalid', document: null, problems: [problem] };
}

function mapRecord(
  { place, value }: PlacedRecord,
  transform: TransformRecord,
  repeats: RepeatFinder,
): MappedRecord {
  const made = transform(value as RecordValue);
  if (made.skipped) return { place, value, outcome: 'skipped', document: null, problems: [] };
  const { document, problems, hashedId } = made;
  if (problems.length > 0) return { place, value, outcome: 'invalid', document, problems };
  const repeat = repeats.find(document, hashedId, place);
  if (repeat === undefined) return { place, value, outcome: 'valid', document, problems };
  return { place, value, document, ...repeat };
}

/** Finds documents whose sourceId came before, as a run does. */
class RepeatFinder {
  readonly #mapping: Mapping;
  readonly #problems = new DuplicateProblems([]);
  readonly #firsts = new Map<string, { readonly content: string; readonly place: Place }>();

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  find(
    document: ImportedDocument,
    hashedId: boolean,
    place: Place,
  ): Pick<MappedRecord, 'outcome' | 'problems'> | undefined {
    const { sourceId = '' } = document;
    const content = contentOf(document, this.#mapping, hashedId);
    const first = this.#firsts.get(sourceId);
    if (first === undefined) {
      this.#firsts.set(sourceId, { content, place });
      return undefined;
    }
    const outcome = first.content === content ? 'duplicate' : 'invalid';
    const previous = `record ${first.place.record}`;
    return { outcome, problems: [this.#problems.problemOf({ outcome }, sourceId, previous)] };
  }
}

function absentIn(records: readonly MappedRecord[], mapping: Mapping): MappedSample['absent'] {
  const tracker = new AbsentColumnTracker(mapping);
  for (const { value } of records) if (value !== undefined) tracker.add(value);
  return tracker.absent() ?? {};
}
