/** What a mapping is written against: the start of a file, read once and mapped again and again. */

import { namedRecord, parseChunk, placeOf } from '../../formats/formats.js';
import { openSources } from '../../formats/open-sources.js';
import type { InputOptions, SourceOptions } from '../../formats/options.js';
import { parseYaml, readMapping } from '../../mapping/load/load-mapping.js';
import type { Mapping, WrittenMapping } from '../../mapping/mapping.js';
import type { Chunk } from '../../model/chunk.js';
import { MappingError } from '../../model/errors.js';
import type { Place } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import { checkColumns } from '../pipeline/plan-records.js';
import { type PreviewedRecord, previewSource } from '../preview-documents.js';

/** The start of a source: all of it that is kept. */
export interface SourceSample {
  /** Gives the chunks that are kept, as often as it is asked. */
  readonly source: Source;
  readonly records: number;
  /** Whether those are all records of the source. */
  readonly whole: boolean;
  /** Further sources that the file holds, as an archive may. */
  readonly others: readonly string[];
}

/** How much is kept. */
export interface SampleLimits {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Reads the start of a file.
 * @throws SourceError if it can't be read; OptionError if what is stated can't be
 */
export async function sampleSource(
  input: string,
  options: SourceOptions,
  limits: SampleLimits,
): Promise<SourceSample> {
  const [source, ...others] = await openSources([input], options);
  if (source === undefined) throw new Error('A file was opened as no source. This is a bug.');
  const kept: Chunk[] = [];
  let [records, bytes] = [0, 0];
  let whole = true;
  for await (const chunk of source.chunks()) {
    if (records >= limits.records || bytes >= limits.bytes) {
      whole = false;
      break;
    }
    kept.push(chunk);
    records += chunk.records;
    bytes += chunk.kind === 'objects' ? 0 : chunk.bytes.length;
  }
  for (const other of others) other.close();
  return { source: replaying(source, kept), records, whole, others: others.map(nameOf) };
}

function nameOf({ name }: Source): string {
  return name;
}

function replaying(source: Source, kept: readonly Chunk[]): Source {
  const remarks = source.remarks?.() ?? [];
  return {
    ...source,
    remarks: () => remarks,
    async *chunks() {
      yield* kept;
    },
  };
}

/** A record as it was read. */
export interface SampledRow {
  readonly place: Place;
  /** By column or key; `null` if it could not be read. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** Why it could not be read. */
  readonly problem: string | null;
}

/** The first records of a sample. */
export async function sampledRows(
  { source }: SourceSample,
  limit: number,
): Promise<readonly SampledRow[]> {
  const rows: SampledRow[] = [];
  for await (const chunk of source.chunks()) {
    for (const [index, { value, problem }] of parseChunk(chunk).entries()) {
      if (rows.length >= limit) return rows;
      const record = value === undefined ? null : namedRecord(value, source.layout);
      rows.push({ place: placeOf(chunk, index), record, problem: problem?.message ?? null });
    }
  }
  return rows;
}

/** The text of a mapping, understood. */
export interface MappingOfText {
  readonly mapping: Mapping;
  /** As a run takes it. */
  readonly written: WrittenMapping;
  /** How it says that sources are read. */
  readonly input: InputOptions;
}

/**
 * Reads a mapping that may not have been saved.
 * @param name of its file, for messages
 * @throws MappingError with everything that is wrong with it
 */
export function mappingOfText(text: string, name: string): MappingOfText {
  const read = readMapping(text, name);
  if ('mistakes' in read) {
    const lines = read.mistakes.map(({ line, message }) => `line ${line}: ${message}`);
    throw new MappingError(lines.join('\n'), read.mistakes);
  }
  const { mapping, written } = read;
  return { mapping, written, input: mapping.input };
}

/** What a text says, as a mapping or not; `null` if it is no YAML. */
export function writtenIn(text: string): unknown {
  const yaml = parseYaml(text);
  return 'mistakes' in yaml ? null : yaml.value;
}

/**
 * Shows the records of a sample beside the documents they become, as `previewDocuments` does.
 * @throws MappingError if the source has not the columns that the mapping names
 */
export async function* previewSample(
  { source }: SourceSample,
  { mapping }: MappingOfText,
  only: { readonly record?: number; readonly invalid?: boolean } = {},
): AsyncGenerator<PreviewedRecord, void, undefined> {
  const plan = {
    mapping,
    maker: undefined,
    downloaded: new Date().toISOString(),
    asOf: undefined,
    validation: { profile: mapping.profile },
    sends: false,
    surveys: false,
  };
  checkColumns(source, plan);
  yield* previewSource(source, plan, only);
}
