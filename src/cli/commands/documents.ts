import type { Argv } from 'yargs';
import type { AuthorsQuery, Client, DocumentsQuery } from '../../api/index.js';
import { AUTHOR_RANKINGS, DOC_RANKINGS, MAX_RANKED_AUTHORS } from '../../service/rankings.js';
import { type Command, defineCommand } from '../command.js';
import { withService } from '../options/connection.js';
import { type FilterArguments, filtersOf, withFilters } from '../options/filters.js';
import {
  LIMIT_OPTIONS,
  limitOf,
  OUTPUT_OPTIONS,
  type Output,
  outputOf,
} from '../options/output.js';
import { wholeNumber } from '../options/values.js';
import { say } from '../print.js';
import { withClient } from '../service.js';

/** `docferry documents`: what the filters select. */
export const DOCUMENTS: Command = defineCommand(
  (argv) =>
    withList(
      withFilters(argv).option('docRanking', {
        choices: ['interactions', ...Object.keys(DOC_RANKINGS)],
        describe: 'Order, downwards (default: the most recent first); most need a viewSource',
      }),
    ),
  async (args) => {
    const { docRanking } = args;
    // That a ranking fits the viewSource is for the client to check.
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
);

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
export const AUTHORS: Command = defineCommand(
  (argv) =>
    withList(
      withFilters(argv).option('authorRanking', {
        choices: Object.keys(AUTHOR_RANKINGS),
        describe: 'Order, downwards (default: most publications first); all need a viewSource',
      }),
    ),
  async (args) => {
    const { authorRanking, offset } = args;
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
);

/** Adds what lists have in common, in the order of the help. */
function withList<Before>(argv: Argv<Before>) {
  return withService(argv)
    .option('offset', {
      type: 'number',
      requiresArg: true,
      default: 0,
      describe: 'How many to skip',
    })
    .options(LIMIT_OPTIONS)
    .options(OUTPUT_OPTIONS);
}

function queryOf(args: FilterArguments & { readonly offset: number }, ranking: object): object {
  return { ...filtersOf(args), ...ranking, offset: wholeNumber('--offset', args.offset, 0) };
}
