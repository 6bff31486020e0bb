import type { Client, Monitoring, NewSearch } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { argument, type OptionTable, option } from '../../model/options.js';
import { isObject } from '../../model/record.js';
import { readSmallTextSync, unreadableReason } from '../../model/small-file.js';
import { isOneOf, SEARCH_SOURCES, STATUSES } from '../../service/codes.js';
import { type CommandGroup, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, type ServiceArguments, withClient } from '../options/connection.js';
import { type Given, parseId } from '../options/flags.js';
import {
  OUTPUT_CONFLICTS,
  OUTPUT_OPTIONS,
  type OutputArguments,
  outputOf,
} from '../options/output.js';

const ID = { id: argument('Id of the monitoring') } as const;
const TITLE = { type: 'text', required: true, help: '1 to 255 characters' } as const;
const OPTIONS = { ...SERVICE_OPTIONS, ...OUTPUT_OPTIONS };
const conflicts = OUTPUT_CONFLICTS;

/** What a monitoring searches for. */
const SEARCH_OPTIONS = {
  search: option.text('search', 'SOURCE:query, e.g. RSS:https://example.com/feed.xml', {
    repeatable: true,
  }),
  searches: option.text(
    'searches',
    'JSON file with a list of searches: source, query, language, includeComments',
    { offers: 'files' },
  ),
} as const satisfies OptionTable;

const SEARCH_FLAGS = ['--search SOURCE:query', '--searches FILE'];

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
      oneOf: SEARCH_FLAGS,
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
      oneOf: SEARCH_FLAGS,
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
  const { oneBatch } = await import('../output/print-records.js');
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
  const { printMonitoring } = await import('../output/print-records.js');
  await withClient(args, async (client) => {
    await printMonitoring(await operation(client), outputOf(args));
  });
  return 0;
}

/** The parsed form of {@link SEARCH_OPTIONS}. */
type SearchArguments = Given<typeof SEARCH_OPTIONS>;

/**
 * The searches of the command line and then those of the file, at least one. What a search may hold
 * is for the client to check.
 * @throws OptionError if they can't be read
 */
function searchesOf({ search = [], searches }: SearchArguments): readonly NewSearch[] {
  const all = [...search.map(parseSearch), ...(searches ? readSearches(searches) : [])];
  if (all.length > 0) return all;
  throw new OptionError(`${searches} holds no searches: name one at least.`);
}

function parseSearch(text: string): NewSearch {
  const [, source = '', query = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (isOneOf(SEARCH_SOURCES, source) && query !== '') return { source, query };
  throw new OptionError(
    `--search is "${text}"; expected SOURCE:query, with one of ${SEARCH_SOURCES.join(', ')}.`,
  );
}

function readSearches(file: string): readonly NewSearch[] {
  const value = parseFile(file);
  const list = isObject(value) ? value['searches'] : value;
  if (Array.isArray(list) && list.every(isObject)) return list as unknown as NewSearch[];
  throw new OptionError(
    `${file} holds no searches; expected a list such as [{ "source": "RSS", "query": "https://example.com/feed.xml" }].`,
  );
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readSmallTextSync(file));
  } catch (error) {
    throw new OptionError(`The searches can't be read from ${file} (${unreadableReason(error)}).`);
  }
}
