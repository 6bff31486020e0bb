import type { AuthorsQuery, Client, DocumentsQuery } from '../../api/index.js';
import { type OptionTable, option } from '../../model/options.js';
import { AUTHOR_RANKINGS, DOC_RANKINGS, MAX_RANKED_AUTHORS } from '../../service/codes.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS } from '../options/connection.js';
import { FILTER_OPTIONS, filtersOf } from '../options/filters.js';
import type { Given } from '../options/flags.js';
import {
  LIMIT_OPTIONS,
  limitOf,
  OUTPUT_CONFLICTS,
  OUTPUT_OPTIONS,
  type Output,
  outputOf,
} from '../options/output.js';
import { say } from '../print.js';
import { withClient } from '../service.js';

const JUNE = '--monitorings 1 --start 2024-06-01 --end 2024-06-30';

/** What lists have in common, in the order of the help. */
const LIST_OPTIONS = {
  ...SERVICE_OPTIONS,
  offset: option.integer('offset', 'How many to skip', { min: 0, default: 0 }),
  ...LIMIT_OPTIONS,
  ...OUTPUT_OPTIONS,
} as const satisfies OptionTable;

/** `docferry documents`: what the filters select. */
export const DOCUMENTS: Command = defineCommand({
  usage: 'documents',
  describe: 'Show the documents that filters select',
  options: {
    ...FILTER_OPTIONS,
    docRanking: option.text('docRanking', 'Order, downwards; most need a viewSource', {
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
      if (cut) await sayHowMany(client, query, { count, output });
      return 0;
    });
  },
});

async function sayHowMany(
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

/** `docferry authors`: who wrote what the filters select. */
export const AUTHORS: Command = defineCommand({
  usage: 'authors',
  describe: 'Show the authors of the documents that filters select, as a ranking',
  options: {
    ...FILTER_OPTIONS,
    authorRanking: option.text('authorRanking', 'Order, downwards; all need a viewSource', {
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
  args: Given<typeof FILTER_OPTIONS> & { readonly offset?: number },
  ranking: object,
): object {
  return { ...filtersOf(args), ...ranking, offset: args.offset ?? 0 };
}
