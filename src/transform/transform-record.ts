import { compileMapping, type MapRecord } from '../mapping/compile/compile-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import type { Layout } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import type { Problem, RecordValue } from '../model/record.js';
import { brokenText } from '../validation/broken-text.js';
import type { ValidateDocument, ValidationOptions } from '../validation/compile-validation.js';
import { type Glance, glanceFor } from './good-at-a-glance.js';
import { compileMaker, type Maker } from './made-documents.js';
import type { Weight } from './weigh.js';

/** All that a transform needs, as plain data: it can be compiled anywhere, on any thread, unless a function makes the documents. */
export interface TransformPlan {
  readonly mapping: Mapping;
  /** What makes the documents instead; then the mapping has no rules. */
  readonly maker?: Maker | undefined;
  /** The run's start, ISO 8601: the default of `downloaded`. */
  readonly downloaded: string;
  /** When the export was taken; overrides the mapping's own `asOf`. */
  readonly asOf: string | undefined;
  readonly validation: ValidationOptions;
  /** Whether the documents will be sent. If not, what tells them apart is enough. */
  readonly sends: boolean;
  /** Whether columns and documents are counted on the way. */
  readonly surveys: boolean;
  /**
   * Nobody will ask for the records as they were read. A thread then gives up the bytes of those
   * that are a line each: to take them back costs the main thread more than all else it gets.
   */
  readonly givesUpRecords?: boolean;
}

/** What one record became: nothing, or a document, which is good when it has no problems. */
export type TransformedRecord =
  | { readonly skipped: true }
  | {
      readonly skipped: false;
      readonly document: ImportedDocument;
      /** The document, serialised, as it will be sent; or weighed, where nothing is sent. */
      readonly form: string | Weight;
      readonly problems: readonly Problem[];
      /** Whether its sourceId is a hash that the mapping made, and not the file's own. */
      readonly hashedId: boolean;
    };

/** Maps, serialises and validates one record. */
export type TransformRecord = (value: RecordValue) => TransformedRecord;

const SKIPPED: TransformedRecord = { skipped: true };

/**
 * Compiles the way of a record for one layout.
 * @param write serialises a document, or weighs it
 * @throws MappingError when the mapping doesn't fit the layout's columns
 */
export function compileTransformRecord(
  layout: Layout,
  plan: TransformPlan,
  validate: ValidateDocument,
  write: (document: ImportedDocument) => string | Weight = JSON.stringify,
): TransformRecord {
  const mapRecord = mappingFor(layout, plan);
  const isGood = glanceOf(plan);
  return (value) => {
    const mapped = mapRecord(value);
    if (mapped.skipped) return SKIPPED;
    const { document, hashedId } = mapped;
    const form = write(document);
    // A lone surrogate can't be sent; JSON.stringify writes it as an escape such as \ud83d.
    const mayBeBroken = typeof form === 'string' ? form.includes('\\ud') : form.broken;
    if (mapped.problems.length === 0 && !mayBeBroken && isGood(document)) {
      return { skipped: false, document, form, problems: NONE, hashedId };
    }
    const problems = [
      ...withoutEchoes(validate(document), mapped.problems),
      ...(mayBeBroken ? brokenText(document) : []),
    ];
    return { skipped: false, document, form, problems, hashedId };
  };
}

const NONE: readonly Problem[] = [];

/** What a function has made can be anything, and what a schema of the user's own asks for, too. */
function glanceOf({ maker, validation }: TransformPlan): Glance {
  if (maker !== undefined || validation.schema !== undefined) return () => false;
  return glanceFor(validation.profile ?? 'complete');
}

/** A plan's mapping, compiled for each header that turned up: it is checked before it is used. */
const compiled = new WeakMap<TransformPlan, Map<string, MapRecord>>();

function mappingFor(layout: Layout, plan: TransformPlan): MapRecord {
  const columns = layout.columns ?? null;
  const key = layout.format + JSON.stringify(columns);
  const known = compiled.get(plan) ?? new Map<string, MapRecord>();
  compiled.set(plan, known);
  const mapRecord = known.get(key) ?? compileFor(layout, columns, plan);
  known.set(key, mapRecord);
  return mapRecord;
}

function compileFor(
  layout: Layout,
  columns: readonly string[] | null,
  { mapping, maker, downloaded, asOf }: TransformPlan,
): MapRecord {
  if (maker !== undefined) return compileMaker(maker, layout, downloaded);
  return compileMapping(mapping, { columns, downloaded, ...(asOf === undefined ? {} : { asOf }) });
}

/**
 * Mapping problems first, then those of the schema, but for fields that could not be read: that
 * they are missing from the document needn't be said twice.
 */
function withoutEchoes(
  schema: readonly Problem[],
  mapping: readonly Problem[],
): readonly Problem[] {
  if (mapping.length === 0) return schema;
  const unread = new Set(mapping.map(({ field }) => field));
  // There is no document.
  if (unread.has(null)) return mapping;
  return [...mapping, ...schema.filter(({ field }) => !unread.has(field))];
}
