/** Tries answers to the questions about a draft on its sample, so that none is offered that does harm. */
import { editMapping } from '../mapping/load/edit-mapping.js';
import { MappingError } from '../model/errors.js';
import { type Checked, checkText, filledCount } from './check-sample.js';
import type { Draft } from './draft-mapping.js';
import { findDoubts } from './plausibility.js';
import { dottedName, type Edit } from './rules/draft.js';
import type { Sample } from './sample.js';
import { writeMapping } from './write-mapping.js';

/** Number of records that answers are tried on. */
const MAX_TRIED = 400;
/** Minimum share of documents that still have a field once it is changed. */
const MIN_KEPT = 0.5;

/**
 * Returns a test of edits: they must not make more records invalid, nor empty a field that they
 * change, nor raise a doubt about it.
 */
export function harmTest(draft: Draft): (edits: readonly Edit[]) => boolean {
  const text = writeMapping(draft);
  const step = Math.ceil(draft.sample.records.length / MAX_TRIED);
  const records = draft.sample.records.filter((_, at) => at % step === 0);
  const sample = { ...draft.sample, records };
  let unedited: Checked | undefined;
  return (edits) => {
    if (edits.length === 0) return false;
    unedited ??= checkText(text, sample);
    const before = unedited;
    const after = triedWith(edits, text, sample);
    if (after === undefined || after.invalid > before.invalid) return true;
    const fields = changedFields(edits, draft);
    // Where no record is valid, any answer is better.
    if (before.documents.length === 0) return false;
    const known = findDoubts(before).map(({ field }) => field);
    const doubted = findDoubts(after).filter(({ field }) => !known.includes(field));
    return fields.some(
      (path) =>
        filledCount(after, path) < filledCount(before, path) * MIN_KEPT ||
        doubted.some(({ field }) => path.join('.').startsWith(field)),
    );
  };
}

/** Tries a mapping with edits; `undefined` if they can't be made. */
function triedWith(edits: readonly Edit[], text: string, sample: Sample): Checked | undefined {
  try {
    return checkText(edits.reduce(editMapping, text), sample);
  } catch (error) {
    if (error instanceof MappingError) return undefined;
    throw error;
  }
}

/** Lists the paths of the fields that edits change, without those that they remove. */
function changedFields(edits: readonly Edit[], { fields }: Draft): readonly Edit['path'][] {
  const names = fields.map(dottedName);
  return edits.flatMap(({ path: [top, ...field], value }) => {
    const isRemoved = value === undefined && names.includes(field.join('.'));
    return top !== 'document' || isRemoved ? [] : [field];
  });
}
