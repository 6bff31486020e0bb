import type { Argv, Options } from 'yargs';
import type { FeedQuery, Filters } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { idOf } from './values.js';

/** Filters whose values are lists, parted by commas. */
const LISTS = [
  'sources',
  'sentiments',
  'languages',
  'tags',
  'ignoreTags',
  'authors',
  'authorTags',
  'contributors',
] as const;
const TEXTS = ['viewSource', 'query', 'authorName', 'authorAbout', 'tagExpression'] as const;
const FLAGS = ['onlyVerifiedAuthors', 'onlyWithPersonalUrl'] as const;

type OptionalFilterArguments = Readonly<
  Record<(typeof LISTS)[number] | (typeof TEXTS)[number], string | undefined> &
    Record<(typeof FLAGS)[number], boolean | undefined>
>;

/** The parsed form of the filters that the feed takes. */
export interface FeedFilterArguments extends OptionalFilterArguments {
  readonly monitorings: string;
}

/** The parsed form of the filters, by their names in the reference. */
export interface FilterArguments extends FeedFilterArguments {
  readonly start: string;
  readonly end: string;
}

const REQUIRED: Readonly<Record<'monitorings' | 'start' | 'end', Options>> = {
  monitorings: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    describe: 'Ids of the monitorings: 1,2',
  },
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
};

const DESCRIPTIONS: Readonly<Record<keyof OptionalFilterArguments, string>> = {
  sources: 'Source codes: RVW,TWT',
  viewSource: 'One source code; its own rankings and indicators become available',
  query: 'Words, phrases and AND, OR, NOT that the text must match',
  authorName: "Words of the author's name",
  authorAbout: "Words of the author's description of themselves",
  sentiments: 'B (good), N (neutral), R (bad): B,N',
  languages: 'Language codes: en,es',
  tags: 'Ids of tags, one of which a document must have',
  ignoreTags: 'Ids of tags, none of which a document may have',
  tagExpression: 'Expression over tags, instead of tags and ignoreTags',
  authors: 'Ids of authors',
  authorTags: 'Ids of tags of authors',
  onlyVerifiedAuthors: 'Verified authors (=false: those who are not)',
  onlyWithPersonalUrl: 'Authors with a personal address (=false: without)',
  contributors: 'Ids of reviewers',
};

/** Whether a name is that of a filter. */
export function isFilter(name: string): boolean {
  return Object.hasOwn(REQUIRED, name) || Object.hasOwn(DESCRIPTIONS, name);
}

/** Adds all filters to a command. */
export function withFilters<T>(argv: Argv<T>): Argv<T & FilterArguments> {
  const options = { ...REQUIRED, ...optionalFilters() };
  return argv.options(options).group(Object.keys(options), 'Filters:') as unknown as Argv<
    T & FilterArguments
  >;
}

/** Adds the filters that the feed heeds. */
export function withFeedFilters<T>(argv: Argv<T>): Argv<T & FeedFilterArguments> {
  const options = { monitorings: REQUIRED.monitorings, ...optionalFilters() };
  return argv.options(options).group(Object.keys(options), 'Filters:') as unknown as Argv<
    T & FeedFilterArguments
  >;
}

function optionalFilters(): Record<string, Options> {
  const flags = new Set<string>(FLAGS);
  return Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([name, describe]) => [
      name,
      flags.has(name)
        ? { type: 'boolean' as const, describe }
        : { type: 'string' as const, requiresArg: true, describe },
    ]),
  );
}

/**
 * What the flags select. The client checks codes and moments.
 * @throws OptionError for a list that can't be read
 */
export function filtersOf(args: FilterArguments): Filters {
  return { ...feedFiltersOf(args), start: args.start, end: args.end };
}

/** The same for the feed. @throws OptionError for a list that can't be read */
export function feedFiltersOf(args: FeedFilterArguments): FeedQuery {
  const monitorings = itemsOf('monitorings', args.monitorings);
  const lists = LISTS.map((name) => [
    name,
    args[name] === undefined ? undefined : itemsOf(name, args[name]),
  ]);
  const others = [...TEXTS, ...FLAGS].map((name) => [name, args[name]]);
  const given = [...lists, ...others].filter(([, value]) => value !== undefined);
  return {
    monitorings: monitorings.map((id) => idOf('--monitorings', id)),
    ...Object.fromEntries(given),
  };
}

function itemsOf(name: string, list: string): readonly string[] {
  const items = list.split(',').map((item) => item.trim());
  if (!items.includes('')) return items;
  throw new OptionError(`--${name} is "${list}"; expected a list parted by commas, without gaps.`);
}
