/** Options of validations and imports. Flags, checks, defaults, help and docs are derived from these tables. */
import { availableParallelism } from 'node:os';
import { SOURCE_OPTIONS } from '../formats/options.js';
import { OptionError } from '../model/errors.js';
import { grouped, type OptionTable, option, toFlags } from '../model/options.js';
import { fileWord, shellWord } from '../model/text.js';
import {
  type ImportOptions,
  type PreviewOptions,
  type RecordOptions,
  shownState,
  type ValidateOptions,
} from './options.js';

/** Of the command line; the library has no default. */
export const DEFAULT_STATE_DIR = '.docferry';

/** Read from the working folder, which its paths are relative to. */
export const JOB_FILE = 'docferry.yaml';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The main thread, which reads and sends, can't keep more threads than this busy. */
const MAX_DEFAULT_THREADS = 8;

/** Options that concern single records. */
export const RECORD_OPTIONS = grouped('Mapping:', {
  input: { type: 'any' },
  mapping: option.any('mapping', 'Mapping file (YAML or JSON)', {
    short: 'm',
    required: true,
  }),
  source: { type: 'any' },
  profile: { type: 'any', choices: ['complete', 'minimal'] },
  schema: option.any('schema', 'File of your own JSON Schema for documents, instead of a profile'),
  asOf: option.text(
    'as-of',
    'Day of the export (ISO 8601), from which dates like "2 months ago" count back',
  ),
} as const satisfies OptionTable<keyof RecordOptions>);

/** Input options that may differ from file to file; the others are in the mapping. */
const {
  escape: _,
  comment,
  header,
  ragged,
  skipLines,
  records,
  maxRecordBytes,
  ...FILE_OPTIONS
} = SOURCE_OPTIONS;

/** Options of all commands that map records. */
export const MAPPING_OPTIONS = { ...RECORD_OPTIONS, ...FILE_OPTIONS };

/** The flags of a command that decide how records are read and mapped, for the command after it. */
export function readingFlags({
  source,
  mapping: _,
  schema,
  ...given
}: Partial<RecordOptions>): readonly string[] {
  const file = typeof schema === 'string' ? schema : undefined;
  return toFlags(MAPPING_OPTIONS, { ...given, ...source, schema: file });
}

/** The flag of a command that names the place of runs, unless it is the default. */
export function stateFlags({
  state,
  stateDir,
}: Partial<Pick<ImportOptions, 'state' | 'stateDir'>>): readonly string[] {
  // Without the password, which the user must type again.
  if (state !== undefined) return ['--state', shellWord(shownState(state))];
  return typeof stateDir === 'string' && stateDir !== DEFAULT_STATE_DIR
    ? ['--state-dir', fileWord(stateDir)]
    : [];
}

export const PREVIEW_OPTIONS = {
  ...RECORD_OPTIONS,
  record: option.integer('record', 'Show only the record with this number in its file, from 1', {
    min: 1,
  }),
  invalid: option.boolean('invalid', 'Show only records that are invalid'),
} as const satisfies OptionTable<keyof PreviewOptions>;

export const VALIDATE_OPTIONS = {
  ...RECORD_OPTIONS,
  threads: option.integer('threads', 'Worker threads for large inputs; 0 for none', {
    min: 0,
    max: 256,
    default: Math.min(availableParallelism(), MAX_DEFAULT_THREADS),
    defaultText: 'one per processor, at most 8',
  }),
  maxErrors: option.any(
    'max-errors',
    'Stop once more records than this are invalid or rejected: 100, or 5% (from 100 records on)',
  ),
  acceptDrift: option.boolean(
    'accept-drift',
    'Continue even if an input no longer looks as the mapping expects',
    { storedWithRun: false },
  ),
  strict: option.boolean('strict', 'Refuse a mapping that leaves questions open (TODO comments)'),
  ...grouped('Output:', {
    rejects: option.text(
      'rejects',
      "Write invalid and rejected records, as they were read, to this file ({run}: the run's id)",
      { file: 'written' },
    ),
    reportFile: option.text(
      'report',
      "Write the report as JSON to this file (- for stdout; {run}: the run's id)",
      { file: 'written' },
    ),
    htmlFile: option.text(
      'html',
      "Write the report as an HTML page to this file ({run}: the run's id)",
      { file: 'written' },
    ),
    quotes: option.boolean(
      'quotes',
      'Quote values of single records in the page of --html (--no-quotes: leave them out)',
      { default: true },
    ),
    eventsFile: option.text(
      'events',
      "Append events to this file, one JSON object per line (- for stdout; {run}: the run's id)",
      { file: 'written' },
    ),
    overwrite: option.boolean('overwrite', 'Replace the file of --rejects if it exists', {
      storedWithRun: false,
    }),
  }),
  withRecords: { type: 'boolean', storedWithRun: false },
  signal: { type: 'any', storedWithRun: false },
  throwOn: {
    type: 'any',
    choices: ['stop', 'any', 'never'],
    default: 'stop',
    storedWithRun: false,
  },
} as const satisfies OptionTable<keyof ValidateOptions>;

/** Options of imports. A validation accepts them, too, and ignores those that concern sending. */
export const IMPORT_OPTIONS = {
  ...VALIDATE_OPTIONS,
  survey: { type: 'boolean' },
  monitoring: option.integer('monitoring', 'Id of the monitoring to import into', {
    min: 1,
    required: true,
  }),
  connection: { type: 'any', storedWithRun: false },
  resume: option.any(
    'resume',
    'Resume this run; without an id, the latest unfinished run of these inputs',
    { bare: true, storedWithRun: false },
  ),
  retryRejected: { type: 'boolean', default: false, storedWithRun: false },
  ...grouped('Sending:', {
    batchSize: option.integer('batch-size', 'Documents per request', {
      min: 1,
      max: 1_000_000,
      default: 500,
    }),
    batchBytes: option.integer('batch-bytes', 'Bytes per request', {
      min: 1,
      max: 2 ** 30,
      default: 1024 * 1024,
    }),
    concurrency: option.any(
      'concurrency',
      'Requests in flight (of each process), or auto: as many as the service handles well',
      { default: 'auto', parse: parseConcurrency },
    ),
    rate: option.number('rate', 'Maximum requests per second (of all shards together)', {
      min: 0.001,
      max: 1_000_000,
    }),
    throttleStatuses: { type: 'any' },
    maxOutageMs: option.integer(
      'max-outage',
      'Seconds the service may be down before the run stops',
      { min: 0, max: 30 * DAY_MS, unit: 'seconds', default: 30 * MINUTE_MS },
    ),
    onUnknown: option.any(
      'on-unknown',
      'Unconfirmed documents: reconcile them and send what is missing, or leave them unknown',
      { choices: ['resolve', 'hold'], default: 'resolve' },
    ),
    refusals: option.any(
      'refusals',
      'Meaning of a refused batch: nothing was accepted (atomic), or part of it may have been (partial)',
      { choices: ['atomic', 'partial'], default: 'partial' },
    ),
    quietMs: option.integer(
      'settle-time',
      'Seconds the service may take to show a document; after twice that, it is missing',
      { min: 0, max: DAY_MS, unit: 'seconds', default: MINUTE_MS },
    ),
    skipKnown: option.boolean('skip-known', 'Skip documents that earlier runs imported', {
      default: true,
    }),
    lockTimeoutMs: option.integer(
      'lock-timeout',
      'Seconds to wait for another import into the same monitoring, with the same state; 0: not at all',
      { min: 0, max: 30 * DAY_MS, unit: 'seconds', defaultText: 'no limit' },
    ),
  }),
  maxOutageAtStartMs: {
    type: 'integer',
    min: 0,
    max: 30 * DAY_MS,
    default: 0,
    storedWithRun: false,
  },
  lookForMs: { type: 'integer', min: 0, max: DAY_MS, default: 5 * MINUTE_MS },
  stateDir: { type: 'any', storedWithRun: false },
  state: { type: 'text', storedWithRun: false },
  ...grouped('Sending:', {
    run: option.text('run', 'Name of an import in shards, the same for all of its processes', {
      storedWithRun: false,
    }),
    shard: option.any(
      'shard',
      'Import only part I of N of the inputs: I/N (with --run and --state)',
      {
        parse: parseShard,
        storedWithRun: false,
      },
    ),
  }),
  service: { type: 'text' },
  inputKey: { type: 'text' },
  mappingKey: { type: 'text' },
  abandonSignal: { type: 'any', storedWithRun: false },
} as const satisfies OptionTable<keyof ImportOptions>;

function parseShard(text: string): NonNullable<ImportOptions['shard']> {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  if (index !== undefined) return { index: Number(index), count: Number(count) };
  throw new OptionError(
    `--shard is ${JSON.stringify(text)}; expected the number of a part and how many there are, for example 3/16.`,
  );
}

function parseConcurrency(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const number = Number(text);
  if (text !== '' && Number.isInteger(number)) return number;
  throw new OptionError(
    `--concurrency is ${JSON.stringify(text)}; expected a whole number, or auto.`,
  );
}
