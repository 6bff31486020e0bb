import { placeOf } from './boundaries/record-at.js';
import type { Chunk } from './chunk.js';
import type { ImportedDocument } from './document.js';
import type { ValidateOptions } from './options.js';
import type { Place, Problem, RecordValue } from './record.js';
import { readMapping, resolveSources, transformPlan } from './run/prepare-run.js';
import { parseChunk } from './transform/parse-chunk.js';
import { compileTransformRecord } from './transform/transform-record.js';
import { compileValidation } from './validation/compile-validation.js';

/** Options of a preview: those of a validation that concern single records. */
export type PreviewOptions = Pick<
  ValidateOptions,
  'input' | 'mapping' | 'source' | 'profile' | 'schema' | 'asOf'
>;

/** A record beside what becomes of it. */
export interface PreviewedRecord {
  readonly place: Place;
  /** The record by column or key; `null` if it could not be read. */
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly skipped: boolean;
  /** `null` for a record that is skipped or could not be read. */
  readonly document: ImportedDocument | null;
  readonly problems: readonly Problem[];
}

/**
 * Shows records beside the documents they become, one after another, until the loop is left.
 * Nothing is sent.
 * @throws DocferryError as `validateDocuments` does
 */
export async function* previewDocuments(
  options: PreviewOptions,
): AsyncGenerator<PreviewedRecord, void, undefined> {
  const mapping = await readMapping(options.mapping);
  const plan = await transformPlan(options, mapping, { started: new Date(), sends: false });
  const validate = compileValidation(plan.validation);
  for (const source of await resolveSources(options, plan)) {
    const transformRecord = compileTransformRecord(source.layout, plan, validate);
    for await (const chunk of source.chunks()) {
      for (const [index, parsed] of parseChunk(chunk).entries()) {
        const base = { place: placeOf(chunk, index), skipped: false, document: null };
        if (parsed.problem !== undefined) {
          yield { ...base, record: null, problems: [parsed.problem] };
          continue;
        }
        const record = named(parsed.value, chunk);
        const transformed = transformRecord(parsed.value);
        if (transformed.skipped) yield { ...base, record, skipped: true, problems: [] };
        else {
          const { document, problems } = transformed;
          yield { ...base, record, document, problems };
        }
      }
    }
  }
}

/** CSV fields under their columns' names. */
function named(value: RecordValue, { layout }: Chunk): Readonly<Record<string, unknown>> {
  if (!Array.isArray(value) || layout.format !== 'csv') {
    return value as Readonly<Record<string, unknown>>;
  }
  const fields: readonly string[] = value;
  return Object.fromEntries(layout.columns.map((column, at) => [column, fields[at]]));
}
