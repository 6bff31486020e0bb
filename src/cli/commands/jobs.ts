import { omitUndefined } from '../../model/options.js';
import { shownInput } from '../../model/text.js';
import type { ImportJob } from '../../operations/jobs.js';
import { IMPORT_OPTIONS } from '../../operations/option-table.js';
import { type CommandGroup, defineCommand } from '../command.js';
import { checkFiles } from '../options/files.js';
import { pick, readFlags, writtenValues } from '../options/flags.js';
import { IMPORT_FLAGS, JSON_OPTION, sourceOptions } from '../options/run.js';
import type { TableColumn } from '../output/table.js';
import { print, printText } from '../print.js';

export const JOBS: CommandGroup = {
  usage: 'jobs',
  describe: 'List and check the imports in docferry.yaml',
  examples: ['jobs list', 'jobs check', 'import --job hotels --sandbox'],
  commands: [
    defineCommand({
      usage: 'list',
      describe: 'List the jobs of docferry.yaml',
      options: JSON_OPTION,
      examples: ['jobs list', 'jobs list --json'],
      run: ({ json }) => listJobs(json ?? false),
    }),
    defineCommand({
      usage: 'check',
      describe: 'Check the jobs and their mappings; no records are read',
      examples: ['jobs check'],
      run: checkJobs,
    }),
  ],
};

async function listJobs(json: boolean): Promise<number> {
  const { readJobs } = await import('../../operations/jobs.js');
  const jobs = readJobs().map(withShownInputs);
  if (json) {
    print(JSON.stringify(jobs, null, 2));
    return 0;
  }
  const { tableText } = await import('../output/table.js');
  const { terminalOf } = await import('../output/terminal-of.js');
  const column = (title: string, maxWidth: number): TableColumn<ImportJob> => ({
    title,
    cell: ({ options }) => [options[title] ?? '–'].flat().join(', '),
    maxWidth,
  });
  const columns: readonly TableColumn<ImportJob>[] = [
    { title: 'job', cell: ({ name }) => name, maxWidth: 40 },
    ...[column('monitoring', 12), column('mapping', 40), column('input', 80)],
  ];
  process.stdout.write(tableText(jobs, columns, terminalOf(process.stdout)));
  return 0;
}

function withShownInputs({ name, options }: ImportJob): ImportJob {
  const { input } = options;
  return { name, options: input ? { ...options, input: input.map(shownInput) } : options };
}

async function checkJobs(): Promise<number> {
  const { missingKeys, readJobs, reasonForWaiting } = await import('../../operations/jobs.js');
  let exitCode = 0;
  for (const job of readJobs()) {
    const mistakes = missingKeys(job).map((key) => `the job has no ${key}`);
    const warnings = await checkJob(job).catch(({ message }: Error) => {
      mistakes.push(message);
      return [];
    });
    const waiting = await reasonForWaiting(job);
    const suffix = waiting === undefined ? '' : ` (no input now: ${waiting})`;
    const tone = mistakes.length > 0 ? 'bad' : warnings.length > 0 ? 'mixed' : 'good';
    printText(`${job.name}${suffix}`, tone);
    const lines = [...mistakes, ...warnings].flatMap((one) => one.split('\n'));
    for (const line of lines) printText(`    ${line}`);
    if (mistakes.length > 0) exitCode = 2;
  }
  return exitCode;
}

/**
 * Checks a job's options, addresses and mapping, without reading its inputs.
 * @returns what to settle before it is run
 * @throws DocferryError
 */
async function checkJob({ options }: ImportJob): Promise<readonly string[]> {
  const { checkJobOptions } = await import('../../operations/jobs.js');
  const { planMetrics } = await import('../runs/metrics-file.js');
  const values = readFlags(IMPORT_FLAGS, writtenValues(IMPORT_FLAGS, options));
  const inputs = options.input ?? [];
  const read = [options['mapping'], options['schema'], ...inputs].flatMap((path) =>
    typeof path === 'string' ? [{ name: `the file ${path} that it reads`, path }] : [],
  );
  checkFiles(IMPORT_FLAGS, values, options, read);
  const checked = { ...pick(IMPORT_OPTIONS, values), source: sourceOptions(values) };
  const { stateDir, metrics } = values;
  const all = { ...checked, ...omitUndefined({ stateDir }) };
  await planMetrics(metrics, { ...all, input: [] });
  return await checkJobOptions(all, inputs);
}
