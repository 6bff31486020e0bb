import type { Argv, Options } from 'yargs';
import type { Client, DocumentsQuery } from '../../api/index.js';
import { DOC_RANKINGS } from '../../service/rankings.js';
import type { CommandBody, Start } from '../command.js';
import { type FilterArguments, filtersOf, withFilters } from '../options/filters.js';
import {
  LIMIT_OPTIONS,
  type LimitArguments,
  limitOf,
  OUTPUT_OPTIONS,
  type Output,
  type OutputArguments,
  outputOf,
} from '../options/output.js';
import { wholeNumber } from '../options/values.js';
import { say } from '../print.js';
import { type ServiceArguments, withClient, withService } from '../service.js';

interface OwnArguments {
  readonly docRanking: string | undefined;
  readonly offset: number;
}

type DocumentsArguments = OwnArguments &
  FilterArguments &
  LimitArguments &
  OutputArguments &
  ServiceArguments;

const OWN_OPTIONS: Readonly<Record<keyof OwnArguments, Options>> = {
  docRanking: {
    choices: ['interactions', ...Object.keys(DOC_RANKINGS)],
    describe: 'Order, downwards (default: the most recent first); most need a viewSource',
  },
  offset: { type: 'number', requiresArg: true, default: 0, describe: 'How many to skip' },
};

/** `docferry documents`: what the filters select. */
export function documentsCommand(start: Start): CommandBody<DocumentsArguments> {
  return {
    builder: (argv) =>
      withService(withFilters(argv))
        .options(OWN_OPTIONS)
        .options(LIMIT_OPTIONS)
        .options(OUTPUT_OPTIONS) as Argv<DocumentsArguments>,
    handler: (args) => start(() => runDocuments(args)),
  };
}

async function runDocuments(args: DocumentsArguments): Promise<number> {
  const query = queryOf(args);
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
}

function queryOf(args: DocumentsArguments): DocumentsQuery {
  const offset = wholeNumber('--offset', args.offset, 0);
  const ranking = args.docRanking === undefined ? {} : { docRanking: args.docRanking };
  // That a ranking fits the viewSource is for the client to check.
  return { ...filtersOf(args), ...ranking, offset } as DocumentsQuery;
}

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
