import { namedRecord, parseChunk, recordPlace } from '../formats/read-records.js';
import { type ReadRaw, rawColumn } from '../mapping/compile/column.js';
import type { Mapping } from '../mapping/mapping.js';
import { ruleText } from '../mapping/mapping-text.js';
import { mappingRules, ruleColumns } from '../mapping/rules.js';
import type { Chunk } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { OptionError } from '../model/errors.js';
import { checkOptionTable } from '../model/options.js';
import type { ParsedRecord, Place, Problem, RecordValue } from '../model/record.js';
import type { Source } from '../model/source.js';
import { compileSampleTransform } from '../transform/compile-transform.js';
import type { TransformPlan } from '../transform/transform-record.js';
import { pathText } from '../validation/explain-errors.js';
import { PREVIEW_OPTIONS } from './option-table.js';
import type { PreviewOptions, RecordFilter } from './options.js';
import { planRecords } from './pipeline/plan-records.js';

/** A record and the document it becomes. */
export interface PreviewedRecord {
  readonly place: Place;
  /** By column or key; `null` if the record could not be read. */
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly skipped: boolean;
  /** `null` if the record is skipped or could not be read. */
  readonly document: ImportedDocument | null;
  readonly problems: readonly Problem[];
  /** The mapping's rules, and what each read from this record; empty if it could not be read. */
  readonly rules: readonly RuleUse[];
}

/**
 * Yields each record with the document it becomes, one by one in this thread, until the input ends or
 * the caller leaves the loop. Not a run: it sends nothing, detects no repeats and has no report.
 * @throws OptionError, also if no source has the `record`; MappingError; SourceError for an input that
 *   can't be opened; SourceBrokenError if it fails partway
 */
export async function* previewDocuments(
  options: PreviewOptions,
): AsyncGenerator<PreviewedRecord, void, undefined> {
  checkOptionTable(options, PREVIEW_OPTIONS, 'previewDocuments');
  const { plan, sources } = await planRecords(options, { sends: false, surveys: false });
  let [read, shown] = [0, 0];
  try {
    for (const source of sources) {
      const passed = yield* previewSource(source, plan, options);
      read += passed.read;
      shown += passed.shown;
    }
  } finally {
    for (const source of sources) source.close();
  }
  if (options.record !== undefined && shown === 0 && !options.invalid) {
    throw new OptionError(`There is no record ${options.record}; the input has ${read}.`);
  }
}

/**
 * Yields the records of one source that pass the filter.
 * @returns how many records were read, at least up to `record`, and how many shown
 */
async function* previewSource(
  source: Source,
  plan: TransformPlan,
  filter: RecordFilter,
): AsyncGenerator<PreviewedRecord, { read: number; shown: number }, undefined> {
  const preview = compilePreview(source, plan);
  let [read, shown] = [0, 0];
  for await (const chunk of source.chunks()) {
    read += chunk.records;
    if (!mayContain(chunk, filter)) continue;
    for (const [index, parsed] of parseChunk(chunk).entries()) {
      const previewed = { place: recordPlace(chunk, index), ...preview(parsed) };
      if (!matches(previewed, filter)) continue;
      shown += 1;
      yield previewed;
    }
    if (filter.record !== undefined) break;
  }
  return { read, shown };
}

function mayContain({ position, records }: Chunk, { record }: RecordFilter): boolean {
  if (record === undefined) return true;
  return position.record <= record && record < position.record + records;
}

function matches({ place, problems }: PreviewedRecord, { record, invalid }: RecordFilter): boolean {
  if (record !== undefined && place.record !== record) return false;
  return !invalid || problems.length > 0;
}

type Preview = (parsed: ParsedRecord) => Omit<PreviewedRecord, 'place'>;

function compilePreview({ layout }: Source, plan: TransformPlan): Preview {
  const transform = compileSampleTransform(layout, plan);
  const rulesOf = compileRuleUses(plan.mapping);
  return (parsed) => {
    const record = parsed.value === undefined ? null : namedRecord(parsed.value, layout);
    const { skipped, document, problems } = transform(parsed);
    const rules = record === null ? [] : rulesOf(record);
    return { record, skipped, document, problems, rules };
  };
}

export interface RuleUse {
  /** Target of the rule, for example `text`, `metrics.score` or `tags[0]`. */
  readonly field: string;
  /** The rule on one line, truncated. */
  readonly rule: string;
  /** Columns that the rule names, with the record's values as they were read. */
  readonly columns: Readonly<Record<string, unknown>>;
}

/** Returns a function that lists what each rule of a mapping reads from a record. */
export function compileRuleUses(
  mapping: Mapping,
): (record: Readonly<Record<string, unknown>>) => readonly RuleUse[] {
  const rules = mappingRules(mapping).map(({ rule, path }) => ({
    field: pathText(path.slice(1)),
    rule: ruleText(rule),
    readers: ruleColumns(rule).map((name) => [name, rawColumn(name, null)] as const),
  }));
  return (record) =>
    rules.map(({ field, rule, readers }) => ({
      field,
      rule,
      columns: Object.fromEntries(readers.map(([name, read]) => [name, readValue(read, record)])),
    }));
}

/** Reads a column; `null` if it is missing, or if a getter of the caller's object throws. */
function readValue(read: ReadRaw, record: RecordValue): unknown {
  try {
    return read(record) ?? null;
  } catch {
    return null;
  }
}
