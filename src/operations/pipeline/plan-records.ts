import { formatOf } from '../../formats/formats.js';
import { jsonFault } from '../../formats/json/parse-json.js';
import { openSources } from '../../formats/open-sources.js';
import { StatedFormatError } from '../../formats/refuse-formats.js';
import { columnList } from '../../mapping/compile/compile-mapping.js';
import { acceptMapping, loadMapping } from '../../mapping/load/load-mapping.js';
import type { Mapping } from '../../mapping/mapping.js';
import { locationText, sourceTextOf } from '../../mapping/mapping-text.js';
import { openQuestions, openQuestionsText } from '../../mapping/open-questions.js';
import { findReadyMapping } from '../../mapping/ready-mappings.js';
import { mappingColumns } from '../../mapping/rules.js';
import { about, MappingError, messageOf, OptionError } from '../../model/errors.js';
import { readSmallText } from '../../model/small-file.js';
import type { Source } from '../../model/source.js';
import { fileWord } from '../../model/text.js';
import {
  type DocumentFactory,
  emptyMapping,
  type MakeDocument,
} from '../../transform/custom-mapper.js';
import { compileTransformRecord, type TransformPlan } from '../../transform/transform-record.js';
import type { ValidationOptions } from '../../validation/schemas.js';
import type { RecordOptions, ValidateOptions } from '../options.js';

interface RecordPlan {
  readonly plan: TransformPlan;
  readonly sources: readonly Source[];
}

export interface RecordUses extends Pick<TransformPlan, 'sends' | 'surveys' | 'retainBytes'> {
  /** Default for the documents' `downloaded`; default: now. */
  readonly started?: Date;
}

/**
 * Reads the mapping and the schema, opens the inputs, and makes sure that each has the columns that
 * the mapping names.
 */
export async function planRecords(
  options: RecordOptions & Pick<ValidateOptions, 'signal' | 'strict'>,
  { started = new Date(), ...uses }: RecordUses,
): Promise<RecordPlan> {
  const mapping = await readMapping(options.mapping);
  if (options.strict) refuseOpenQuestions(mapping);
  const plan = {
    mapping,
    factory: factoryOf(options.mapping),
    started: started.toISOString(),
    asOf: options.asOf,
    validation: await validationOptions(options, mapping),
    ...uses,
  };
  const reading = { ...mapping.input, ...options.source };
  const sources = await openSources(options.input, reading, options.signal).catch(
    (error: unknown) => {
      if (!(error instanceof StatedFormatError) || options.source?.format !== undefined)
        throw error;
      const { file } = error;
      throw about(new StatedFormatError(error.mismatch, statedIn(mapping)), file ?? '');
    },
  );
  try {
    for (const source of sources) checkColumns(source, plan);
    return { plan, sources };
  } catch (error) {
    for (const source of sources) source.close();
    throw error;
  }
}

/** Place where a format is stated, if a mapping states one. */
function statedIn(mapping: Mapping): string {
  if (mapping.input?.format === undefined) return 'the option format (--format)';
  return `${locationText(mapping, ['input', 'format'])} (input.format)`;
}

/** Reads a mapping file, or checks a mapping object; the mapping of a function has no rules. */
export function readMapping(mapping: ValidateOptions['mapping']): Promise<Mapping> | Mapping {
  const factory = factoryOf(mapping);
  if (factory !== undefined) return emptyMapping(factory);
  return typeof mapping === 'string' ? loadMapping(mapping) : acceptMapping(mapping, 'the mapping');
}

/** Lists the questions that a mapping leaves open, in one sentence. */
export function questionNotices(mapping: Mapping): readonly string[] {
  const questions = openQuestions(mapping);
  if (questions.length === 0) return [];
  const file = sourceTextOf(mapping)?.name;
  const remedy = file && ` To see them in full: \`docferry mapping check ${fileWord(file)}\``;
  return [`${openQuestionsText(file ?? 'The mapping', questions)}${remedy ?? ''}`];
}

/** @throws MappingError */
function refuseOpenQuestions(mapping: Mapping): void {
  const [notice] = questionNotices(mapping);
  if (notice === undefined) return;
  const remedy =
    'Nothing was sent, because --strict (strict in a job or a program) refuses open questions. Answer each in the mapping and delete its TODO, or leave strict out.';
  const file = sourceTextOf(mapping)?.name ?? mapping.name;
  throw about(new MappingError(`${notice}\n${remedy}`), file);
}

/** Returns the custom mapper that replaces a mapping's rules, if one is given. */
function factoryOf(mapping: ValidateOptions['mapping']): DocumentFactory | undefined {
  if (typeof mapping === 'function') return mapping as MakeDocument;
  return mapping === 'documents' ? mapping : undefined;
}

async function validationOptions(
  { profile, schema }: Pick<ValidateOptions, 'profile' | 'schema'>,
  mapping: Mapping,
): Promise<ValidationOptions> {
  if (schema === undefined) return { profile: profile ?? mapping.profile ?? 'complete' };
  if (profile !== undefined) {
    throw new OptionError('Both a profile and a schema are given. Leave one of them out.');
  }
  if (typeof schema !== 'string') return { schema: asJson(schema) };
  return { schema: readSchema(schema), schemaName: schema };
}

/** Reduces a schema to JSON, because functions and other values can't be passed to a thread. */
function asJson(schema: object): object {
  try {
    return JSON.parse(JSON.stringify(schema)) as object;
  } catch (error) {
    throw new OptionError(
      `The schema given can't be used because it isn't JSON (${messageOf(error).replace(/\n.*/s, '')}).`,
    );
  }
}

function readSchema(path: string): object {
  const refusal = (reason: string): OptionError =>
    new OptionError(`The schema ${path} ${reason}. It must be a JSON Schema file.`);
  const text = readSmallText(path, refusal);
  try {
    return JSON.parse(text) as object;
  } catch {
    throw refusal(`is not valid JSON: ${jsonFault(text, { line: 1, column: 1 })}`);
  }
}

/**
 * Makes sure that a source has the columns that the mapping names.
 * @throws MappingError that lists the missing columns, or suggests another delimiter if the source
 *   has only one column
 */
export function checkColumns(source: NamedLayout, plan: TransformPlan): void {
  const { layout } = source;
  const { columns, dialect } = layout;
  if (dialect !== undefined) refuseJson(source, plan.mapping);
  if (dialect !== undefined && columns?.length === 1) {
    const missing = mappingColumns(plan.mapping).filter((name) => !columns.includes(name));
    if (missing.length > 1) explainDelimiter(source, dialect.delimiter, missing);
  }
  try {
    compileTransformRecord(layout, plan, () => []);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const message = explainOtherExport(source, plan.mapping) ?? error.message;
    const file = sourceTextOf(plan.mapping)?.name ?? source.name;
    throw about(new MappingError(`${source.name}: ${message}`, error.mistakes), file);
  }
}

/** @throws MappingError for JSON read as CSV, as the mapping or an option demands */
function refuseJson({ name, layout }: NamedLayout, mapping: Mapping): void {
  const { columns = [] } = layout;
  const needed = mappingColumns(mapping);
  if (
    !/^(?:\{\s*"|\[\s*(?:[{["]|$))/.test(columns[0] ?? '') ||
    needed.some((column) => columns.includes(column))
  )
    return;
  throw new MappingError(
    `${name} looks like JSON, but ${statedIn(mapping)} states csv: set the format to jsonl or json there, or leave it out.`,
  );
}

type NamedLayout = Pick<Source, 'name' | 'layout'>;

/** Explains why a file has none of the columns that a mapping names. */
function explainOtherExport({ name, layout }: NamedLayout, mapping: Mapping): string | undefined {
  const { columns } = layout;
  const needed = mappingColumns(mapping);
  if (!columns || needed.length < 2 || needed.some((column) => columns.includes(column))) return;
  const file = sourceTextOf(mapping)?.name ?? mapping.name;
  const facts = `none of the ${needed.length} columns that ${file} names (${columnList(needed)})`;
  if (layout.header === 'none') {
    return `it has ${facts}, as no header was recognised. If its first line is the header, set \`input: { header: true }\` in the mapping. Otherwise, name its ${columns.length} columns there: \`input: { header: [id, …] }\`.`;
  }
  const ready = findReadyMapping(columns);
  return [
    `the mapping was written for another export. This export has ${facts}, but ${columnList(columns)}.`,
    ...(ready === undefined ? [] : [`It fits the ready-made mapping ${ready.name}.`]),
    `To make a mapping for it: \`docferry guess ${fileWord(name)} -o mapping.yaml\``,
  ].join('\n');
}

function explainDelimiter(
  source: NamedLayout,
  delimiter: string,
  missing: readonly string[],
): void {
  const better = formatOf(source.layout).betterDelimiter?.(source.layout);
  if (better === undefined) return;
  throw new MappingError(
    `${source.name}: with the delimiter ${JSON.stringify(delimiter)} it has one column, and the mapping needs ${missing.length} others, for example "${missing[0]}". With ${JSON.stringify(better.delimiter)} it has ${better.columns.length}: set the delimiter to that, or leave it out.`,
  );
}
