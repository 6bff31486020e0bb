import type { Client, Monitoring } from '../../api/index.js';
import { argument, option } from '../../model/options.js';
import { STATUSES } from '../../service/codes.js';
import { type CommandGroup, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, type ServiceArguments } from '../options/connection.js';
import {
  OUTPUT_CONFLICTS,
  OUTPUT_OPTIONS,
  type OutputArguments,
  outputOf,
} from '../options/output.js';
import { SEARCH_OPTIONS, searchesOf } from '../options/searches.js';
import { parseId } from '../options/values.js';
import { withClient } from '../service.js';

const ID = { id: argument('Id of the monitoring') } as const;
const TITLE = { type: 'text', required: true, help: '1 to 255 characters' } as const;
const OPTIONS = { ...SERVICE_OPTIONS, ...OUTPUT_OPTIONS };
const conflicts = OUTPUT_CONFLICTS;

/** `docferry monitorings`: look at monitorings, create and change them. */
export const MONITORINGS: CommandGroup = {
  usage: 'monitorings',
  describe: 'List, show, create and change monitorings',
  examples: ['monitorings list', 'monitorings show 1'],
  commands: [
    defineCommand({
      usage: 'list',
      describe: 'List the monitorings that you may see',
      options: OPTIONS,
      conflicts,
      examples: ['monitorings list', 'monitorings list --json'],
      run: listMonitorings,
    }),
    defineCommand({
      usage: 'show <id>',
      describe: 'Show a monitoring with its searches',
      positionals: ID,
      options: OPTIONS,
      conflicts,
      examples: ['monitorings show 1'],
      run: async (args) => {
        const id = parseId('The monitoring id', args.id);
        return await showResult(args, ({ monitorings }) => monitorings.get(id));
      },
    }),
    defineCommand({
      usage: 'create',
      describe: 'Create a monitoring',
      options: {
        ...OPTIONS,
        title: { ...TITLE, flag: 'title' },
        status: option.text(
          'status',
          'active captures, and consumes credits; paused does neither',
          { choices: STATUSES, required: true },
        ),
        ...SEARCH_OPTIONS,
      },
      conflicts,
      examples: ["monitorings create --title Hotels --status paused --search 'YTB:hotel sevilla'"],
      run: async (args) => {
        const { title, status } = args;
        const monitoring = { title, status, searches: searchesOf(args) };
        return await showResult(args, ({ monitorings }) => monitorings.create(monitoring));
      },
    }),
    defineCommand({
      usage: 'rename <id> <title>',
      describe: 'Give a monitoring another title',
      positionals: { ...ID, title: TITLE },
      options: OPTIONS,
      conflicts,
      examples: ["monitorings rename 1 'Our hotels'"],
      run: async (args) => {
        const id = parseId('The monitoring id', args.id);
        return await showResult(args, ({ monitorings }) => monitorings.rename(id, args.title));
      },
    }),
    defineCommand({
      usage: 'add-searches <id>',
      describe: 'Add searches to those of a monitoring',
      positionals: ID,
      options: { ...OPTIONS, ...SEARCH_OPTIONS },
      conflicts,
      examples: ["monitorings add-searches 1 --search 'YTB:hotel sevilla'"],
      run: async (args) => {
        const id = parseId('The monitoring id', args.id);
        const searches = searchesOf(args);
        return await showResult(args, ({ monitorings }) => monitorings.addSearches(id, searches));
      },
    }),
    defineCommand({
      usage: 'remove-searches <id> <search-id..>',
      describe: 'Remove searches from a monitoring',
      positionals: {
        ...ID,
        'search-id': argument('Ids of the searches, as show gives them', { repeatable: true }),
      },
      options: OPTIONS,
      conflicts,
      examples: ['monitorings remove-searches 1 1'],
      run: async (args) => {
        const id = parseId('The monitoring id', args.id);
        const ids = args['search-id'].map((text) => parseId('The search id', text));
        return await showResult(args, ({ monitorings }) => monitorings.removeSearches(id, ids));
      },
    }),
  ],
};

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
