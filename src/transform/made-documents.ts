/** Documents that don't come of a mapping file: a program's function makes them, or they come finished. */

import { namedRecord } from '../formats/formats.js';
import type { MapRecord } from '../mapping/compile/compile-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import type { Layout } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { messageOf, OptionError } from '../model/errors.js';
import { isObject, type Problem } from '../model/record.js';
import type { TransformedRecord } from './transform-record.js';

/**
 * Makes a document of a record (fields by column or key), or gives `undefined` to skip it. It may
 * be called more than once for a record, and has to give the same each time.
 */
// biome-ignore lint/suspicious/noExplicitAny: who writes it knows what the records hold.
export type MakeDocument = (record: any) => object | undefined;

/** What makes the documents: a function, or nothing, since the records are documents. */
export type Maker = MakeDocument | 'documents';

/** A mapping without rules, for what needs its name. */
export function mappingOf(maker: Maker): Mapping {
  if (typeof maker === 'function') refuseAsync(maker);
  const name = maker === 'documents' ? maker : maker.name || 'a function';
  const empty = { input: {}, document: {}, skip: [], tests: [] };
  return { name, ...empty, profile: 'complete', zone: 'UTC', locale: 'en' };
}

function refuseAsync(maker: MakeDocument): void {
  const { name } = maker.constructor;
  if (name === 'Function') return;
  throw new OptionError(
    `The mapping is a function of the kind ${name}; expected a plain one, which gives the document at once: do what takes time in an async generator that is the input.`,
  );
}

/**
 * Compiles what makes documents, as `compileMapping` compiles a mapping. What a document doesn't say
 * is filled in as there: source, downloaded, and lists that are empty.
 */
export function compileMaker(maker: Maker, layout: Layout, downloaded: string): MapRecord {
  const make = maker === 'documents' ? (record: unknown) => record : called(maker);
  const whole = withDefaults(downloaded);
  return (value) => {
    try {
      const made = make(namedRecord(value, layout));
      if (made === undefined) return SKIPPED;
      const document = whole(asDocument(made));
      return { skipped: false, document, problems: [], hashedId: false };
    } catch (error) {
      const { message } = error as Error;
      return invalidRecord({ kind: 'mapping-failed', field: null, message });
    }
  };
}

const SKIPPED = { skipped: true } as const;

/** What a record with a problem becomes instead of a document. */
export function invalidRecord(problem: Problem): TransformedRecord {
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
    // What is no author is left to the schema.
    author: isObject(author) ? { source: 'RVW', annotations: [], ...author } : author,
  });
}

/** A document as its JSON would be read: dates are texts, and what is undefined is not there. */
function asDocument(made: unknown): ImportedDocument {
  if (made instanceof Promise) {
    made.catch(() => {});
    throw new Error("the mapping's function gave a promise where a document is expected");
  }
  const read = asJsonReads(made);
  if (!isObject(read)) {
    const what = read === null ? 'null' : Array.isArray(read) ? 'a list' : `a ${typeof read}`;
    throw new Error(
      `the mapping's function gave ${what} where a document is expected, or undefined to skip the record`,
    );
  }
  const { sourceId } = read;
  if (sourceId === undefined || typeof sourceId === 'string') return read;
  throw new Error(`sourceId is ${JSON.stringify(sourceId)}; expected a text: make it one`);
}

function asJsonReads(made: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(made) ?? 'null');
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    throw new Error(`the document can't be written as JSON: ${reason}`);
  }
}
