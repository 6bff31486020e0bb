import { type ReadRaw, rawColumn } from '../mapping/compile/column.js';
import {
  compileMapping,
  type MappedDocument,
  type MapRecord,
  type SkippedRecord,
} from '../mapping/compile/compile-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import { mainColumns, mappingRules } from '../mapping/rules.js';
import { cutValue, trim } from '../mapping/steps/value.js';
import type { Layout } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import type { Problem, RecordValue } from '../model/record.js';
import { pathText } from '../validation/explain-errors.js';
import {
  brokenText,
  type ValidateDocument,
  type ValidationOptions,
} from '../validation/schemas.js';
import { compileFactory, type DocumentFactory, invalidRecord } from './custom-mapper.js';
import type { DocumentDigest } from './serialise.js';

/**
 * Everything that a transform needs, as plain data that can cross threads, unless a function makes
 * the documents.
 */
export interface TransformPlan {
  readonly mapping: Mapping;
  /** Makes the documents instead of the mapping, which then has no rules. */
  readonly factory?: DocumentFactory | undefined;
  /** Start of the run (ISO 8601): the default of `downloaded`. */
  readonly started: string;
  /** Date of the export; overrides the mapping's `asOf`. */
  readonly asOf: string | undefined;
  readonly validation: ValidationOptions;
  /** Whether the documents will be sent; otherwise only their hashes are computed. */
  readonly sends: boolean;
  readonly surveys: boolean;
  /**
   * `false` if nothing needs the records' bytes after the transform. Threads then release those of
   * one-line records, because receiving them costs the main thread more than everything else.
   */
  readonly retainBytes?: boolean;
}

/** Result for one record: skipped, or a document that is valid if it has no problems. */
export type TransformedRecord = SkippedRecord | TransformedDocument;

interface TransformedDocument extends MappedDocument {
  /** The document's JSON; its digest if nothing is sent. */
  readonly form: string | DocumentDigest;
}

export type TransformRecord = (value: RecordValue) => TransformedRecord;

/**
 * Compiles the transform of records of one layout.
 * @param write serialises or digests a document
 * @throws MappingError if the mapping doesn't fit the layout's columns
 */
export function compileTransformRecord(
  layout: Layout,
  plan: TransformPlan,
  validate: ValidateDocument,
  write: (document: ImportedDocument) => string | DocumentDigest = JSON.stringify,
): TransformRecord {
  const mapRecord = mappingFor(layout, plan);
  let compiledTrace: ReturnType<typeof compileTraceProblem> | undefined;
  const trace = (problem: Problem, value: RecordValue): Problem => {
    // With the first problem: most chunks have none.
    compiledTrace ??= compileTraceProblem(plan.mapping, layout.columns ?? null);
    return compiledTrace(problem, value);
  };
  return (value) => {
    try {
      const mapped = mapRecord(value);
      if (mapped.skipped) return mapped;
      const { document, hashedId } = mapped;
      const form = write(document);
      // A lone surrogate can't be sent; JSON.stringify writes it as an escape like \ud83d.
      const mayBeBroken = typeof form === 'string' ? form.includes('\\ud') : form.broken;
      const found = withoutEchoes(validate(document), mapped.problems);
      // No list for each of the many records without problems.
      const traced = found.length === 0 ? found : found.map((one) => trace(one, value));
      const problems = mayBeBroken ? [...traced, ...brokenText(document)] : traced;
      return { skipped: false, document, form, problems, hashedId };
    } catch (error) {
      if (!(error instanceof RangeError && SIZE_LIMIT_MESSAGE.test(error.message))) throw error;
      return invalidRecord(TOO_LONG);
    }
  };
}

/** V8's messages when a string or buffer would exceed its maximum size. */
const SIZE_LIMIT_MESSAGE = /^Invalid (?:string|typed array) length|allocation failed$/;

const TOO_LONG: Problem = {
  kind: 'too-long',
  field: null,
  message:
    'the document exceeds the largest possible string (512 MB); shorten its fields with truncate, or join fewer columns',
};

/**
 * Cache, because a run compiles the same mapping several times: for the check, the sample, and the
 * records. The key is the mapping, an object of each run's own, and the header: nothing else of a
 * plan may differ.
 */
const compiled = new WeakMap<Mapping, Map<string, MapRecord>>();

function mappingFor(layout: Layout, plan: TransformPlan): MapRecord {
  const columns = layout.columns ?? null;
  const key = layout.format + JSON.stringify(columns);
  const byHeader = compiled.get(plan.mapping) ?? new Map<string, MapRecord>();
  compiled.set(plan.mapping, byHeader);
  const mapRecord = byHeader.get(key) ?? compileFor(layout, columns, plan);
  byHeader.set(key, mapRecord);
  return mapRecord;
}

function compileFor(
  layout: Layout,
  columns: readonly string[] | null,
  { mapping, factory, started, asOf }: TransformPlan,
): MapRecord {
  if (factory !== undefined) return compileFactory(factory, layout, started);
  const context = { columns, downloaded: started };
  return compileMapping(mapping, asOf === undefined ? context : { ...context, asOf });
}

/**
 * Combines problems, those of the mapping first. Fields that were unreadable are missing from the
 * document; that isn't reported again.
 */
function withoutEchoes(
  schema: readonly Problem[],
  mapping: readonly Problem[],
): readonly Problem[] {
  if (mapping.length === 0) return schema;
  const unreadable = new Set(mapping.map(({ field }) => field));
  // There is no document.
  if (unreadable.has(null)) return mapping;
  return [...mapping, ...schema.filter(({ field }) => !unreadable.has(field))];
}

interface FieldSource {
  readonly columns: readonly string[];
  readonly readers: readonly ReadRaw[];
}

/**
 * Compiles a function that adds to a document's problem the columns that its field is read from, and
 * the first value in them. Parts of lists aren't traced: their index isn't that of a rule.
 */
function compileTraceProblem(
  mapping: Pick<Mapping, 'document'>,
  columns: readonly string[] | null,
): (problem: Problem, record: RecordValue) => Problem {
  const sources = new Map<string, FieldSource>();
  for (const { rule, path } of mappingRules(mapping)) {
    const own = mainColumns(rule);
    const readers = own.map((name) => rawColumn(name, columns));
    const field = pathText(path.slice(1));
    if (own.length > 0 && !field.includes('[')) sources.set(field, { columns: own, readers });
  }
  return (problem, record) => {
    const source = sources.get(problem.field ?? '');
    if (source === undefined || problem.columns !== undefined) return problem;
    return { ...problem, columns: source.columns, value: firstValue(source, record) };
  };
}

function firstValue({ readers }: FieldSource, record: RecordValue): string {
  try {
    for (const read of readers) {
      const text = trim(cutValue(read(record) ?? ''));
      if (text !== '') return text;
    }
  } catch {
    // A getter of a program's object threw, which the mapping reports.
  }
  return '';
}
