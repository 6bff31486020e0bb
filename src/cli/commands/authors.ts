import type { Argv, Options } from 'yargs';
import type { AuthorsQuery } from '../../api/index.js';
import { AUTHOR_RANKINGS, MOST_RANKED_AUTHORS } from '../../service/rankings.js';
import type { CommandBody, Start } from '../command.js';
import { type FilterArguments, filtersOf, withFilters } from '../options/filters.js';
import {
  LIMIT_OPTIONS,
  type LimitArguments,
  limitOf,
  OUTPUT_OPTIONS,
  type OutputArguments,
  outputOf,
} from '../options/output.js';
import { wholeNumber } from '../options/values.js';
import { say } from '../print.js';
import { type ServiceArguments, withClient, withService } from '../service.js';

interface OwnArguments {
  readonly authorRanking: string | undefined;
  readonly offset: number;
}

type AuthorsArguments = OwnArguments &
  FilterArguments &
  LimitArguments &
  OutputArguments &
  ServiceArguments;

const OWN_OPTIONS: Readonly<Record<keyof OwnArguments, Options>> = {
  authorRanking: {
    choices: Object.keys(AUTHOR_RANKINGS),
    describe: 'Order, downwards (default: most publications first); all need a viewSource',
  },
  offset: { type: 'number', requiresArg: true, default: 0, describe: 'How many to skip' },
};

/** `docferry authors`: who wrote what the filters select. */
export function authorsCommand(start: Start): CommandBody<AuthorsArguments> {
  return {
    builder: (argv) =>
      withService(withFilters(argv))
        .options(OWN_OPTIONS)
        .options(LIMIT_OPTIONS)
        .options(OUTPUT_OPTIONS) as Argv<AuthorsArguments>,
    handler: (args) => start(() => runAuthors(args)),
  };
}

async function runAuthors(args: AuthorsArguments): Promise<number> {
  const query = queryOf(args);
  const limit = limitOf(args);
  const output = outputOf(args);
  const { AUTHOR_KIND } = await import('../output/kinds.js');
  const { printFirst } = await import('../output/print-records.js');
  return await withClient(args, async (client) => {
    const authors = client.authors.all(query);
    const { count, cut } = await printFirst(authors, { kind: AUTHOR_KIND, limit, output });
    if (count === 0) say('No authors match.');
    if (cut && count + query.offset < MOST_RANKED_AUTHORS) {
      say(`The first ${count} authors: --limit ${MOST_RANKED_AUTHORS} gives the whole ranking.`);
    }
    return 0;
  });
}

function queryOf(args: AuthorsArguments): AuthorsQuery & { readonly offset: number } {
  const offset = wholeNumber('--offset', args.offset, 0);
  const ranking = args.authorRanking === undefined ? {} : { authorRanking: args.authorRanking };
  // That a ranking fits the viewSource is for the client to check.
  return { ...filtersOf(args), ...ranking, offset } as AuthorsQuery & { readonly offset: number };
}
