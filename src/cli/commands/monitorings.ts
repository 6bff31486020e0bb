import type { Client, Monitoring, MonitoringSummary, NewSearch, Search } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { argument, type OptionTable, option } from '../../model/options.js';
import { isOneOf, SEARCH_SOURCES, STATUSES } from '../../service/codes.js';
import { type CommandGroup, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, type ServiceArguments, withClient } from '../options/connection.js';
import { type OptionValues, parseId } from '../options/flags.js';
import { JSON_OPTION } from '../options/run.js';
import { oneLine, type TableColumn, tableText } from '../output/table.js';
import { terminalOf } from '../output/terminal-of.js';
import { jsonText, print } from '../print.js';

const ID = { id: argument('Id of the monitoring') } as const;
const TITLE = { type: 'text', required: true, help: 'Title, 1 to 255 characters' } as const;
const OPTIONS = { ...SERVICE_OPTIONS, ...JSON_OPTION };

const SEARCH_OPTION = {
  search: option.text('search', 'SOURCE:query, e.g. RSS:https://example.com/feed.xml', {
    repeatable: true,
    required: true,
  }),
} as const satisfies OptionTable;

export const MONITORINGS: CommandGroup = {
  usage: 'monitorings',
  describe: 'List, show, create and change monitorings',
  examples: ['monitorings list', 'monitorings show 1'],
  commands: [
    defineCommand({
      usage: 'list',
      describe: 'List the monitorings that you can access',
      options: OPTIONS,
      examples: ['monitorings list', 'monitorings list --json'],
      run: listMonitorings,
    }),
    defineCommand({
      usage: 'show <id>',
      describe: 'Show a monitoring with its searches',
      positionals: ID,
      options: OPTIONS,
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
          'active captures documents and uses credits; paused does neither',
          { choices: STATUSES, required: true },
        ),
        ...SEARCH_OPTION,
      },
      examples: ["monitorings create --title Hotels --status paused --search 'YTB:hotel sevilla'"],
      run: async (args) => {
        const { title, status } = args;
        const monitoring = { title, status, searches: args.search.map(parseSearch) };
        return await showResult(args, ({ monitorings }) => monitorings.create(monitoring));
      },
    }),
    defineCommand({
      usage: 'rename <id> <title>',
      describe: 'Change the title of a monitoring',
      positionals: { ...ID, title: TITLE },
      options: OPTIONS,
      examples: ["monitorings rename 1 'Our hotels'"],
      run: async (args) => {
        const id = parseId('The monitoring id', args.id);
        return await showResult(args, ({ monitorings }) => monitorings.rename(id, args.title));
      },
    }),
    defineCommand({
      usage: 'add-searches <id>',
      describe: 'Add searches to a monitoring',
      positionals: ID,
      options: { ...OPTIONS, ...SEARCH_OPTION },
      examples: ["monitorings add-searches 1 --search 'YTB:hotel sevilla'"],
      run: async (args) => {
        const id = parseId('The monitoring id', args.id);
        const searches = args.search.map(parseSearch);
        return await showResult(args, ({ monitorings }) => monitorings.addSearches(id, searches));
      },
    }),
    defineCommand({
      usage: 'remove-searches <id> <search-id..>',
      describe: 'Remove searches from a monitoring',
      positionals: {
        ...ID,
        'search-id': argument('Ids of the searches, as listed by show', { repeatable: true }),
      },
      options: OPTIONS,
      examples: ['monitorings remove-searches 1 1'],
      run: async (args) => {
        const id = parseId('The monitoring id', args.id);
        const ids = args['search-id'].map((text) => parseId('The search id', text));
        return await showResult(args, ({ monitorings }) => monitorings.removeSearches(id, ids));
      },
    }),
  ],
};

type CommonArguments = ServiceArguments & OptionValues<typeof JSON_OPTION>;

async function listMonitorings(args: CommonArguments): Promise<number> {
  const list = await withClient(args, ({ monitorings }) => monitorings.list());
  if (args.json) print(jsonText(list));
  else printTable(list, MONITORING_COLUMNS);
  return 0;
}

async function showResult(
  args: CommonArguments,
  operation: (client: Client) => Promise<Monitoring>,
): Promise<number> {
  const monitoring = await withClient(args, operation);
  if (args.json) {
    print(jsonText(monitoring));
    return 0;
  }
  const { id, title, status, searches } = monitoring;
  const found = searches.length === 1 ? '1 search' : `${searches.length} searches`;
  print(`${id}  ${oneLine(title)}  (${status}, ${found})`);
  printTable(searches, SEARCH_COLUMNS);
  return 0;
}

function printTable<R>(records: readonly R[], columns: readonly TableColumn<R>[]): void {
  process.stdout.write(tableText(records, columns, terminalOf(process.stdout)));
}

const MONITORING_COLUMNS: readonly TableColumn<MonitoringSummary>[] = [
  { title: 'id', cell: ({ id }) => id, align: 'right' },
  { title: 'status', cell: ({ status }) => status },
  { title: 'title', cell: ({ title }) => title },
];

const SEARCH_COLUMNS: readonly TableColumn<Search>[] = [
  { title: 'search', cell: ({ id }) => id, align: 'right' },
  { title: 'source', cell: ({ source }) => source },
  { title: 'language', cell: ({ language }) => language },
  { title: 'comments', cell: ({ includeComments }) => yesOrNo(includeComments) },
  { title: 'last processed', cell: ({ lastProcessed }) => lastProcessed ?? 'not yet', optional: 1 },
  { title: 'query', cell: ({ query }) => query },
];

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'yes' : 'no';
}

/** Parses a search; the client checks its content. @throws OptionError */
function parseSearch(text: string): NewSearch {
  const [, source = '', query = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (isOneOf(SEARCH_SOURCES, source) && query !== '') return { source, query };
  throw new OptionError(
    `--search is "${text}"; expected SOURCE:query, with one of ${SEARCH_SOURCES.join(', ')}.`,
  );
}
