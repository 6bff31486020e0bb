import { compileMapping, type MapRecord } from '../mapping/compile/compile-mapping.js';
import { instantOfLastTimestamp } from '../mapping/dates/read-date.js';
import type { Mapping } from '../mapping/mapping.js';
import type { Layout } from '../model/chunk.js';
import type { ImportedAuthor, ImportedDocument } from '../model/document.js';
import type { Problem, RecordValue } from '../model/record.js';
import {
  brokenText,
  type Profile,
  type ValidateDocument,
  type ValidationOptions,
} from '../validation/schemas.js';
import { compileMaker, invalidRecord, type Maker } from './made-documents.js';
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
    try {
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
    } catch (error) {
      if (!(error instanceof RangeError && BEYOND_V8.test(error.message))) throw error;
      return invalidRecord(TOO_LONG);
    }
  };
}

const NONE: readonly Problem[] = [];

/** What V8 says of a text or a piece of memory that would be larger than it can have. */
const BEYOND_V8 = /^Invalid (?:string|typed array) length|allocation failed$/;

const TOO_LONG: Problem = {
  kind: 'too-long',
  field: null,
  message:
    'the document is longer than a text can be (512 MB); shorten what its fields are made of, with truncate or by joining fewer columns',
};

/** What a function has made can be anything, and what a schema of the user's own asks for, too. */
function glanceOf({ maker, validation }: TransformPlan): Glance {
  if (maker !== undefined || validation.schema !== undefined) return () => false;
  return glanceFor(validation.profile ?? 'complete');
}

/**
 * Mappings that are compiled, by the header that they were compiled for: they are checked before they
 * are used, and samples are looked at before a run. Each run has a mapping of its own.
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

/**
 * Says of a document that a mapping has made whether it certainly is what the profile asks for: a
 * few looks at each value tell that of nearly all documents, in a tenth of the time that the schema
 * takes. `false` says nothing: then the schema is to be asked.
 */
export type Glance = (document: ImportedDocument) => boolean;

export function glanceFor(profile: Profile): Glance {
  return profile === 'minimal' ? isGoodMinimal : isGoodComplete;
}

function isGoodComplete(document: ImportedDocument): boolean {
  const { language, sentiment, published, url, author } = document;
  if (language === undefined || sentiment === undefined || published === undefined) return false;
  if (url === undefined || author?.sourceId === undefined) return false;
  return author.username !== undefined && isGoodMinimal(document);
}

function isGoodMinimal(document: ImportedDocument): boolean {
  const { source, sourceId, text, detectedLocations, metrics, tags } = document;
  return (
    source === 'RVW' &&
    isWord(sourceId) &&
    isWord(text) &&
    hasGoodFacts(document) &&
    detectedLocations?.every(isLocation) === true &&
    metrics?.every(({ name, value }) => isWord(name) && Number.isFinite(value)) === true &&
    // A mapping leaves repeats out.
    tags?.every(isWord) === true &&
    isGoodAuthor(document.author)
  );
}

/** Those that may be lacking. */
function hasGoodFacts(document: ImportedDocument): boolean {
  const { parentSourceId, language, sentiment, published, downloaded, url } = document;
  return (
    (parentSourceId === undefined || isWord(parentSourceId)) &&
    (language === undefined || LANGUAGE.test(language)) &&
    (sentiment === undefined || SENTIMENT.test(sentiment)) &&
    (published === undefined || !Number.isNaN(instantOfLastTimestamp(published))) &&
    isCaptureTime(downloaded) &&
    (url === undefined || ADDRESS.test(url))
  );
}

function isGoodAuthor(author: ImportedAuthor = {}): boolean {
  const { source, sourceId, username, annotations } = author;
  return (
    source === 'RVW' &&
    (sourceId === undefined || isWord(sourceId)) &&
    (username === undefined || isWord(username)) &&
    annotations?.every(({ name }) => isWord(name)) === true
  );
}

/** The last one that was good: nearly always, it is that of all documents of a run. */
let captured = '2000-01-01T00:00:00.000Z';

function isCaptureTime(downloaded: string | undefined): boolean {
  if (downloaded === captured) return true;
  const isGood = downloaded !== undefined && USUAL_TIME.test(downloaded);
  if (isGood) captured = downloaded;
  return isGood;
}

/** Usual ones: the schema knows more. */
const LANGUAGE = /^[a-z]{2}$/;
const SENTIMENT = /^[BNR]$/;
const USUAL_TIME =
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const LOCATION = /^(?:country|state|city): [^\s]/;

function isLocation(location: string): boolean {
  return LOCATION.test(location);
}

/** Whether a text begins with what certainly is no white space: most do, so that one look suffices. */
function isWord(text: string | null | undefined): boolean {
  if (typeof text !== 'string' || text.length === 0) return false;
  const first = text.charCodeAt(0);
  return first > 0x20 && first < 0xfeff && first !== 0xa0 && (first < 0x1680 || first > 0x3000);
}

/** In ASCII, without blanks. */
const ADDRESS = /^https?:\/\/[\w.-][!-~]*$/;
