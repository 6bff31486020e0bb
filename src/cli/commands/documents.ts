import type { AuthorsQuery, Client, DocumentsQuery, Filters } from '../../api/index.js';
import { argument, type OptionTable, option } from '../../model/options.js';
import { AUTHOR_RANKINGS, DOC_RANKINGS, MAX_RANKED_AUTHORS } from '../../service/codes.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, type ServiceArguments, withClient } from '../options/connection.js';
import { FILTER_CONFLICTS, FILTER_OPTIONS, filtersOf } from '../options/filters.js';
import { type OptionValues, parseId } from '../options/flags.js';
import {
  LIMIT_OPTIONS,
  type LimitArguments,
  limitOf,
  OUTPUT_CONFLICTS,
  OUTPUT_OPTIONS,
  type OutputArguments,
  outputOf,
} from '../options/output.js';
import { AUTHOR_KIND, contextKind, DOCUMENT_KIND, type Kind } from '../output/kinds.js';
import type { Row } from '../output/print-records.js';
import { log } from '../print.js';

const JUNE = '--monitorings 1 --start 2024-06-01 --end 2024-06-30';

/** Options of all lists, in the order of the help. */
const LIST_OPTIONS = {
  ...SERVICE_OPTIONS,
  offset: option.integer('offset', 'Number of documents to skip', { min: 0, default: 0 }),
  ...LIMIT_OPTIONS,
  ...OUTPUT_OPTIONS,
} as const satisfies OptionTable;

export const DOCUMENTS: Command = defineCommand({
  usage: 'documents',
  describe: 'List the documents that match filters',
  options: {
    ...FILTER_OPTIONS,
    docRanking: option.text(
      'doc-ranking',
      'Metric to sort by, highest first; most need --view-source',
      {
        choices: ['interactions', ...Object.keys(DOC_RANKINGS)],
        defaultText: 'the most recent first',
      },
    ),
    ...LIST_OPTIONS,
  },
  conflicts: [...FILTER_CONFLICTS, ...OUTPUT_CONFLICTS],
  examples: [
    'documents --monitorings 1 --since 7d',
    `documents ${JUNE} --sentiments R --json > bad.json`,
  ],
  run: async (args) => {
    const { docRanking } = args;
    // The client checks that a ranking fits the viewSource.
    const query = queryOf(args, docRanking === undefined ? {} : { docRanking }) as DocumentsQuery;
    return await showList(args, {
      kind: DOCUMENT_KIND,
      records: ({ documents }) => documents.all(query),
      total: async ({ documents }) => (await documents.page(query)).total - (query.offset ?? 0),
    });
  },
});

export const AUTHORS: Command = defineCommand({
  usage: 'authors',
  describe: 'Rank the authors of the documents that match filters',
  options: {
    ...FILTER_OPTIONS,
    authorRanking: option.text(
      'author-ranking',
      'Metric to rank by, highest first; all need --view-source',
      {
        choices: Object.keys(AUTHOR_RANKINGS),
        defaultText: 'most publications first',
      },
    ),
    ...LIST_OPTIONS,
  },
  conflicts: [...FILTER_CONFLICTS, ...OUTPUT_CONFLICTS],
  examples: [`authors ${JUNE} --limit 20`],
  run: async (args) => {
    const { authorRanking } = args;
    const ranking = authorRanking === undefined ? {} : { authorRanking };
    const query = queryOf(args, ranking) as AuthorsQuery;
    return await showList(args, {
      kind: AUTHOR_KIND,
      records: ({ authors }) => authors.all(query),
      // The service counts messages, not authors.
      total: async () => MAX_RANKED_AUTHORS - (query.offset ?? 0),
    });
  },
});

function queryOf(
  args: OptionValues<typeof FILTER_OPTIONS> & { readonly offset?: number },
  ranking: object,
): object {
  return { ...filtersOf(args), ...ranking, offset: args.offset ?? 0 };
}

export const CONTEXT: Command = defineCommand({
  usage: 'context <document-id>',
  describe: 'Show the publication that a document belongs to, with comments and replies',
  positionals: {
    'document-id': argument('Id of the publication or of a comment'),
  },
  options: {
    ...SERVICE_OPTIONS,
    ...LIMIT_OPTIONS,
    ...OUTPUT_OPTIONS,
  },
  conflicts: OUTPUT_CONFLICTS,
  examples: ['context 1', 'context 1 --json'],
  run: async (args) => {
    const id = parseId('The document id', args['document-id']);
    return await showList(args, {
      kind: contextKind(),
      records: ({ context }) => context.all(id),
      total: async ({ context }) => (await context.page(id)).total,
    });
  },
});

/** Prints records of the service up to the limit. */
async function showList<R extends Row>(
  args: ServiceArguments & OutputArguments & LimitArguments,
  list: {
    readonly kind: Kind<R>;
    readonly records: (client: Client) => AsyncIterable<R>;
    /** Asks for the limit that would show all, if this one doesn't. */
    readonly total: (client: Client) => Promise<number>;
  },
): Promise<number> {
  const { printFirst } = await import('../output/print-records.js');
  const how = { kind: list.kind, limit: limitOf(args), output: outputOf(args) };
  return await withClient(args, async (client) => {
    const { count, cut } = await printFirst(list.records(client), how);
    const all = cut ? await list.total(client) : count;
    if (count === 0) log('Nothing matches.');
    if (all > count) log(`The first ${count}: --limit ${all} shows all of them.`);
    return 0;
  });
}

export const INDICATORS: Command = figures(
  'indicators',
  'Show indicators of the documents that match filters',
  async (client, filters) => await client.indicators(filters),
);

export const CHART: Command = figures(
  'chart',
  'Print a chart of the documents that match filters, as the service returns it',
  async (client, filters) => await client.chart(filters),
);

/** Defines a command that prints an answer of the service as JSON. */
function figures(
  usage: string,
  describe: string,
  ask: (client: Client, filters: Filters) => Promise<unknown>,
): Command {
  return defineCommand({
    usage,
    describe,
    options: { ...FILTER_OPTIONS, ...SERVICE_OPTIONS },
    conflicts: FILTER_CONFLICTS,
    examples: [`${usage} ${JUNE}`],
    run: async (args) => {
      const filters = filtersOf(args);
      const { printJson } = await import('../output/print-records.js');
      await withClient(args, async (client) => await printJson(await ask(client, filters)));
      return 0;
    },
  });
}
