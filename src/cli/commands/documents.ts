import type { AuthorsQuery, Client, DocumentsQuery } from '../../api/index.js';
import { argument, type OptionTable, option } from '../../model/options.js';
import { AUTHOR_RANKINGS, DOC_RANKINGS, MAX_RANKED_AUTHORS } from '../../service/codes.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, withClient } from '../options/connection.js';
import { FILTER_OPTIONS, filtersOf } from '../options/filters.js';
import { type OptionValues, parseId } from '../options/flags.js';
import {
  LIMIT_OPTIONS,
  limitOf,
  OUTPUT_CONFLICTS,
  OUTPUT_OPTIONS,
  type Output,
  outputOf,
} from '../options/output.js';
import { say } from '../print.js';

const JUNE = '--monitorings 1 --start 2024-06-01 --end 2024-06-30';

/** Options of all lists, in the order of the help. */
const LIST_OPTIONS = {
  ...SERVICE_OPTIONS,
  offset: option.integer('offset', 'Number to skip', { min: 0, default: 0 }),
  ...LIMIT_OPTIONS,
  ...OUTPUT_OPTIONS,
} as const satisfies OptionTable;

export const DOCUMENTS: Command = defineCommand({
  usage: 'documents',
  describe: 'Show the documents that filters select',
  options: {
    ...FILTER_OPTIONS,
    docRanking: option.text('docRanking', 'Ranking, descending; most need a viewSource', {
      choices: ['interactions', ...Object.keys(DOC_RANKINGS)],
      defaultText: 'the most recent first',
    }),
    ...LIST_OPTIONS,
  },
  conflicts: OUTPUT_CONFLICTS,
  examples: [`documents ${JUNE}`, `documents ${JUNE} --sentiments R --json > bad.json`],
  run: async (args) => {
    const { docRanking } = args;
    // The client checks that a ranking fits the viewSource.
    const query = queryOf(args, docRanking === undefined ? {} : { docRanking }) as DocumentsQuery;
    const limit = limitOf(args);
    const output = outputOf(args);
    const { DOCUMENT_KIND } = await import('../output/kinds.js');
    const { printFirst } = await import('../output/print-records.js');
    return await withClient(args, async (client) => {
      const documents = client.documents.all(query);
      const { count, cut } = await printFirst(documents, { kind: DOCUMENT_KIND, limit, output });
      if (count === 0) say('No documents match.');
      if (cut) await printTotal(client, query, { count, output });
      return 0;
    });
  },
});

async function printTotal(
  client: Client,
  query: DocumentsQuery,
  { count, output }: { count: number; output: Output },
): Promise<void> {
  const { total } = await client.documents.page(query);
  const all = total - (query.offset ?? 0);
  if (all <= count) return;
  const or = output === 'table' ? ', or --output jsonl,' : '';
  say(`${count} of ${all} documents: --limit ${all}${or} gives all of them.`);
}

export const AUTHORS: Command = defineCommand({
  usage: 'authors',
  describe: 'Show the authors of the documents that filters select, as a ranking',
  options: {
    ...FILTER_OPTIONS,
    authorRanking: option.text('authorRanking', 'Ranking, descending; all need a viewSource', {
      choices: Object.keys(AUTHOR_RANKINGS),
      defaultText: 'most publications first',
    }),
    ...LIST_OPTIONS,
  },
  conflicts: OUTPUT_CONFLICTS,
  examples: [`authors ${JUNE} --limit 20`],
  run: async (args) => {
    const { authorRanking, offset = 0 } = args;
    const ranking = authorRanking === undefined ? {} : { authorRanking };
    const query = queryOf(args, ranking) as AuthorsQuery;
    const limit = limitOf(args);
    const output = outputOf(args);
    const { AUTHOR_KIND } = await import('../output/kinds.js');
    const { printFirst } = await import('../output/print-records.js');
    return await withClient(args, async (client) => {
      const authors = client.authors.all(query);
      const { count, cut } = await printFirst(authors, { kind: AUTHOR_KIND, limit, output });
      if (count === 0) say('No authors match.');
      if (cut && count + offset < MAX_RANKED_AUTHORS) {
        say(`The first ${count} authors: --limit ${MAX_RANKED_AUTHORS} gives the whole ranking.`);
      }
      return 0;
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
  describe: "Show a document's publication, its comments and their replies",
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
    const limit = limitOf(args);
    const output = outputOf(args);
    const { contextKind } = await import('../output/kinds.js');
    const { printFirst } = await import('../output/print-records.js');
    return await withClient(args, async (client) => {
      const documents = client.context.all(id);
      const { count, cut } = await printFirst(documents, { kind: contextKind(), limit, output });
      const { total } = cut ? await client.context.page(id) : { total: count };
      if (total > count) {
        say(`${count} of ${total} documents: --limit ${total} gives all of them.`);
      }
      return 0;
    });
  },
});

export const INDICATORS: Command = defineCommand({
  usage: 'indicators',
  describe: 'Show the indicators of the documents that filters select',
  options: { ...FILTER_OPTIONS, ...SERVICE_OPTIONS },
  examples: [`indicators ${JUNE}`],
  run: async (args) => {
    const filters = filtersOf(args);
    const { printJson } = await import('../output/print-records.js');
    return await withClient(args, async (client) => {
      await printJson(await client.indicators(filters));
      return 0;
    });
  },
});

/** `docferry chart`: prints the response of the service, whose shape the reference doesn't show. */
export const CHART: Command = defineCommand({
  usage: 'chart',
  describe: 'Show a chart of the documents that filters select, as the service gives it',
  options: { ...FILTER_OPTIONS, ...SERVICE_OPTIONS },
  examples: [`chart ${JUNE}`],
  run: async (args) => {
    const filters = filtersOf(args);
    const { printJson } = await import('../output/print-records.js');
    return await withClient(args, async (client) => {
      await printJson(await client.chart(filters));
      return 0;
    });
  },
});
