/** Tries a draft on its own sample, and fixes or marks what does not hold. */

import { reviewFields } from '../mapping/compile/compile-document.js';
import { parseMapping } from '../mapping/load/load-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import type { ImportedDocument } from '../model/document.js';
import { SourceError } from '../model/errors.js';
import { withoutStrayBytes } from '../transform/compile-transform.js';
import { compileTransformRecord } from '../transform/transform-record.js';
import { compileValidation } from '../validation/schemas.js';
import type { Draft } from './draft-mapping.js';
import { type DraftField, percent } from './rules/draft.js';
import type { Sample } from './sample.js';
import { writeMapping } from './write-mapping.js';

/** A draft that was tried. */
export interface Settled {
  readonly draft: Draft;
  readonly checked: Checked;
}

/** Above this share of records that a field's rule can't read, the field is marked. */
const TOLERATED = 0.005;

/**
 * Tries a draft.
 * @throws SourceError if there is no record in the sample, or no column to make a document of
 */
export function settle(draft: Draft): Settled {
  const { sample } = draft;
  if (sample.records.length === 0) {
    throw new SourceError(
      `${sample.source} has no records that can be read: there is nothing to guess from.`,
    );
  }
  if (draft.fields.length === 0) {
    throw new SourceError(
      `${sample.source} has no column that looks like part of a review: check its delimiter and its header, or write a mapping by hand.`,
    );
  }
  const first = checkGuess(mappingOf(draft), sample);
  const marked = { ...draft, fields: draft.fields.map((field) => markedField(field, first)) };
  const profile = first.complete > 0.995 && first.valid > 0 ? 'complete' : 'minimal';
  const settled = { ...marked, profile } as const;
  return { draft: settled, checked: checkGuess(mappingOf(settled), sample) };
}

function mappingOf(draft: Draft): Mapping {
  return parseMapping(writeMapping(draft), 'the guessed mapping');
}

/** A field that can't be read in many records says so. */
function markedField(field: DraftField, { failures, read, clashes }: Checked): DraftField {
  const failure = failures.get(field.path.join('.'));
  if (failure !== undefined && failure.count > read * TOLERATED) {
    const todo = `${failure.count} of ${read} records can't be read: ${failure.message}`;
    return { ...field, confidence: 'low', todo: [todo, field.todo].filter(Boolean).join('; ') };
  }
  if (field.path[0] !== 'sourceId' || clashes <= read * TOLERATED) return field;
  const todo = `${percent(clashes / read)} of the records share their id with another of other content`;
  return { ...field, confidence: 'low', todo };
}

/** What became of the sample's records. */
export interface Checked {
  readonly read: number;
  readonly valid: number;
  readonly skipped: number;
  readonly invalid: number;
  /** Records whose id another record of other content has. */
  readonly clashes: number;
  /** Fields that could not be read, with how often and an example. */
  readonly failures: ReadonlyMap<string, { readonly count: number; readonly message: string }>;
  /** Share of the valid documents that have every field of the complete profile. */
  readonly complete: number;
}

const NO_DOCUMENT: ImportedDocument = {};
const FAILED = { skipped: false, document: NO_DOCUMENT, hashedId: false } as const;

/** A moment to count relative dates back from, so that they can be checked without one stated. */
const SOME_DAY = '2025-01-01';

/**
 * Checks a mapping against a sample.
 * @throws MappingError when the mapping does not fit the sample's columns, which would be a bug
 */
export function checkGuess(mapping: Mapping, sample: Sample): Checked {
  const minimal = compileValidation({ profile: 'minimal' });
  const complete = compileValidation({ profile: 'complete' });
  const plan = planOf(mapping);
  const transform = compileTransformRecord(sample.layout, plan, minimal);
  const failures = new Map<string, { count: number; message: string }>();
  const contents = new Map<string, string>();
  const counts = { read: 0, valid: 0, skipped: 0, invalid: 0, clashes: 0, complete: 0 };
  for (const record of sample.records) {
    const { problem } = withoutStrayBytes(record, sample.layout, plan);
    const made =
      problem === undefined ? transform(record.value) : { ...FAILED, problems: [problem] };
    counts.read += 1;
    if (made.skipped) counts.skipped += 1;
    else if (made.problems.length > 0) {
      counts.invalid += 1;
      for (const { field, message } of made.problems) count(failures, field ?? '', message);
    } else {
      counts.valid += 1;
      counts.complete += Number(complete(made.document).length === 0);
      // Of a hash of the mapping's own nobody asks whether it is the review's.
      if (!made.hashedId) {
        const { sourceId = '' } = made.document;
        counts.clashes += Number(clashes(contents, sourceId, contentOf(made.document, mapping)));
      }
    }
  }
  return { ...counts, failures, complete: counts.complete / Math.max(1, counts.valid) };
}

function planOf(mapping: Mapping): Parameters<typeof compileTransformRecord>[1] {
  return {
    mapping,
    downloaded: `${SOME_DAY}T00:00:00.000Z`,
    asOf: mapping.asOf === undefined ? SOME_DAY : undefined,
    validation: {},
    sends: false,
    surveys: false,
  };
}

function count(
  failures: Map<string, { count: number; message: string }>,
  field: string,
  message: string,
): void {
  const failure = failures.get(field) ?? { count: 0, message };
  failure.count += 1;
  failures.set(field, failure);
}

/** What has to be the same for a duplicate. */
function contentOf(document: ImportedDocument, mapping: Mapping): string {
  if (mapping.duplicates !== 'same-review') return JSON.stringify(document);
  return JSON.stringify(reviewFields(mapping).identifying.map(({ read }) => read(document)));
}

/** Whether another record of other content has the same id. */
function clashes(contents: Map<string, string>, id: string, content: string): boolean {
  const known = contents.get(id);
  if (known === undefined) contents.set(id, content);
  return known !== undefined && known !== content;
}
