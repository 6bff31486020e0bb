import type { Client, Monitoring } from '../../api/index.js';
import { STATUSES } from '../../service/codes.js';
import { defineCommand, type GroupedCommand } from '../command.js';
import { type ServiceArguments, withService } from '../options/connection.js';
import { OUTPUT_OPTIONS, type OutputArguments, outputOf } from '../options/output.js';
import { SEARCH_OPTIONS, searchesOf } from '../options/searches.js';
import { idOf } from '../options/values.js';
import { withClient } from '../service.js';

const ID = { type: 'string', demandOption: true, describe: 'Id of the monitoring' } as const;
const TITLE = { type: 'string', demandOption: true, describe: '1 to 255 characters' } as const;

/** `docferry monitorings`: look at monitorings, create and change them. */
export const MONITORINGS: readonly GroupedCommand[] = [
  {
    name: 'list',
    describe: 'List the monitorings that you may see',
    ...defineCommand((argv) => withService(argv).options(OUTPUT_OPTIONS), listMonitorings),
  },
  {
    name: 'show',
    positionals: '<id>',
    describe: 'Show a monitoring with its searches',
    ...defineCommand(
      (argv) => withService(argv.positional('id', ID)).options(OUTPUT_OPTIONS),
      async (args) => {
        const id = idOf('The monitoring id', args.id);
        return await showResult(args, ({ monitorings }) => monitorings.get(id));
      },
    ),
  },
  {
    name: 'create',
    describe: 'Create a monitoring',
    ...defineCommand(
      (argv) =>
        withService(argv)
          .options(OUTPUT_OPTIONS)
          .option('title', { ...TITLE, requiresArg: true })
          .option('status', {
            choices: STATUSES,
            demandOption: true,
            describe: 'active captures, and consumes credits; paused does neither',
          })
          .options(SEARCH_OPTIONS),
      async (args) => {
        const { title, status } = args;
        const monitoring = { title, status, searches: searchesOf(args) };
        return await showResult(args, ({ monitorings }) => monitorings.create(monitoring));
      },
    ),
  },
  {
    name: 'rename',
    positionals: '<id> <title>',
    describe: 'Give a monitoring another title',
    ...defineCommand(
      (argv) =>
        withService(argv.positional('id', ID).positional('title', TITLE)).options(OUTPUT_OPTIONS),
      async (args) => {
        const id = idOf('The monitoring id', args.id);
        return await showResult(args, ({ monitorings }) => monitorings.rename(id, args.title));
      },
    ),
  },
  {
    name: 'add-searches',
    positionals: '<id>',
    describe: 'Add searches to those of a monitoring',
    ...defineCommand(
      (argv) =>
        withService(argv.positional('id', ID)).options(OUTPUT_OPTIONS).options(SEARCH_OPTIONS),
      async (args) => {
        const id = idOf('The monitoring id', args.id);
        const searches = searchesOf(args);
        return await showResult(args, ({ monitorings }) => monitorings.addSearches(id, searches));
      },
    ),
  },
  {
    name: 'remove-searches',
    positionals: '<id> <search-id..>',
    describe: 'Remove searches from a monitoring',
    ...defineCommand(
      (argv) =>
        withService(
          argv.positional('id', ID).positional('search-id', {
            type: 'string',
            array: true,
            demandOption: true,
            describe: 'Ids of the searches, as show gives them',
          }),
        ).options(OUTPUT_OPTIONS),
      async (args) => {
        const id = idOf('The monitoring id', args.id);
        const ids = args['search-id'].map((text) => idOf('The search id', text));
        return await showResult(args, ({ monitorings }) => monitorings.removeSearches(id, ids));
      },
    ),
  },
];

type CommonArguments = OutputArguments & ServiceArguments;

async function listMonitorings(args: CommonArguments): Promise<number> {
  const { SUMMARY_KIND } = await import('../output/kinds.js');
  const { oneBatch } = await import('../output/formats.js');
  const { printRecords } = await import('../output/print-records.js');
  await withClient(args, async ({ monitorings }) => {
    await printRecords(oneBatch(await monitorings.list()), SUMMARY_KIND, outputOf(args));
  });
  return 0;
}

/** Every operation on one monitoring gives it back as it is then. */
async function showResult(
  args: CommonArguments,
  operation: (client: Client) => Promise<Monitoring>,
): Promise<number> {
  const { printMonitoring } = await import('../output/print-answer.js');
  await withClient(args, async (client) => {
    await printMonitoring(await operation(client), outputOf(args));
  });
  return 0;
}
