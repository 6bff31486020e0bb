import type { ImportJob } from '../../operations/jobs.js';
import { type CommandGroup, defineCommand } from '../command.js';
import { JSON_OPTION } from '../options/output.js';
import { print } from '../print.js';

export const JOBS: CommandGroup = {
  usage: 'jobs',
  describe: 'List and check the imports in docferry.yaml',
  examples: ['jobs list', 'jobs check', 'import --job hotels --sandbox'],
  commands: [
    defineCommand({
      usage: 'list',
      describe: 'List the jobs',
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
  const jobs = readJobs();
  if (json) {
    print(JSON.stringify(jobs, null, 2));
    return 0;
  }
  const { table } = await import('../output/table.js');
  const column = (title: string, cell: (job: ImportJob) => string) => ({ title, cell });
  const option = (name: string) =>
    column(name, ({ options }) => [options[name] ?? '–'].flat().join(', '));
  const columns = [
    column('job', ({ name }) => name),
    ...['monitoring', 'mapping', 'input'].map(option),
  ];
  for await (const lines of table(batches(jobs), columns, process.stdout.columns ?? 110)) {
    process.stdout.write(lines);
  }
  return 0;
}

async function* batches(jobs: readonly ImportJob[]): AsyncGenerator<readonly ImportJob[]> {
  yield jobs;
}

async function checkJobs(): Promise<number> {
  const { readJobs } = await import('../../operations/jobs.js');
  const { checkJob } = await import('../jobs.js');
  let exitCode = 0;
  for (const job of readJobs()) {
    const { mistakes, usable, waiting } = await checkJob(job);
    print(
      `${usable ? '✓' : '✗'} ${job.name}${waiting === undefined ? '' : ` (no input now: ${waiting})`}`,
    );
    for (const mistake of mistakes) print(`    ${mistake}`);
    if (!usable) exitCode = 2;
  }
  return exitCode;
}
