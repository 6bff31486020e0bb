/** Runs jobs of the job file: one command line for each. */
import { Parser } from 'yargs/helpers';
import { OptionError } from '../model/errors.js';
import { JOB_FILE, type JobOptions, readNamedJobs } from '../operations/jobs.js';
import { say } from './print.js';

/** Exit codes from the best to the most urgent, and the one that ends all jobs. */
const EXIT_CODES = [0, 1, 5, 2, 4, 3, 70, 130];
const INTERRUPTED = 130;

/**
 * Runs the jobs that a command line names, one after another. A job that fails doesn't keep the
 * others from running; an interruption does.
 * @param run runs a command line with a job's options, and sets the exit status
 * @returns the most urgent exit status
 * @throws OptionError if a job can't be found, before any is run
 */
export async function runJobs(
  args: readonly string[],
  run: (args: readonly string[], options?: JobOptions) => Promise<void>,
): Promise<number> {
  const { job, json, report } = Parser([...args], { string: ['job', 'report'], boolean: ['json'] });
  const names: readonly string[] = [job ?? []].flat();
  if (names.length === 0 || names.includes('')) {
    // yargs words the mistake.
    await run(args);
    return Number(process.exitCode);
  }
  if (names.length > 1 && (json || report !== undefined)) {
    throw new OptionError(
      `--${json ? 'json' : 'report'} is for one job: for several, give each its own report in ${JOB_FILE}.`,
    );
  }
  const jobs = readNamedJobs(names);
  let worst = 0;
  for (const { name, options } of jobs) {
    if (jobs.length > 1) say(`Job ${name}`);
    process.exitCode = 0;
    await run(args, options);
    const code = Number(process.exitCode);
    if (EXIT_CODES.indexOf(code) > EXIT_CODES.indexOf(worst)) worst = code;
    if (code === INTERRUPTED) break;
  }
  return worst;
}
