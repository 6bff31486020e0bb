import type { ImportedDocument } from '../../src/model/document.js';
import type { Problem } from '../../src/model/record.js';
import { validateDocuments } from '../../src/operations/import-documents.js';
import type { ValidateOptions } from '../../src/operations/options.js';
import { previewDocuments } from '../../src/operations/preview-documents.js';

/** What became of one record, as an expected.json has it. */
export type ExpectedOutcome =
  | { readonly document: ImportedDocument }
  | { readonly skipped: true }
  | { readonly duplicate: true }
  /** The fields concerned, or the kind of problem where it concerns no single field. */
  | { readonly invalid: readonly string[] };

/** What becomes of each record: previewed one by one, repeats set apart as in an import. */
export async function outcomesOf(
  options: Pick<ValidateOptions, 'input' | 'mapping' | 'asOf'>,
): Promise<readonly ExpectedOutcome[]> {
  const settled = await settledRecords(options);
  const outcomes: ExpectedOutcome[] = [];
  for await (const { place, skipped, document, problems } of previewDocuments(options)) {
    const run = settled.get(place.record);
    if (skipped) outcomes.push({ skipped: true });
    else if (run?.duplicate) outcomes.push({ duplicate: true });
    else if (run !== undefined) outcomes.push({ invalid: [...new Set(run.problems.map(nameOf))] });
    else if (document === null || problems.length > 0) {
      throw new Error(`record ${place.record} is invalid alone, and not in a run`);
    } else {
      const { downloaded: _, ...rest } = document;
      outcomes.push({ document: rest });
    }
  }
  return outcomes;
}

interface Settled {
  readonly duplicate: boolean;
  readonly problems: readonly Problem[];
}

/** The records that a run finds invalid or duplicate, by number. */
async function settledRecords(
  options: Pick<ValidateOptions, 'input' | 'mapping' | 'asOf'>,
): Promise<ReadonlyMap<number, Settled>> {
  const settled = new Map<number, Settled>();
  for await (const event of validateDocuments(options)) {
    if (event.type !== 'outcome') continue;
    if (event.outcome !== 'invalid' && event.outcome !== 'duplicate') continue;
    for (const { place, problems } of event.records) {
      settled.set(place.record, { duplicate: event.outcome === 'duplicate', problems });
    }
  }
  return settled;
}

/** How an expectation names a problem: by its field, or by its kind where no single field is concerned. */
function nameOf({ field, kind }: Problem): string {
  return field === null || kind === 'repeated-id' ? kind : field;
}
