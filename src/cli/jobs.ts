/** Runs jobs of the job file: one command line for each. */
import { Parser } from 'yargs/helpers';
import { byUrgency, DocferryError, OptionError } from '../model/errors.js';
import { omitUndefined } from '../model/options.js';
import {
  checkJobOptions,
  type ImportJob,
  type JobOptions,
  readNamedJobs,
} from '../operations/jobs.js';
import { IMPORT_OPTIONS, JOB_FILE } from '../operations/option-table.js';
import { checkFiles } from './options/files.js';
import { pick, readFlags, writtenValues } from './options/flags.js';
import { IMPORT_FLAGS, sourceOptions } from './options/run.js';
import { log } from './print.js';
import { EXIT_INTERRUPTED } from './runs/interruption.js';

type RunLine = (args: readonly string[], options?: JobOptions) => Promise<void>;

/**
 * Runs the jobs that a command line names, one after another. A job that fails doesn't keep the
 * others from running; an interruption does.
 * @param run runs a command line with a job's options, and sets the exit status
 * @returns the most urgent exit status
 * @throws OptionError before any job is run: one can't be found, or its options are wrong
 */
export async function runJobs(args: readonly string[], run: RunLine): Promise<number> {
  const { names, quiet } = read(args);
  const jobs = readNamedJobs(names);
  refuseSharedFiles(jobs);
  // A single job reports its own mistakes; those of several must show before the first is run.
  if (jobs.length > 1) for (const job of jobs) await checkNamed(job);
  let worst = 0;
  for (const [index, { name, options }] of jobs.entries()) {
    const isQuiet = quiet || options['quiet'] === true;
    const shownName = jobs.length > 1 ? name : undefined;
    const code = await runJob(() => run(args, options), shownName, isQuiet);
    if (byUrgency(code, worst) < 0) worst = code;
    const left = jobs.slice(index + 1).map((job) => job.name);
    if (code !== EXIT_INTERRUPTED || left.length === 0) continue;
    log(`Not run: ${left.join(', ')}.`);
    break;
  }
  return worst;
}

/** Runs a job, and prints its name before it, or with its exit status if there is anything to report. */
async function runJob(
  run: () => Promise<void>,
  name: string | undefined,
  isQuiet: boolean,
): Promise<number> {
  if (name !== undefined && !isQuiet) log(`Job ${name}`);
  process.exitCode = 0;
  await run();
  const code = Number(process.exitCode);
  if (name !== undefined && isQuiet && code !== 0) log(`Job ${name}: exit code ${code}`);
  return code;
}

/** Flags that name one file or run, and so don't fit several jobs. */
const OF_ONE_JOB = ['json', 'report', 'html', 'rejects', 'events', 'metrics', 'resume'];

interface JobLine {
  readonly names: readonly string[];
  readonly quiet: boolean;
}

/** @throws OptionError for a missing name, and for words that don't fit several jobs */
function read(args: readonly string[]): JobLine {
  const flags = Object.values(IMPORT_FLAGS).filter((entry) => 'flag' in entry);
  const named = (isBoolean: boolean): string[] =>
    flags.flatMap(({ type, flag }) => ((type === 'boolean') === isBoolean ? [flag] : []));
  const parsed = Parser([...args], {
    ...{ string: named(false), boolean: named(true), alias: { quiet: 'q' } },
  });
  const names: readonly unknown[] = [parsed['job'] ?? []].flat();
  if (!names.every((name) => typeof name === 'string' && name !== '')) {
    throw new OptionError(
      `--job needs the name of a job in ${JOB_FILE}; docferry jobs list shows them.`,
    );
  }
  if (names.length > 1) {
    // The first word is the command.
    if (parsed._.length > 1) {
      throw new OptionError(
        `${parsed._[1]} would be read by every job: give it with a single --job (each job needs its own --job).`,
      );
    }
    const flag = OF_ONE_JOB.find((one) => {
      const value: unknown = parsed[one];
      return value !== undefined && value !== '' && !String(value).includes('{run}');
    });
    if (flag !== undefined) {
      throw new OptionError(`--${flag} is for one job: for several, set it in ${JOB_FILE}.`);
    }
  }
  return { names: names as readonly string[], quiet: parsed['quiet'] === true };
}

/** @throws OptionError if two jobs write the same file */
function refuseSharedFiles(jobs: readonly ImportJob[]): void {
  const writers = new Map<string, string>();
  for (const { name, options } of jobs) {
    for (const flag of ['report', 'html', 'rejects', 'metrics']) {
      const file = options[flag];
      if (typeof file !== 'string' || file.includes('{run}')) continue;
      const other = writers.get(file);
      if (other !== undefined && other !== name) {
        throw new OptionError(
          `The jobs ${other} and ${name} both write ${file} (${flag}): give each its own in ${JOB_FILE}.`,
        );
      }
      writers.set(file, name);
    }
  }
}

/** @throws OptionError that names the job */
async function checkNamed(job: ImportJob): Promise<void> {
  await checkJob(job).catch((error: unknown) => {
    if (!(error instanceof DocferryError)) throw error;
    throw new OptionError(`${JOB_FILE}, job ${job.name}: ${error.message}`);
  });
}

/**
 * Checks a job's options, addresses and mapping, without reading its inputs.
 * @returns what to settle before it is run
 * @throws DocferryError
 */
export async function checkJob({ options }: ImportJob): Promise<readonly string[]> {
  const values = readFlags(IMPORT_FLAGS, writtenValues(IMPORT_FLAGS, options));
  const inputs = options.input ?? [];
  const read = [options['mapping'], options['schema'], ...inputs].flatMap((path) =>
    typeof path === 'string' ? [{ name: `the file ${path} that it reads`, path }] : [],
  );
  checkFiles(IMPORT_FLAGS, values, options, read);
  const checked = { ...pick(IMPORT_OPTIONS, values), source: sourceOptions(values) };
  const { stateDir } = values;
  return await checkJobOptions({ ...checked, ...omitUndefined({ stateDir }) }, inputs);
}
