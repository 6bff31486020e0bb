/** Samples that mappings are tried on in the studio: the start of a file, read once and mapped many times. */
import { openSources } from '../../formats/open-sources.js';
import type { SourceOptions } from '../../formats/options.js';
import { namedRecord, parseChunk, recordPlace } from '../../formats/read-records.js';
import { parseYaml, readMapping } from '../../mapping/load/load-mapping.js';
import type { Mapping } from '../../mapping/mapping.js';
import { MappingError } from '../../model/errors.js';
import { isObject, type ParsedRecord, type Place } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import { firstChunks, type SampleLimits } from '../pipeline/check-drift.js';

/** A record of the sample, as read. */
export type PlacedRecord = ParsedRecord & { readonly place: Place };

/** Start of a source, held in memory. */
export interface ParsedSample {
  readonly source: Source;
  readonly parsed: readonly PlacedRecord[];
  /** Whether the sample has all records of the source. */
  readonly whole: boolean;
  /** Names of further sources in the file, for example other members of an archive. */
  readonly others: readonly string[];
}

/** @throws SourceError if the file can't be read; OptionError if an option is wrong */
export async function openSample(
  input: string,
  options: SourceOptions,
  limits: SampleLimits,
): Promise<ParsedSample> {
  const [source, ...others] = await openSources([input], options);
  for (const other of others) other.close();
  if (source === undefined) throw new Error('A file was opened without a source. This is a bug.');
  const reading = source.chunks()[Symbol.asyncIterator]();
  const { chunks, failure } = await firstChunks(reading, limits);
  if (failure !== undefined) throw failure.error;
  const whole = (await reading.next()).done === true;
  await reading.return?.();
  const parsed = chunks.flatMap((chunk) =>
    parseChunk(chunk).map((record, at) => ({ ...record, place: recordPlace(chunk, at) })),
  );
  return { source, parsed, whole, others: others.map(({ name }) => name) };
}

export interface SampledRow {
  readonly place: Place;
  /** By column or key; `null` if the record could not be read. */
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly problem: string | null;
}

export function sampledRows(
  { parsed, source }: ParsedSample,
  limit: number,
): readonly SampledRow[] {
  return parsed.slice(0, limit).map(({ place, value, problem }) => {
    const record = value === undefined ? null : namedRecord(value, source.layout);
    return { place, record, problem: problem?.message ?? null };
  });
}

/** A mapping's text, saved or not. */
export interface ReadMappingText {
  /** The mapping; if the text has mistakes, its settings without the rules. */
  readonly mapping: Mapping;
  /** The text as YAML, with or without mistakes; `null` if it isn't YAML. */
  readonly written: unknown;
  /** Has all mistakes. */
  readonly error: MappingError | undefined;
}

/**
 * @param name of the mapping's file, for messages
 * @param day of the export, instead of the mapping's `asOf`
 */
export function readMappingText(text: string, name: string, day?: string): ReadMappingText {
  const read = readText(text, name);
  return day === undefined ? read : { ...read, mapping: { ...read.mapping, asOf: day } };
}

function readText(text: string, name: string): ReadMappingText {
  const read = readMapping(text, name);
  if (!('mistakes' in read)) return { ...read, error: undefined };
  const lines = read.mistakes.map(({ line, message }) => `line ${line}: ${message}`);
  const yaml = parseYaml(text);
  const written = 'mistakes' in yaml ? null : yaml.value;
  const { zone, locale, asOf, input } = (isObject(written) ? written : {}) as Partial<Mapping>;
  const mapping = settings({ zone, locale, asOf, input }) ?? settings({ input }) ?? settings({});
  if (mapping === undefined) throw new Error('No settings are a mistake. This is a bug.');
  return { mapping, written, error: new MappingError(lines.join('\n'), read.mistakes) };
}

/** A mapping with these settings and no rules; `undefined` if the settings have mistakes. */
function settings(stated: Partial<Record<keyof Mapping, unknown>>): Mapping | undefined {
  // A mapping needs a rule.
  const read = readMapping(JSON.stringify({ ...stated, document: { text: '-' } }), '');
  return 'mistakes' in read ? undefined : { ...read.mapping, document: {} };
}
