import type { Argv, CommandModule } from 'yargs';
import type { Client, Monitoring } from '../../api/index.js';
import { type MonitoringStatus, STATUSES } from '../../service/codes.js';
import type { CommandBody, Start } from '../command.js';
import { OUTPUT_OPTIONS, type OutputArguments, outputOf } from '../options/output.js';
import { SEARCH_OPTIONS, type SearchArguments, searchesOf } from '../options/searches.js';
import { idOf } from '../options/values.js';
import { type ServiceArguments, withClient, withService } from '../service.js';

type CommonArguments = OutputArguments & ServiceArguments;

/** `docferry monitorings`: look at monitorings, create and change them. */
export function monitoringsCommand(start: Start): CommandBody<object> {
  return {
    builder: (argv) =>
      argv
        .command(listCommand(start))
        .command(showCommand(start))
        .command(createCommand(start))
        .command(renameCommand(start))
        .command(addCommand(start))
        .command(removeCommand(start))
        .demandCommand(
          1,
          'Say what to do: list, show, create, rename, add-searches or remove-searches.',
        ) as Argv<object>,
    handler: () => {},
  };
}

function listCommand(start: Start): CommandModule<object, CommonArguments> {
  return {
    command: 'list',
    describe: 'List the monitorings that you may see',
    builder: (argv) => withCommon(argv),
    handler: (args) =>
      start(async () => {
        const { SUMMARY_KIND } = await import('../output/kinds.js');
        const { oneBatch } = await import('../output/formats.js');
        const { printRecords } = await import('../output/print-records.js');
        await withClient(args, async (client) => {
          await printRecords(
            oneBatch(await client.monitorings.list()),
            SUMMARY_KIND,
            outputOf(args),
          );
        });
        return 0;
      }),
  };
}

function showCommand(start: Start): CommandModule<object, CommonArguments & IdArguments> {
  return {
    command: 'show <id>',
    describe: 'Show a monitoring with its searches',
    builder: (argv) => withId(withCommon(argv)),
    handler: (args) =>
      start(async () => {
        const id = monitoringId(args);
        await showResult(args, ({ monitorings }) => monitorings.get(id));
        return 0;
      }),
  };
}

interface CreateArguments extends SearchArguments {
  readonly title: string;
  readonly status: MonitoringStatus;
}

function createCommand(start: Start): CommandModule<object, CommonArguments & CreateArguments> {
  return {
    command: 'create',
    describe: 'Create a monitoring',
    builder: (argv) =>
      withCommon(argv)
        .option('title', {
          type: 'string',
          demandOption: true,
          requiresArg: true,
          describe: '1 to 255 characters',
        })
        .option('status', {
          choices: STATUSES,
          demandOption: true,
          describe: 'active captures, and consumes credits; paused does neither',
        })
        .options(SEARCH_OPTIONS) as unknown as Argv<CommonArguments & CreateArguments>,
    handler: (args) =>
      start(async () => {
        const { title, status } = args;
        const searches = searchesOf(args);
        await showResult(args, ({ monitorings }) =>
          monitorings.create({ title, status, searches }),
        );
        return 0;
      }),
  };
}

function renameCommand(
  start: Start,
): CommandModule<object, CommonArguments & IdArguments & { readonly title: string }> {
  return {
    command: 'rename <id> <title>',
    describe: 'Give a monitoring another title',
    builder: (argv) =>
      withId(withCommon(argv)).positional('title', {
        type: 'string',
        demandOption: true,
        describe: '1 to 255 characters',
      }),
    handler: (args) =>
      start(async () => {
        const id = monitoringId(args);
        await showResult(args, ({ monitorings }) => monitorings.rename(id, args.title));
        return 0;
      }),
  };
}

function addCommand(
  start: Start,
): CommandModule<object, CommonArguments & IdArguments & SearchArguments> {
  return {
    command: 'add-searches <id>',
    describe: 'Add searches to those of a monitoring',
    builder: (argv) =>
      withId(withCommon(argv)).options(SEARCH_OPTIONS) as unknown as Argv<
        CommonArguments & IdArguments & SearchArguments
      >,
    handler: (args) =>
      start(async () => {
        const id = monitoringId(args);
        const searches = searchesOf(args);
        await showResult(args, ({ monitorings }) => monitorings.addSearches(id, searches));
        return 0;
      }),
  };
}

function removeCommand(
  start: Start,
): CommandModule<object, CommonArguments & IdArguments & { readonly 'search-id': string[] }> {
  return {
    command: 'remove-searches <id> <search-id..>',
    describe: 'Remove searches from a monitoring',
    builder: (argv) =>
      withId(withCommon(argv)).positional('search-id', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Ids of the searches, as show gives them',
      }),
    handler: (args) =>
      start(async () => {
        const id = monitoringId(args);
        const searchIds = args['search-id'].map((text) => idOf('The search id', text));
        await showResult(args, ({ monitorings }) => monitorings.removeSearches(id, searchIds));
        return 0;
      }),
  };
}

interface IdArguments {
  readonly id: string;
}

function withCommon<T>(argv: Argv<T>): Argv<T & CommonArguments> {
  return withService(argv).options(OUTPUT_OPTIONS) as unknown as Argv<T & CommonArguments>;
}

function withId<T>(argv: Argv<T>): Argv<T & IdArguments> {
  return argv.positional('id', {
    type: 'string',
    demandOption: true,
    describe: 'Id of the monitoring',
  }) as unknown as Argv<T & IdArguments>;
}

function monitoringId({ id }: IdArguments): number {
  return idOf('The monitoring id', id);
}

/** Every operation on one monitoring gives it back as it is then. */
async function showResult(
  args: CommonArguments,
  operation: (client: Client) => Promise<Monitoring>,
): Promise<void> {
  const { printMonitoring } = await import('../output/print-answer.js');
  await withClient(args, async (client) => {
    await printMonitoring(await operation(client), outputOf(args));
  });
}
