import { namedRecord, parseChunk, placeOf } from '../formats/formats.js';
import { type ReadRaw, rawColumn } from '../mapping/compile/column.js';
import type { Mapping } from '../mapping/mapping.js';
import { mappingRules, ruleColumns, ruleText } from '../mapping/rules.js';
import type { Chunk } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { OptionError } from '../model/errors.js';
import { checkOptionTable } from '../model/options.js';
import type { ParsedRecord, Place, Problem, RecordValue } from '../model/record.js';
import type { Source } from '../model/source.js';
import { withoutStrayBytes } from '../transform/compile-transform.js';
import { guardedValidation, timeBoxed } from '../transform/slow-expressions.js';
import {
  compileTransformRecord,
  type TransformPlan,
  type TransformRecord,
} from '../transform/transform-record.js';
import { pathText } from '../validation/explain-errors.js';
import { PREVIEW_OPTIONS } from './option-table.js';
import type { ValidateOptions } from './options.js';
import { planRecords } from './pipeline/plan-records.js';

/** Options of a preview: those of a validation that concern single records, and which to show. */
export type PreviewOptions = Pick<
  ValidateOptions,
  'input' | 'mapping' | 'source' | 'profile' | 'schema' | 'asOf'
> & {
  /** Show only the record with this number in its source, from 1. */
  readonly record?: number;
  /** Show only records that are invalid; a repeated sourceId, which takes a run to tell, is none. */
  readonly invalid?: boolean;
};

/** A record beside what becomes of it. */
export interface PreviewedRecord {
  readonly place: Place;
  /** The record by column or key; `null` if it could not be read. */
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly skipped: boolean;
  /** `null` for a record that is skipped or could not be read. */
  readonly document: ImportedDocument | null;
  readonly problems: readonly Problem[];
  /** The mapping's rules, and what each read from this record; none if it could not be read. */
  readonly rules: readonly RuleUse[];
}

/**
 * Shows records beside the documents they become, one after another, until the loop is left.
 * Nothing is sent.
 * @throws DocferryError as `validateDocuments` does; OptionError if no source has the record
 */
export async function* previewDocuments(
  options: PreviewOptions,
): AsyncGenerator<PreviewedRecord, void, undefined> {
  checkOptionTable(options, PREVIEW_OPTIONS, 'previewDocuments');
  const { transform, sources } = await planRecords(options, {
    started: new Date(),
    sends: false,
    surveys: false,
  });
  let [read, shown] = [0, 0];
  try {
    for (const source of sources) {
      const passed = yield* previewSource(source, transform, options);
      read += passed.read;
      shown += passed.shown;
    }
  } finally {
    for (const source of sources) source.close();
  }
  if (options.record !== undefined && shown === 0 && !options.invalid) {
    throw new OptionError(`There is no record ${options.record}: there are ${read}.`);
  }
}

/** Which records are shown. */
type Shown = Pick<PreviewOptions, 'record' | 'invalid'>;

/** Gives how many records were read, at least up to the one that is wanted, and how many shown. */
export async function* previewSource(
  source: Source,
  plan: TransformPlan,
  options: Shown,
): AsyncGenerator<PreviewedRecord, { read: number; shown: number }, undefined> {
  const preview = compilePreview(source, plan);
  let [read, shown] = [0, 0];
  for await (const chunk of source.chunks()) {
    read += chunk.records;
    if (!isWanted(chunk, options)) continue;
    for (const previewed of preview(chunk)) {
      if (!isShown(previewed, options)) continue;
      shown += 1;
      yield previewed;
    }
    if (options.record !== undefined) break;
  }
  return { read, shown };
}

/** Whether a chunk may hold what is to be shown. */
function isWanted({ position, records }: Chunk, { record }: Shown): boolean {
  if (record === undefined) return true;
  return position.record <= record && record < position.record + records;
}

function isShown({ place, problems }: PreviewedRecord, options: Shown): boolean {
  if (options.record !== undefined && place.record !== options.record) return false;
  return !options.invalid || problems.length > 0;
}

/** The records of a chunk, one after another. */
type Preview = (chunk: Chunk) => Generator<PreviewedRecord, void, undefined>;

function compilePreview({ layout }: Source, plan: TransformPlan): Preview {
  const validate = guardedValidation(plan);
  const transformRecord = timeBoxed(plan)(compileTransformRecord(layout, plan, validate));
  const rulesOf = previewRules(plan.mapping);
  return function* previewChunk(chunk) {
    for (const [index, parsed] of parseChunk(chunk).entries()) {
      yield { place: placeOf(chunk, index), ...previewRecord(parsed, chunk) };
    }
  };

  function previewRecord(parsed: ParsedRecord, chunk: Chunk): Omit<PreviewedRecord, 'place'> {
    if (parsed.problem !== undefined) {
      return { ...NOTHING, record: null, problems: [parsed.problem], rules: [] };
    }
    const record = namedRecord(parsed.value, chunk.layout);
    const { problem } = withoutStrayBytes(parsed, chunk.layout, plan);
    const outcome =
      problem === undefined
        ? outcomeOf(transformRecord, parsed.value)
        : { ...NOTHING, problems: [problem] };
    return { record, ...outcome, rules: rulesOf(record) };
  }
}

const NOTHING = { skipped: false, document: null, problems: [] };

function outcomeOf(
  transformRecord: TransformRecord,
  value: RecordValue,
): Pick<PreviewedRecord, 'skipped' | 'document' | 'problems'> {
  const transformed = transformRecord(value);
  if (transformed.skipped) return { ...NOTHING, skipped: true };
  const { document, problems } = transformed;
  return { skipped: false, document, problems };
}

/** A rule of the mapping, and what it read from a record. */
export interface RuleUse {
  /** What it makes, such as `text`, `metrics.score` or `tags[0]`. */
  readonly field: string;
  /** The rule on one line, shortened. */
  readonly rule: string;
  /** The columns that it names, with the record's values as they were read. */
  readonly columns: Readonly<Record<string, unknown>>;
}

/** Says for a record what each rule of a mapping read. */
function previewRules(
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
      columns: Object.fromEntries(readers.map(([name, read]) => [name, readable(read, record)])),
    }));
}

/** `null` for what isn't there, and for what a program's object throws instead of giving it. */
function readable(read: ReadRaw, record: RecordValue): unknown {
  try {
    return read(record) ?? null;
  } catch {
    return null;
  }
}
