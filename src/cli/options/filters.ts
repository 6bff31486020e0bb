import type { FeedQuery, Filters, Moment } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { grouped, option } from '../../model/options.js';
import { isOneOf, SENTIMENTS } from '../../service/codes.js';
import { listItems, listOption, type OptionValues, parseId, pick } from './flags.js';

/**
 * Filters of the feed, by their names in the reference. yargs takes these as aliases of the flags.
 */
export const FEED_FILTERS = grouped('Filters:', {
  monitorings: option.any('monitorings', 'Ids of the monitorings: 1,2', {
    required: true,
    parse: (text: string) =>
      listItems('monitorings', text).map((id) => parseId('--monitorings', id)),
  }),
  sources: listOption('sources', 'Source codes: RVW,TWT'),
  viewSource: option.text('view-source', 'One source code, for its own rankings and indicators'),
  query: option.text('query', 'Words, phrases and AND, OR, NOT that the text must match'),
  authorName: option.text('author-name', "Words of the author's name"),
  authorAbout: option.text('author-about', "Words of the author's bio"),
  sentiments: option.any('sentiments', 'B (good), N (neutral), R (bad): B,N', {
    parse: sentimentsOf,
  }),
  languages: listOption('languages', 'Language codes: en,es'),
  tags: listOption('tags', 'Ids of tags; a document must have one of them'),
  ignoreTags: listOption('ignore-tags', 'Ids of tags; a document may have none of them'),
  tagExpression: option.text(
    'tag-expression',
    'Expression over tags, instead of --tags and --ignore-tags',
  ),
  authors: listOption('authors', 'Ids of authors'),
  authorTags: listOption('author-tags', 'Ids of tags of authors'),
  onlyVerifiedAuthors: option.boolean(
    'only-verified-authors',
    'Only verified authors (=false: only the others)',
  ),
  onlyWithPersonalUrl: option.boolean(
    'only-with-personal-url',
    'Only authors with a website of their own (=false: only the others)',
  ),
  contributors: listOption('contributors', 'Ids of reviewers'),
});

/** One of them is required. */
const STARTS = grouped('Required:', {
  start: option.text(
    'start',
    "This or --since. Published at this minute (UTC) or later: 2024-05-01 or '2024-05-01 18:30'",
  ),
  since: agoOption('since', 'Like --start, or an age: 12h, 7d, 4w'),
});

export const FILTER_OPTIONS = {
  ...grouped('Filters:', {
    ...FEED_FILTERS,
    end: option.text('end', 'Published at this minute or earlier; a date alone means 23:59', {
      defaultText: 'now',
    }),
    until: agoOption('until', 'Like --end, or an age'),
  }),
  ...STARTS,
};

export const FILTER_CONFLICTS = [
  ['start', 'since'],
  ['end', 'until'],
] as const;

/** @throws OptionError */
function sentimentsOf(list: string): readonly string[] {
  const codes = listItems('sentiments', list);
  const unknown = codes.find((one) => !isOneOf(SENTIMENTS, one));
  if (unknown === undefined) return codes;
  throw new OptionError(
    `--sentiments has ${JSON.stringify(unknown)}; expected B (good), N (neutral) or R (bad).`,
  );
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** Defines an option for a moment, or for a time before now. */
export function agoOption<const Flag extends string>(flag: Flag, help: string) {
  return option.any(flag, help, { parse: (text: string) => momentOf(flag, text) });
}

/** @throws OptionError */
function momentOf(flag: string, text: string): Moment {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(Date.now() - Number(count) * (UNITS[unit] as number));
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return text;
  throw new OptionError(
    `--${flag} is ${JSON.stringify(text)}; expected a time like 2024-05-01 or '2024-05-01 18:30', or an age: 12h, 7d, 4w.`,
  );
}

/**
 * Reads the filters. The client checks codes and times.
 * @throws OptionError if the start is missing
 */
export function filtersOf(args: OptionValues<typeof FILTER_OPTIONS>): Filters {
  const { since, until, start = since, end = until ?? new Date(), ...filters } = args;
  if (start === undefined) {
    throw new OptionError('The start is missing: give --start 2024-05-01, or --since 7d.');
  }
  return { ...pick(FEED_FILTERS, filters), start, end } as Filters;
}

export function feedFiltersOf(args: OptionValues<typeof FEED_FILTERS>): FeedQuery {
  return pick(FEED_FILTERS, args) as FeedQuery;
}
