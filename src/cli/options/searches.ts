import type { NewSearch } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { type OptionTable, option } from '../../model/options.js';
import { isObject } from '../../model/record.js';
import { readSmallTextSync, unreadableReason } from '../../model/small-file.js';
import { isOneOf, SEARCH_SOURCES } from '../../service/codes.js';
import type { Given } from './flags.js';

/** What a monitoring searches for. */
export const SEARCH_OPTIONS = {
  search: option.text('search', 'SOURCE:query, e.g. RSS:https://example.com/feed.xml', {
    repeatable: true,
  }),
  searches: option.text(
    'searches',
    'JSON file with a list of searches: source, query, language, includeComments',
    { offers: 'files' },
  ),
} as const satisfies OptionTable;

/** The parsed form of {@link SEARCH_OPTIONS}. */
export type SearchArguments = Given<typeof SEARCH_OPTIONS>;

/**
 * The searches of the command line and then those of the file, at least one. What a search may hold
 * is for the client to check.
 * @throws OptionError if they can't be read
 */
export function searchesOf({ search = [], searches }: SearchArguments): readonly NewSearch[] {
  const all = [...search.map(parseSearch), ...(searches ? readSearches(searches) : [])];
  if (all.length > 0) return all;
  throw new OptionError('Give at least one search: --search SOURCE:query, or --searches FILE.');
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
