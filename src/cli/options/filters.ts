import type { FeedQuery, Filters } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { grouped, option } from '../../model/options.js';
import { type Given, parseId, pick } from './flags.js';

/** Filters that the feed heeds, by their names in the reference. */
export const FEED_FILTERS = grouped('Filters:', {
  monitorings: option.any('monitorings', 'Ids of the monitorings: 1,2', {
    required: true,
    parse: (text: string) => items('monitorings', text).map((id) => parseId('--monitorings', id)),
  }),
  sources: option.any('sources', 'Source codes: RVW,TWT', {
    parse: (text: string) => items('sources', text),
  }),
  viewSource: option.text(
    'viewSource',
    'One source code; its own rankings and indicators become available',
  ),
  query: option.text('query', 'Words, phrases and AND, OR, NOT that the text must match'),
  authorName: option.text('authorName', "Words of the author's name"),
  authorAbout: option.text('authorAbout', "Words of the author's description of themselves"),
  sentiments: option.any('sentiments', 'B (good), N (neutral), R (bad): B,N', {
    parse: (text: string) => items('sentiments', text),
  }),
  languages: option.any('languages', 'Language codes: en,es', {
    parse: (text: string) => items('languages', text),
  }),
  tags: option.any('tags', 'Ids of tags, one of which a document must have', {
    parse: (text: string) => items('tags', text),
  }),
  ignoreTags: option.any('ignoreTags', 'Ids of tags, none of which a document may have', {
    parse: (text: string) => items('ignoreTags', text),
  }),
  tagExpression: option.text(
    'tagExpression',
    'Expression over tags, instead of tags and ignoreTags',
  ),
  authors: option.any('authors', 'Ids of authors', {
    parse: (text: string) => items('authors', text),
  }),
  authorTags: option.any('authorTags', 'Ids of tags of authors', {
    parse: (text: string) => items('authorTags', text),
  }),
  onlyVerifiedAuthors: option.boolean(
    'onlyVerifiedAuthors',
    'Verified authors (=false: those who are not)',
  ),
  onlyWithPersonalUrl: option.boolean(
    'onlyWithPersonalUrl',
    'Authors with a personal address (=false: without)',
  ),
  contributors: option.any('contributors', 'Ids of reviewers', {
    parse: (text: string) => items('contributors', text),
  }),
});

/** All filters. */
export const FILTER_OPTIONS = grouped('Filters:', {
  ...FEED_FILTERS,
  start: option.text(
    'start',
    "Published at this minute (UTC) or later: 2024-05-01 or '2024-05-01 18:30'",
    { required: true },
  ),
  end: option.text('end', 'Published at this minute or earlier; a date alone is its 23:59', {
    required: true,
  }),
});

/** What the flags select. The client checks codes and moments. */
export function filtersOf(args: Given<typeof FILTER_OPTIONS>): Filters {
  return pick(FILTER_OPTIONS, args) as Filters;
}

/** What the flags select from the feed. */
export function feedFiltersOf(args: Given<typeof FEED_FILTERS>): FeedQuery {
  return pick(FEED_FILTERS, args) as FeedQuery;
}

function items(name: string, list: string): readonly string[] {
  const all = list.split(',').map((item) => item.trim());
  if (!all.includes('')) return all;
  throw new OptionError(
    `--${name} is "${list}"; expected a list separated by commas, without gaps.`,
  );
}
