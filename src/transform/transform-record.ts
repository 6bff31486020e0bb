import {
  compileMapping,
  type MappedDocument,
  type MapRecord,
  type SkippedRecord,
} from '../mapping/compile/compile-mapping.js';
import { compileTraceProblem } from '../mapping/compile/trace-problem.js';
import { instantOfLastTimestamp } from '../mapping/dates/read-date.js';
import type { Mapping } from '../mapping/mapping.js';
import type { Layout } from '../model/chunk.js';
import type { ImportedAuthor, ImportedDocument } from '../model/document.js';
import type { Problem, RecordValue } from '../model/record.js';
import {
  brokenText,
  type ValidateDocument,
  type ValidationOptions,
} from '../validation/schemas.js';
import { compileFactory, type DocumentFactory, invalidRecord } from './custom-mapper.js';
import type { Measurement } from './measure-document.js';

/**
 * Everything that a transform needs, as plain data that can cross threads, unless a function makes
 * the documents.
 */
export interface TransformPlan {
  readonly mapping: Mapping;
  /** Makes the documents instead of the mapping, which then has no rules. */
  readonly factory?: DocumentFactory | undefined;
  /** Start of the run (ISO 8601): the default of `downloaded`. */
  readonly downloaded: string;
  /** Date of the export; overrides the mapping's `asOf`. */
  readonly asOf: string | undefined;
  readonly validation: ValidationOptions;
  /** Whether the documents will be sent; otherwise only their sizes and hashes are computed. */
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
  /** The document's JSON; its measurement if nothing is sent. */
  readonly form: string | Measurement;
}

export type TransformRecord = (value: RecordValue) => TransformedRecord;

/**
 * Compiles the transform of records of one layout.
 * @param write serialises or measures a document
 * @throws MappingError if the mapping doesn't fit the layout's columns
 */
export function compileTransformRecord(
  layout: Layout,
  plan: TransformPlan,
  validate: ValidateDocument,
  write: (document: ImportedDocument) => string | Measurement = JSON.stringify,
): TransformRecord {
  const mapRecord = mappingFor(layout, plan);
  const isSurelyValid = quickCheckFor(plan);
  const trace = compileTraceProblem(plan.mapping, layout.columns ?? null);
  return (value) => {
    try {
      const mapped = mapRecord(value);
      if (mapped.skipped) return mapped;
      const { document, hashedId } = mapped;
      const form = write(document);
      // A lone surrogate can't be sent; JSON.stringify writes it as an escape like \ud83d.
      const mayBeBroken = typeof form === 'string' ? form.includes('\\ud') : form.broken;
      if (mapped.problems.length === 0 && !mayBeBroken && isSurelyValid(document)) {
        return { skipped: false, document, form, problems: NO_PROBLEMS, hashedId };
      }
      const problems = [
        ...withoutEchoes(validate(document), mapped.problems).map((found) => trace(found, value)),
        ...(mayBeBroken ? brokenText(document) : []),
      ];
      return { skipped: false, document, form, problems, hashedId };
    } catch (error) {
      if (!(error instanceof RangeError && SIZE_LIMIT_MESSAGE.test(error.message))) throw error;
      return invalidRecord(TOO_LONG);
    }
  };
}

const NO_PROBLEMS: readonly Problem[] = [];

/** V8's messages when a string or buffer would exceed its maximum size. */
const SIZE_LIMIT_MESSAGE = /^Invalid (?:string|typed array) length|allocation failed$/;

const TOO_LONG: Problem = {
  kind: 'too-long',
  field: null,
  message:
    'the document exceeds the largest possible string (512 MB); shorten its fields with truncate, or join fewer columns',
};

export function quickCheckFor({
  factory,
  validation,
}: Pick<TransformPlan, 'factory' | 'validation'>): QuickCheck {
  if (factory !== undefined || validation.schema !== undefined) return () => false;
  return validation.profile === 'minimal' ? isValidMinimal : isValidComplete;
}

/**
 * Cache of compiled mappings by header, because they are checked and sampled before the run. Each
 * run has a mapping object of its own.
 */
const compiled = new WeakMap<Mapping, Map<string, MapRecord>>();

function mappingFor(layout: Layout, plan: TransformPlan): MapRecord {
  const columns = layout.columns ?? null;
  const key = layout.format + JSON.stringify(columns);
  const known = compiled.get(plan.mapping) ?? new Map<string, MapRecord>();
  compiled.set(plan.mapping, known);
  const mapRecord = known.get(key) ?? compileFor(layout, columns, plan);
  known.set(key, mapRecord);
  return mapRecord;
}

function compileFor(
  layout: Layout,
  columns: readonly string[] | null,
  { mapping, factory, downloaded, asOf }: TransformPlan,
): MapRecord {
  if (factory !== undefined) return compileFactory(factory, layout, downloaded);
  return compileMapping(mapping, { columns, downloaded, ...(asOf === undefined ? {} : { asOf }) });
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

/**
 * Checks quickly whether a mapped document is certainly valid for a profile; this decides nearly
 * all documents in a tenth of the schema's time. `false` means undecided: ask the schema.
 */
export type QuickCheck = (document: ImportedDocument) => boolean;

function isValidComplete(document: ImportedDocument): boolean {
  const { language, sentiment, published, url, author } = document;
  if (language === undefined || sentiment === undefined || published === undefined) return false;
  if (url === undefined || author?.sourceId === undefined) return false;
  return author.username !== undefined && isValidMinimal(document);
}

function isValidMinimal(document: ImportedDocument): boolean {
  const { source, sourceId, text, detectedLocations, metrics, tags } = document;
  return (
    source === 'RVW' &&
    isNotBlank(sourceId) &&
    isNotBlank(text) &&
    hasValidOptionalFields(document) &&
    detectedLocations?.every(isLocation) === true &&
    metrics?.every(({ name, value }) => isNotBlank(name) && Number.isFinite(value)) === true &&
    // A mapping leaves repeats out.
    tags?.every(isNotBlank) === true &&
    isValidAuthor(document.author)
  );
}

function hasValidOptionalFields(document: ImportedDocument): boolean {
  const { parentSourceId, language, sentiment, published, downloaded, url } = document;
  return (
    (parentSourceId === undefined || isNotBlank(parentSourceId)) &&
    (language === undefined || LANGUAGE.test(language)) &&
    (sentiment === undefined || SENTIMENT.test(sentiment)) &&
    (published === undefined || !Number.isNaN(instantOfLastTimestamp(published))) &&
    isCaptureTime(downloaded) &&
    (url === undefined || ADDRESS.test(url))
  );
}

function isValidAuthor(author: ImportedAuthor = {}): boolean {
  const { source, sourceId, username, annotations } = author;
  return (
    source === 'RVW' &&
    (sourceId === undefined || isNotBlank(sourceId)) &&
    (username === undefined || isNotBlank(username)) &&
    annotations?.every(({ name }) => isNotBlank(name)) === true
  );
}

/** Last valid value, nearly always that of all documents of a run. */
let lastValidCapture = '2000-01-01T00:00:00.000Z';

function isCaptureTime(downloaded: string | undefined): boolean {
  if (downloaded === lastValidCapture) return true;
  const isSurelyValid = downloaded !== undefined && USUAL_TIME.test(downloaded);
  if (isSurelyValid) lastValidCapture = downloaded;
  return isSurelyValid;
}

/** Common forms; the schema allows more. */
const LANGUAGE = /^[a-z]{2}$/;
const SENTIMENT = /^[BNR]$/;
const USUAL_TIME =
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const LOCATION = /^(?:country|state|city): [^\s]/;

function isLocation(location: string): boolean {
  return LOCATION.test(location);
}

/** Returns whether a text certainly isn't blank, by its first character, which decides most texts. */
function isNotBlank(text: string | null | undefined): boolean {
  if (typeof text !== 'string' || text.length === 0) return false;
  const first = text.charCodeAt(0);
  return first > 0x20 && first < 0xfeff && first !== 0xa0 && (first < 0x1680 || first > 0x3000);
}

/** ASCII only, without spaces. */
const ADDRESS = /^https?:\/\/[\w.-][!-~]*$/;
