import type { Argv, InferredOptionTypes } from 'yargs';
import type { FeedQuery, Filters } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { withGroup } from '../command.js';
import { given, idOf } from './values.js';

const MONITORINGS = {
  monitorings: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    describe: 'Ids of the monitorings: 1,2',
  },
} as const;

const SPAN = {
  start: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    describe: "Published at this minute (UTC) or later: 2024-05-01 or '2024-05-01 18:30'",
  },
  end: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    describe: 'Published at this minute or earlier; a date alone is its 23:59',
  },
} as const;

const OPTIONAL = {
  sources: { type: 'string', requiresArg: true, describe: 'Source codes: RVW,TWT' },
  viewSource: {
    type: 'string',
    requiresArg: true,
    describe: 'One source code; its own rankings and indicators become available',
  },
  query: {
    type: 'string',
    requiresArg: true,
    describe: 'Words, phrases and AND, OR, NOT that the text must match',
  },
  authorName: { type: 'string', requiresArg: true, describe: "Words of the author's name" },
  authorAbout: {
    type: 'string',
    requiresArg: true,
    describe: "Words of the author's description of themselves",
  },
  sentiments: {
    type: 'string',
    requiresArg: true,
    describe: 'B (good), N (neutral), R (bad): B,N',
  },
  languages: { type: 'string', requiresArg: true, describe: 'Language codes: en,es' },
  tags: {
    type: 'string',
    requiresArg: true,
    describe: 'Ids of tags, one of which a document must have',
  },
  ignoreTags: {
    type: 'string',
    requiresArg: true,
    describe: 'Ids of tags, none of which a document may have',
  },
  tagExpression: {
    type: 'string',
    requiresArg: true,
    describe: 'Expression over tags, instead of tags and ignoreTags',
  },
  authors: { type: 'string', requiresArg: true, describe: 'Ids of authors' },
  authorTags: { type: 'string', requiresArg: true, describe: 'Ids of tags of authors' },
  onlyVerifiedAuthors: {
    type: 'boolean',
    describe: 'Verified authors (=false: those who are not)',
  },
  onlyWithPersonalUrl: {
    type: 'boolean',
    describe: 'Authors with a personal address (=false: without)',
  },
  contributors: { type: 'string', requiresArg: true, describe: 'Ids of reviewers' },
} as const;

/** The filters that the feed heeds, by their names in the reference. */
export type FeedFilterArguments = InferredOptionTypes<typeof MONITORINGS> &
  InferredOptionTypes<typeof OPTIONAL>;

/** All filters. */
export type FilterArguments = FeedFilterArguments & InferredOptionTypes<typeof SPAN>;

/** Adds all filters to a command. */
export function withFilters(argv: Argv): Argv<FilterArguments> {
  const spanned = withGroup(withGroup(argv, HEADLINE, MONITORINGS), HEADLINE, SPAN);
  return withGroup(spanned, HEADLINE, OPTIONAL);
}

/** Adds the filters that the feed heeds. */
export function withFeedFilters(argv: Argv): Argv<FeedFilterArguments> {
  return withGroup(withGroup(argv, HEADLINE, MONITORINGS), HEADLINE, OPTIONAL);
}

const HEADLINE = 'Filters:';

/** Whether a name is that of a filter. */
export function isFilter(name: string): boolean {
  return [MONITORINGS, SPAN, OPTIONAL].some((options) => Object.hasOwn(options, name));
}

/**
 * What the flags select. The client checks codes and moments.
 * @throws OptionError for a list that can't be read
 */
export function filtersOf(args: FilterArguments): Filters {
  return { ...feedFiltersOf(args), start: args.start, end: args.end };
}

/** Filters whose values are lists, parted by commas. */
const LISTS = [
  ...(['sources', 'sentiments', 'languages', 'tags', 'ignoreTags'] as const),
  ...(['authors', 'authorTags', 'contributors'] as const),
];
const SINGLE = [
  ...(['viewSource', 'query', 'authorName', 'authorAbout', 'tagExpression'] as const),
  ...(['onlyVerifiedAuthors', 'onlyWithPersonalUrl'] as const),
];

/** The same for the feed. @throws OptionError for a list that can't be read */
export function feedFiltersOf(args: FeedFilterArguments): FeedQuery {
  const monitorings = itemsOf('monitorings', args.monitorings);
  const lists = LISTS.map((name) => [
    name,
    args[name] === undefined ? undefined : itemsOf(name, args[name]),
  ]);
  const others = SINGLE.map((name) => [name, args[name]]);
  return {
    monitorings: monitorings.map((id) => idOf('--monitorings', id)),
    ...given(Object.fromEntries([...lists, ...others])),
  };
}

function itemsOf(name: string, list: string): readonly string[] {
  const items = list.split(',').map((item) => item.trim());
  if (!items.includes('')) return items;
  throw new OptionError(`--${name} is "${list}"; expected a list parted by commas, without gaps.`);
}
