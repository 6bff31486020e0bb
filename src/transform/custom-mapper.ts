/** Documents without a mapping file: built by a program's function, or read as they are. */

import { namedRecord } from '../formats/read-records.js';
import type { MappedDocument, MapRecord } from '../mapping/compile/compile-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import type { Layout } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { messageOf, OptionError } from '../model/errors.js';
import { isObject, type Problem } from '../model/record.js';
import { typeText } from '../model/text.js';

/** A document as a function returns it; dates become ISO timestamps. */
export interface DraftDocument extends Omit<ImportedDocument, 'published' | 'downloaded'> {
  readonly published?: string | Date;
  readonly downloaded?: string | Date;
}

/**
 * Builds a document from a record (fields by column or key), or returns `undefined` to skip it. May
 * be called more than once for a record, and must return the same each time.
 */
// biome-ignore lint/suspicious/noExplicitAny: its author knows the records' type.
export type MakeDocument<Row = any> = (record: Row) => DraftDocument | undefined;

/** A program's function, or `'documents'` if the records are documents already. */
export type DocumentFactory = MakeDocument | 'documents';

/** An empty mapping, for its name. */
export function emptyMapping(factory: DocumentFactory): Mapping {
  if (typeof factory === 'function') rejectAsync(factory);
  const name = factory === 'documents' ? factory : factory.name || 'a function';
  const empty = { input: {}, document: {}, skip: [], tests: [] };
  return { name, ...empty, profile: 'complete', zone: 'UTC', locale: 'en' };
}

function rejectAsync(factory: MakeDocument): void {
  const { name } = factory.constructor;
  if (name === 'Function') return;
  throw new OptionError(
    `The mapping is a function of type ${name}; expected a plain function that returns the document. Do asynchronous work in an async generator and pass it as the input.`,
  );
}

/**
 * Compiles a factory as `compileMapping` compiles a mapping, with the same defaults: source,
 * downloaded and empty lists.
 */
export function compileFactory(
  factory: DocumentFactory,
  layout: Layout,
  downloaded: string,
): MapRecord {
  const make = factory === 'documents' ? (record: unknown) => record : called(factory);
  const whole = withDefaults(downloaded);
  return (value) => {
    try {
      const made = make(namedRecord(value, layout));
      if (made === undefined) return { skipped: true, by: 'function' };
      const document = whole(asDocument(made));
      return { skipped: false, document, problems: [], hashedId: false };
    } catch (error) {
      const { message } = error as Error;
      return invalidRecord({ kind: 'mapping-failed', field: null, message });
    }
  };
}

export function invalidRecord(problem: Problem): MappedDocument & { readonly form: string } {
  return { skipped: false, document: {}, form: '', problems: [problem], hashedId: false };
}

function called(make: MakeDocument): (record: object) => unknown {
  return (record) => {
    try {
      return make(record);
    } catch (error) {
      throw new Error(`the mapping's function threw on this record: ${messageOf(error)}`);
    }
  };
}

function withDefaults(downloaded: string): (document: ImportedDocument) => ImportedDocument {
  const lists = { detectedLocations: [], metrics: [], tags: [] };
  return ({ author = {}, ...document }) => ({
    source: 'RVW',
    downloaded,
    ...lists,
    ...document,
    // Other values are left to the schema to reject.
    author: isObject(author) ? { source: 'RVW', annotations: [], ...author } : author,
  });
}

/** Converts a document to the content of its JSON: dates become texts, undefined keys disappear. */
function asDocument(made: unknown): ImportedDocument {
  if (made instanceof Promise) {
    made.catch(() => {});
    throw new Error("the mapping's function returned a promise; expected a document");
  }
  const read = asJsonReads(made);
  if (!isObject(read)) {
    throw new Error(
      `the mapping's function returned ${typeText(read)}; expected a document, or undefined to skip the record`,
    );
  }
  const { sourceId } = read;
  if (sourceId === undefined || typeof sourceId === 'string') return read;
  throw new Error(`sourceId is ${JSON.stringify(sourceId)}; expected a string`);
}

function asJsonReads(made: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(made) ?? 'null');
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    throw new Error(`the document can't be written as JSON: ${reason}`);
  }
}
