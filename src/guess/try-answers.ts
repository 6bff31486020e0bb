/** Tries answers to the questions about a draft on its sample, so that none is offered that does harm. */
import { editMapping } from '../mapping/load/edit-mapping.js';
import { MappingError } from '../model/errors.js';
import { filledCount } from './document-values.js';
import type { Draft } from './draft-mapping.js';
import { findDoubts, type SampleOutcome } from './plausibility.js';
import { dottedName, type Edit } from './rules/draft.js';
import type { Sample } from './sample.js';

/** What a mapping makes of the records that answers are tried on. */
interface Tried extends SampleOutcome {
  readonly invalid: number;
}

/** @throws MappingError if the text is no valid mapping */
type TryMapping = (text: string, sample: Sample) => Tried;

/** Number of records that answers are tried on. */
const MAX_TRIED = 400;
/** Minimum share of documents that still have a field once it is changed. */
const MIN_KEPT = 0.5;

/**
 * Returns a test of edits: they must not make more records invalid, nor empty a field that they
 * change, nor raise a doubt about it.
 */
export function harmTest(
  draft: Draft,
  text: string,
  attempt: TryMapping,
): (edits: readonly Edit[]) => boolean {
  const sample = thinned(draft.sample);
  let unedited: Tried | undefined;
  return (edits) => {
    if (edits.length === 0) return false;
    unedited ??= attempt(text, sample);
    const before = unedited;
    const after = triedWith(edits, text, (edited) => attempt(edited, sample));
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

function thinned(sample: Sample): Sample {
  const step = Math.ceil(sample.records.length / MAX_TRIED);
  return { ...sample, records: sample.records.filter((_, at) => at % step === 0) };
}

/** Tries a mapping with edits; `undefined` if they can't be made. */
function triedWith(
  edits: readonly Edit[],
  text: string,
  attempt: (edited: string) => Tried,
): Tried | undefined {
  try {
    return attempt(edits.reduce(editMapping, text));
  } catch (error) {
    if (error instanceof MappingError) return undefined;
    throw error;
  }
}

/** Lists the paths of the fields that edits change, without those that they remove. */
function changedFields(edits: readonly Edit[], { fields }: Draft): readonly Edit['path'][] {
  const names = new Set(fields.map(dottedName));
  return edits
    .filter(({ path }) => path[0] === 'document')
    .map(({ path, value }) => ({ path: path.slice(1), value }))
    .filter(({ path, value }) => value !== undefined || !names.has(path.join('.')))
    .map(({ path }) => path);
}
