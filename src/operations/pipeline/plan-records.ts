import { formatOf } from '../../formats/formats.js';
import { openSources } from '../../formats/open-sources.js';
import { acceptMapping, loadMapping } from '../../mapping/load/load-mapping.js';
import type { Mapping } from '../../mapping/mapping.js';
import { mappingColumns } from '../../mapping/rules.js';
import { MappingError, OptionError } from '../../model/errors.js';
import { readSmallFile } from '../../model/small-file.js';
import type { Source } from '../../model/source.js';
import { type MakeDocument, type Maker, mappingOf } from '../../transform/made-documents.js';
import { compileTransformRecord, type TransformPlan } from '../../transform/transform-record.js';
import type { ValidationOptions } from '../../validation/schemas.js';
import type { ValidateOptions } from '../options.js';

/** How records become documents, and where they come from. */
interface Plan {
  readonly transform: TransformPlan;
  readonly sources: readonly Source[];
}

/** Options that decide what documents there are. */
type RecordOptions = Pick<
  ValidateOptions,
  'input' | 'mapping' | 'source' | 'profile' | 'schema' | 'asOf' | 'signal'
>;

/**
 * Reads the mapping and the schema, opens the inputs, and makes sure that each has the columns that
 * the mapping names.
 * @param started documents that say no `downloaded` were downloaded then
 */
export async function planRecords(
  options: RecordOptions,
  {
    started,
    ...uses
  }: { readonly started: Date } & Pick<TransformPlan, 'sends' | 'surveys' | 'givesUpRecords'>,
): Promise<Plan> {
  const mapping = await readMapping(options.mapping);
  const transform = {
    mapping,
    maker: makerOf(options.mapping),
    downloaded: started.toISOString(),
    asOf: options.asOf,
    validation: await validationOptions(options, mapping),
    ...uses,
  };
  const reading = { ...mapping.input, ...options.source };
  const sources = await openSources(options.input, reading, options.signal);
  try {
    for (const source of sources) checkColumns(source, transform);
    return { transform, sources };
  } catch (error) {
    for (const source of sources) source.close();
    throw error;
  }
}

/** Reads a mapping file, or checks a mapping that a program gives; a function has one of no rules. */
function readMapping(mapping: ValidateOptions['mapping']): Promise<Mapping> | Mapping {
  const maker = makerOf(mapping);
  if (maker !== undefined) return mappingOf(maker);
  return typeof mapping === 'string' ? loadMapping(mapping) : acceptMapping(mapping, 'the mapping');
}

/** What makes documents instead of a mapping's rules. */
function makerOf(mapping: ValidateOptions['mapping']): Maker | undefined {
  if (typeof mapping === 'function') return mapping as MakeDocument;
  return mapping === 'documents' ? mapping : undefined;
}

async function validationOptions(
  { profile, schema }: Pick<ValidateOptions, 'profile' | 'schema'>,
  mapping: Mapping,
): Promise<ValidationOptions> {
  if (schema === undefined) return { profile: profile ?? mapping.profile ?? 'complete' };
  if (profile !== undefined) {
    throw new OptionError('Both a profile and a schema are given: leave one of them out.');
  }
  if (typeof schema !== 'string') return { schema: asJson(schema) };
  return { schema: await readSchema(schema), schemaName: schema };
}

/** A schema as a file would hold it: what a program leaves in it besides can't go to a thread. */
function asJson(schema: object): object {
  try {
    return JSON.parse(JSON.stringify(schema)) as object;
  } catch (error) {
    throw new OptionError(`The schema given can't be used: it is not JSON (${reasonOf(error)}).`);
  }
}

async function readSchema(path: string): Promise<object> {
  try {
    return JSON.parse((await readSmallFile(path)).toString('utf8')) as object;
  } catch (error) {
    throw new OptionError(
      `The schema ${path} can't be read: ${reasonOf(error)}. It must be a JSON Schema file.`,
    );
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\n.*/s, '');
}

/**
 * Makes sure, before anything is sent, that a source has the columns that the mapping names. If
 * there is only one column where several are needed, the delimiter is wrong, and that is said
 * instead.
 * @throws MappingError
 */
export function checkColumns(source: Source, plan: TransformPlan): void {
  const { layout } = source;
  const { columns, dialect } = layout;
  if (dialect !== undefined && columns?.length === 1) {
    const missing = mappingColumns(plan.mapping).filter((name) => !columns.includes(name));
    if (missing.length > 1) explainDelimiter(source, dialect.delimiter, missing);
  }
  try {
    compileTransformRecord(layout, plan, () => []);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new MappingError(`${source.name}: ${error.message}`, error.mistakes);
  }
}

function explainDelimiter(source: Source, delimiter: string, missing: readonly string[]): void {
  const better = formatOf(source.layout).betterDelimiter?.(source.layout);
  if (better === undefined) return;
  throw new MappingError(
    `${source.name}: split at ${JSON.stringify(delimiter)} it has one column, and the mapping needs ${missing.length} others, such as "${missing[0]}". Split at ${JSON.stringify(better.delimiter)} it has ${better.columns.length}: set the delimiter to that.`,
  );
}
