/** Maps and validates the records of a sample, and finds values in their documents. */
import { isDeepStrictEqual } from 'node:util';
import { parseMapping } from '../mapping/load/load-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import type { ImportedDocument } from '../model/document.js';
import type { RecordValue } from '../model/record.js';
import { compileSampleTransform } from '../transform/compile-transform.js';
import type { TransformPlan } from '../transform/transform-record.js';
import { compileValidation } from '../validation/schemas.js';
import type { SampleOutcome } from './plausibility.js';
import { Repeats } from './repeats.js';
import { type FailedRecord, shiftedRecords } from './rules/shifted-rows.js';
import type { Sample } from './sample.js';

/** Name of the guessed mapping in messages. */
export const NAME = 'the guessed mapping';

/** @throws MappingError if the text is no valid mapping */
export function checkText(text: string, sample: Sample): Checked {
  return checkGuess(parseMapping(text, NAME), sample);
}

export interface FieldFailure {
  readonly count: number;
  readonly message: string;
}

/** Outcome of mapping the sample's records: each is valid, a duplicate, skipped or invalid. */
export interface Checked extends SampleOutcome {
  readonly valid: number;
  readonly duplicate: number;
  readonly invalid: number;
  /** Invalid records with the same id as an earlier one of different content. */
  readonly clashes: number;
  /** Records that don't fit their columns; their fields aren't among the failed ones. */
  readonly shifted: readonly FailedRecord[];
  /** Failed fields, with how often and an example message. */
  readonly failures: ReadonlyMap<string, FieldFailure>;
  /** Share of the valid documents that meet the complete profile. */
  readonly complete: number;
}

/**
 * Maps and validates a sample.
 * @throws MappingError if the mapping doesn't fit the sample's columns, which would be a bug
 */
export function checkGuess(mapping: Mapping, sample: Sample): Checked {
  const complete = compileValidation({ profile: 'complete' });
  const transform = compileSampleTransform(sample.layout, draftPlan(mapping, sample.day));
  const failures = new Map<string, { count: number; message: string }>();
  const repeats = new Repeats<RecordValue>(mapping);
  const documents: ImportedDocument[] = [];
  const failed: FailedRecord[] = [];
  const counts = {
    read: 0,
    skipped: 0,
    invalid: 0,
    duplicate: 0,
    repeated: 0,
    merged: 0,
    clashes: 0,
  };
  for (const record of sample.records) {
    const made = transform(record);
    counts.read += 1;
    if (made.skipped) {
      counts.skipped += 1;
      continue;
    }
    if (made.document === null || made.problems.length > 0) {
      failed.push({ number: record.number, problems: made.problems });
      counts.invalid += 1;
      continue;
    }
    const repeat = repeats.find(made.document, made.hashedId, record.value);
    if (repeat === undefined) documents.push(made.document);
    else if (repeat.isSame) {
      counts.duplicate += 1;
      const hashed = Number(made.hashedId);
      counts.repeated += hashed;
      counts.merged += hashed * Number(!isDeepStrictEqual(record.value, repeat.first));
    } else {
      counts.invalid += 1;
      counts.clashes += 1;
    }
  }
  const shifted = shiftedRecords(failed, counts.read);
  for (const { problems } of failed.filter((record) => !shifted.includes(record))) {
    for (const { field, message } of problems) countFailure(failures, field ?? '', message);
  }
  const full = documents.filter((document) => complete(document).length === 0).length;
  const valid = documents.length;
  return { ...counts, valid, documents, failures, shifted, complete: full / Math.max(1, valid) };
}

/** @param day that relative dates count back from if the mapping states none */
function draftPlan(mapping: Mapping, day: string): TransformPlan {
  return {
    mapping,
    started: `${day}T00:00:00.000Z`,
    asOf: mapping.asOf === undefined ? day : undefined,
    validation: { profile: 'minimal' },
    sends: false,
    surveys: false,
  };
}

function countFailure(
  failures: Map<string, { count: number; message: string }>,
  field: string,
  message: string,
): void {
  const failure = failures.get(field) ?? { count: 0, message };
  failure.count += 1;
  failures.set(field, failure);
}

/** Counts the documents that have a field. */
export function filledCount(
  { documents }: { readonly documents: readonly ImportedDocument[] },
  path: readonly string[],
): number {
  return documents.filter((document) => valueIn(document, path) !== undefined).length;
}

/** Returns the value of a field of the mapping in a document; of a list, all its values. */
export function valueIn(document: ImportedDocument, path: readonly string[]): unknown {
  const [top, key = '', name] = path;
  if (top === 'metrics') return document.metrics?.find((metric) => metric.name === key)?.value;
  if (top === 'tags') return document.tags?.length === 0 ? undefined : document.tags?.join(', ');
  if (top === 'detectedLocations') {
    const found = document.detectedLocations?.find((place) => place.startsWith(`${key}: `));
    return found?.slice(key.length + 2);
  }
  if (top !== 'author') return document[top as keyof ImportedDocument];
  if (key !== 'annotations') return document.author?.[key as 'username'];
  return document.author?.annotations?.find((annotation) => annotation.name === name)?.value;
}
