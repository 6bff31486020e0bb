import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../formats/json/parse-json.js';
import { OptionError } from '../model/errors.js';
import { omitUndefined } from '../model/options.js';
import { readSmallText } from '../model/small-file.js';
import { VERSION } from '../model/version.js';
import { startImport, validateDocuments } from '../operations/import-documents.js';
import { IMPORT_OPTIONS } from '../operations/option-table.js';
import type { ImportOptions, StatePlace } from '../operations/options.js';
import { questionNotices, readMapping } from '../operations/pipeline/plan-records.js';
import { pruneRuns } from '../operations/runs/prune-runs.js';
import { pathText } from '../validation/explain-errors.js';
import { schemaMistakes } from '../validation/schemas.js';
import type { StartImport } from './epoch.js';

/** Settings that turn one stream's records into documents. Paths are absolute. */
interface StreamConfig {
  readonly mapping: string;
  readonly profile?: 'complete' | 'minimal';
  readonly schema?: string;
  readonly asOf?: string;
}

/** Options of an import that the config has under the same name. */
const SAME_OPTIONS = [
  ...(['batchSize', 'batchBytes', 'concurrency', 'rate', 'onUnknown'] as const),
  ...(['refusals', 'maxErrors', 'acceptDrift', 'strict', 'rejects'] as const),
] as const;

/**
 * Config of a target, described in `schemas/singer-config.schema.json`. Paths are absolute,
 * durations in seconds.
 */
export interface SingerConfig extends Pick<ImportOptions, (typeof SAME_OPTIONS)[number]> {
  readonly monitoring: number;
  readonly streams: Readonly<Record<string, StreamConfig>>;
  readonly otherStreams?: 'error' | 'skip';
  readonly repeatedIds?: 'error' | 'skip';
  readonly emitState?: 'accepted' | 'accounted';
  readonly epoch?: { readonly records?: number; readonly seconds?: number };
  readonly baseUrl?: string;
  readonly username?: string;
  readonly apiKeyFile?: string;
  readonly ca?: string;
  readonly timeout?: number;
  readonly sandbox?: boolean;
  readonly stateDir?: string;
  readonly throttleStatus?: readonly number[];
  readonly maxOutage?: number;
  readonly settleTime?: number;
}

/** Describes the target as runners of taps ask for it: its version, and its config as a JSON Schema. */
export async function aboutTarget(): Promise<object> {
  const schema = new URL('../../schemas/singer-config.schema.json', import.meta.url);
  const settings: unknown = JSON.parse(await readFile(schema, 'utf8'));
  const description = 'Imports records of Singer taps into a social listening platform.';
  return {
    name: 'docferry',
    description,
    version: VERSION,
    capabilities: ['about'],
    settings,
  };
}

/**
 * Reads and checks a config.
 * @throws OptionError with file and path of every mistake
 */
export async function loadSingerConfig(file: string): Promise<SingerConfig> {
  const text = readSmallText(file, (reason, missing) => {
    const message = missing ? `There is no config ${file}.` : `The config ${file} ${reason}.`;
    return new OptionError(message);
  });
  return withPaths(checkConfig(parse(text, file), file), folderOf(file));
}

/** Folder of a config's paths. Meltano writes the config to a folder of its own, and names the project's. */
function folderOf(file: string): string {
  return process.env['MELTANO_PROJECT_ROOT'] || path.dirname(path.resolve(file));
}

/** @throws OptionError */
function parse(text: string, file: string): unknown {
  const parsed = parseJson(text);
  if ('value' in parsed) return parsed.value;
  throw new OptionError(`The config ${file} ${parsed.problem.message}.`);
}

/** @throws OptionError with a line for each mistake: `config.json, epoch.records is …` */
function checkConfig(value: unknown, file: string): SingerConfig {
  const mistakes = schemaMistakes('singer-config', value);
  if (mistakes.length > 0) {
    const lines = mistakes.map(({ path: place, predicate }) =>
      [file, ...(place.length === 0 ? [] : [pathText(place)])].join(', ').concat(` ${predicate}`),
    );
    throw new OptionError([...lines, ...keyRemedy(mistakes)].join('\n'));
  }
  const config = value as SingerConfig;
  if (config.emitState === 'accounted' && config.rejects === undefined) {
    throw new OptionError(
      `${file}, rejects is missing, though emitState is "accounted": name a file for the records that are not accepted, for example "rejects-{run}.jsonl".`,
    );
  }
  return config;
}

/** Explains where the API key belongs, if the config holds it, as with other targets. */
function keyRemedy(mistakes: ReturnType<typeof schemaMistakes>): readonly string[] {
  const isKey = mistakes.some(({ key }) => key !== undefined && /^api_?key$/i.test(key));
  return isKey
    ? [
        'The API key does not belong in a config: put it into a file and name that in apiKeyFile, or set DOCFERRY_API_KEY.',
      ]
    : [];
}

/** Resolves paths relative to the config, wherever the target is started. */
function withPaths(config: SingerConfig, folder: string): SingerConfig {
  const withAbsolute = <Owner extends object>(owner: Owner, names: readonly (keyof Owner)[]) => {
    const given = names.filter((name) => owner[name] !== undefined);
    const paths = given.map((name) => [name, path.resolve(folder, String(owner[name]))]);
    return { ...owner, ...Object.fromEntries(paths) } as Owner;
  };
  const streams = Object.entries(config.streams).map(([name, stream]) => [
    name,
    withAbsolute(stream, ['mapping', 'schema']),
  ]);
  const whole = { ...config, streams: Object.fromEntries(streams) };
  return withAbsolute(whole, ['apiKeyFile', 'ca', 'stateDir', 'rejects']);
}

/** Options of an import that the command sets, not the config. */
type TargetOptions = StatePlace &
  Pick<
    ImportOptions,
    'connection' | 'service' | 'refusals' | 'signal' | 'abandonSignal' | 'eventsFile'
  >;

/**
 * Checks the mapping and schema of every stream.
 * @returns the open questions of the mappings, as notices
 * @throws OptionError, MappingError
 */
export async function checkStreams({ streams, strict }: SingerConfig): Promise<readonly string[]> {
  const notices: string[] = [];
  for (const stream of Object.values(streams)) {
    await validateDocuments({ input: [], ...stream, ...omitUndefined({ strict }) });
    notices.push(...questionNotices(await readMapping(stream.mapping)));
  }
  return [...new Set(notices)];
}

/** Returns the function that starts the import of a stream's records. */
export function runStarter(config: SingerConfig, options: TargetOptions): StartImport {
  const shared = { ...options, ...sendingOptions(config), throwOn: 'never' as const };
  let isReached = false;
  return (name, records) => {
    // Wait for a service only once it was reached: before that, the address may be wrong.
    const maxOutageAtStartMs = isReached
      ? (milliseconds(config.maxOutage) ?? IMPORT_OPTIONS.maxOutageMs.default)
      : 0;
    const importOptions = {
      ...shared,
      ...(config.streams[name] as StreamConfig),
      input: records,
      source: { name: inputName(name) },
      monitoring: config.monitoring,
      maxOutageAtStartMs,
    };
    // Records of several streams are interleaved, so their runs are concurrent.
    const run = startImport(importOptions, { lockHolder: 'target-singer' });
    run.then(
      ({ stop }) => {
        isReached ||= stop === null;
      },
      () => {},
    );
    return run;
  };
}

const MAX_STORED_RUNS = 100;

/** Removes all finished runs of the streams except the latest, because each epoch adds some. */
export async function pruneStreams({ streams }: SingerConfig, state: string): Promise<void> {
  const inputs = Object.keys(streams).map(inputName);
  await pruneRuns({ state, olderThanDays: 0, inputs, keepLatest: MAX_STORED_RUNS });
}

function inputName(stream: string): string {
  return `stream ${stream}`;
}

function sendingOptions(config: SingerConfig): Partial<ImportOptions> {
  const { throttleStatus, maxOutage, settleTime } = config;
  return omitUndefined({
    ...Object.fromEntries(SAME_OPTIONS.map((name) => [name, config[name]])),
    throttleStatuses: throttleStatus,
    maxOutageMs: milliseconds(maxOutage),
    quietMs: milliseconds(settleTime),
  });
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}
