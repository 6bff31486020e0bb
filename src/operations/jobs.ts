/** The job file: imports by name, each with the options of a command line. */
import { checkOptions as checkSourceOptions } from '../formats/options.js';
import { resolvePaths } from '../input/inputs.js';
import { checkAddress } from '../input/remote.js';
import { shapeMistakes } from '../mapping/load/find-mistakes.js';
import { mappingErrorOf, parseYaml } from '../mapping/load/load-mapping.js';
import { locateMistake } from '../mapping/mapping-text.js';
import { didYouMean, type MappingMistake, OptionError } from '../model/errors.js';
import { readSmallText } from '../model/small-file.js';
import { isAddress, printable, quote } from '../model/text.js';
import { refuseUnwritable } from '../outputs/check-output.js';
import { validateDocuments } from './import-documents.js';
import { JOB_FILE, RECORD_OPTIONS } from './option-table.js';
import type { ImportOptions } from './options.js';
import { questionNotices, readMapping } from './pipeline/plan-records.js';
import { checkRunOptions, checkStateDir } from './settings.js';

/** Values by the names of flags, for example `batch-size`; `input` as well. */
export type JobOptions = Readonly<Record<string, unknown>>;

export interface ImportJob {
  readonly name: string;
  /** Those of `defaults`, overridden by the job's own. */
  readonly options: JobOptions & { readonly input?: readonly string[] };
}

/** The job file's content, see `schemas/jobs.schema.json`. */
interface JobFile {
  readonly defaults?: JobOptions;
  readonly jobs: Readonly<Record<string, JobOptions>>;
}

/**
 * Reads all jobs, in the file's order.
 * @throws OptionError if it can't be read, or with a line for each mistake: `file:line:column: …`
 */
export function readJobs(): readonly ImportJob[] {
  const text = readSmallText(JOB_FILE, (reason, missing) => {
    const message = missing
      ? `There is no job file ${JOB_FILE} in this folder: change to the folder that has it, or write one (docs/jobs.md).`
      : `The job file ${JOB_FILE} ${reason}.`;
    return new OptionError(message);
  });
  const { defaults, jobs } = parseJobFile(text);
  const unprintable = Object.keys(jobs).find((name) => printable(name) !== name);
  if (unprintable !== undefined) {
    throw new OptionError(
      `${JOB_FILE}: the job ${quote(unprintable)} has a line end or another control character in its name: remove it.`,
    );
  }
  return Object.entries(jobs).map(([name, own]) => {
    const { input, ...options } = { ...defaults, ...own };
    const inputs = input === undefined ? {} : { input: [input].flat().map(String) };
    return { name, options: { ...options, ...inputs } };
  });
}

/**
 * Reads the job with this name.
 * @throws OptionError as {@link readJobs} does, or if there is no such job
 */
export function readJob(name: string): ImportJob {
  const jobs = readJobs();
  const found = jobs.find((job) => job.name === name);
  if (found !== undefined) return found;
  const known = jobs.map((job) => job.name);
  const hint = didYouMean(name, known) || `; it has ${known.join(', ')}.`;
  throw new OptionError(`${JOB_FILE} has no job ${JSON.stringify(name)}${hint}`);
}

function parseJobFile(text: string): JobFile {
  const yaml = parseYaml(text, 'it needs the key jobs (docs/jobs.md)');
  if ('mistakes' in yaml) throw errorOf(yaml.mistakes);
  const { value, locate } = yaml;
  const mistakes = shapeMistakes('jobs', value, 'the file');
  if (mistakes.length === 0) return value as JobFile;
  throw errorOf(
    mistakes.map((one) => locateMistake(one, locate)),
    mistakes.some(({ key = '' }) => CONNECTION_KEYS.includes(key)) ? [CONNECTION_REMEDY] : [],
  );
}

const CONNECTION_KEYS = [
  'base-url',
  'username',
  'api-key',
  'api-key-file',
  'ca',
  'sandbox',
  'state',
];
const CONNECTION_REMEDY =
  "A job file can't hold the connection, because it is usually under version control: set DOCFERRY_BASE_URL, DOCFERRY_USERNAME, DOCFERRY_API_KEY_FILE and DOCFERRY_STATE, or give flags.";

function errorOf(
  mistakes: readonly MappingMistake[],
  remedies: readonly string[] = [],
): OptionError {
  const inOrder = mistakes.toSorted((one, other) => one.offset - other.offset);
  return new OptionError([mappingErrorOf(JOB_FILE, inOrder).message, ...remedies].join('\n'));
}

/**
 * Checks a job's options, addresses, mapping and schema, and the folders that it writes to, without
 * reading its inputs.
 * @returns the open questions of its mapping, as a notice
 * @throws OptionError, MappingError, SourceError
 */
export async function checkJobOptions(
  options: Partial<ImportOptions>,
  inputs: readonly string[],
): Promise<readonly string[]> {
  checkRunOptions(options, 'import');
  inputs.filter(isAddress).forEach(checkAddress);
  checkSourceOptions(options.source ?? {});
  if (typeof options.stateDir === 'string') checkStateDir(options.stateDir);
  for (const name of ['rejects', 'reportFile', 'htmlFile', 'eventsFile'] as const) {
    const path = options[name];
    if (path !== undefined) refuseUnwritable({ path, what: OUTPUTS[name] });
  }
  const { mapping } = options;
  if (mapping === undefined) return [];
  const ofRecords = Object.entries(options).filter(
    ([name, value]) => value !== undefined && RECORD_CHECKS.has(name),
  );
  await validateDocuments({ ...Object.fromEntries(ofRecords), input: [], mapping });
  return questionNotices(await readMapping(mapping));
}

/** Options that a validation checks before it reads anything. */
const RECORD_CHECKS: ReadonlySet<string> = new Set([...Object.keys(RECORD_OPTIONS), 'strict']);

const OUTPUTS = {
  rejects: 'rejects file',
  reportFile: 'report',
  htmlFile: 'report',
  eventsFile: 'file of events',
} as const;

/** Lists the keys that a job needs and doesn't have. */
export function missingKeys({ options }: ImportJob): readonly string[] {
  return ['input', 'mapping', 'monitoring'].filter((key) => options[key] === undefined);
}

/** Returns why a job's inputs can't be read now, if so: exports may arrive later. */
export async function reasonForWaiting({ options }: ImportJob): Promise<string | undefined> {
  const { input = [] } = options;
  return await resolvePaths(input.filter((one) => !isAddress(one))).then(
    () => undefined,
    ({ message }: Error) => message,
  );
}
