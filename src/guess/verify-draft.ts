/** Tries a draft on its own sample, chooses its profile, and marks fields that fail. */
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

/** A draft with the result of trying it. */
export interface VerifiedDraft {
  readonly draft: Draft;
  readonly checked: Checked;
}

/** Share of records that a field's rule may fail on without a TODO. */
const MAX_FAILED_SHARE = 0.005;

/**
 * Tries a draft on its sample.
 * @throws SourceError if the sample has no records, or no column for a document
 */
export function verifyDraft(draft: Draft): VerifiedDraft {
  const { sample } = draft;
  if (sample.records.length === 0) {
    throw new SourceError(
      `${sample.source} has no readable records, so there is nothing to guess from.`,
    );
  }
  if (draft.fields.length === 0) {
    throw new SourceError(
      `${sample.source} has no column that looks like part of a review. Check its delimiter and header, or write a mapping by hand.`,
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

/** Marks a field as low, with a TODO, if its rule fails on many records or its ids clash. */
function markedField(field: DraftField, { failures, read, clashes }: Checked): DraftField {
  const failure = failures.get(field.path.join('.'));
  if (failure !== undefined && failure.count > read * MAX_FAILED_SHARE) {
    const todo = `${failure.count} of ${read} records can't be read: ${failure.message}`;
    return { ...field, confidence: 'low', todo: [todo, field.todo].filter(Boolean).join('; ') };
  }
  if (field.path[0] !== 'sourceId' || clashes <= read * MAX_FAILED_SHARE) return field;
  const todo = `${percent(clashes / read)} of the records share their id with a record of different content`;
  return { ...field, confidence: 'low', todo };
}

/** Outcome of mapping the sample's records. */
export interface Checked {
  readonly read: number;
  readonly valid: number;
  readonly skipped: number;
  readonly invalid: number;
  /** Records with the same id as an earlier one of different content. */
  readonly clashes: number;
  /** Failed fields, with how often and an example message. */
  readonly failures: ReadonlyMap<string, { readonly count: number; readonly message: string }>;
  /** Share of the valid documents that meet the complete profile. */
  readonly complete: number;
}

const NO_DOCUMENT: ImportedDocument = {};
const FAILED = { skipped: false, document: NO_DOCUMENT, hashedId: false } as const;

/** Arbitrary reference day for relative dates, if the mapping states none. */
const REFERENCE_DAY = '2025-01-01';

/**
 * Maps and validates a sample.
 * @throws MappingError if the mapping doesn't fit the sample's columns, which would be a bug
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
      // A hash made by the mapping is excepted: nothing claims that it is the site's id.
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
    downloaded: `${REFERENCE_DAY}T00:00:00.000Z`,
    asOf: mapping.asOf === undefined ? REFERENCE_DAY : undefined,
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

/** Serialises what must be equal for a duplicate. */
function contentOf(document: ImportedDocument, mapping: Mapping): string {
  if (mapping.duplicates !== 'same-review') return JSON.stringify(document);
  return JSON.stringify(reviewFields(mapping).identifying.map(({ read }) => read(document)));
}

/** Whether an earlier record had the same id and different content. */
function clashes(contents: Map<string, string>, id: string, content: string): boolean {
  const known = contents.get(id);
  if (known === undefined) contents.set(id, content);
  return known !== undefined && known !== content;
}
