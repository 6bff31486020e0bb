/** Tries a draft on its own sample, and mends or marks what does not hold. */

import { parseMapping } from '../mapping/load-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import { SourceError } from '../model/errors.js';
import { type Checked, checkGuess } from './check-guess.js';
import type { Draft } from './draft-mapping.js';
import { type DraftField, percent } from './rules/draft.js';
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
