import type { FeedQuery, Filters } from '../../api/index.js';
import { grouped, option } from '../../model/options.js';
import { listItems, listOption, type OptionValues, parseId, pick } from './flags.js';

/** Filters of the feed, by their names in the reference. */
export const FEED_FILTERS = grouped('Filters:', {
  monitorings: option.any('monitorings', 'Ids of the monitorings: 1,2', {
    required: true,
    parse: (text: string) =>
      listItems('monitorings', text).map((id) => parseId('--monitorings', id)),
  }),
  sources: listOption('sources', 'Source codes: RVW,TWT'),
  viewSource: option.text(
    'viewSource',
    'One source code; its own rankings and indicators become available',
  ),
  query: option.text('query', 'Words, phrases and AND, OR, NOT that the text must match'),
  authorName: option.text('authorName', "Words of the author's name"),
  authorAbout: option.text('authorAbout', "Words of the author's description of themselves"),
  sentiments: listOption('sentiments', 'B (good), N (neutral), R (bad): B,N'),
  languages: listOption('languages', 'Language codes: en,es'),
  tags: listOption('tags', 'Ids of tags, one of which a document must have'),
  ignoreTags: listOption('ignoreTags', 'Ids of tags, none of which a document may have'),
  tagExpression: option.text(
    'tagExpression',
    'Expression over tags, instead of tags and ignoreTags',
  ),
  authors: listOption('authors', 'Ids of authors'),
  authorTags: listOption('authorTags', 'Ids of tags of authors'),
  onlyVerifiedAuthors: option.boolean(
    'onlyVerifiedAuthors',
    'Verified authors (=false: those who are not)',
  ),
  onlyWithPersonalUrl: option.boolean(
    'onlyWithPersonalUrl',
    'Authors with a personal address (=false: without)',
  ),
  contributors: listOption('contributors', 'Ids of reviewers'),
});

export const FILTER_OPTIONS = grouped('Filters:', {
  ...FEED_FILTERS,
  start: option.text(
    'start',
    "Published at this minute (UTC) or later: 2024-05-01 or '2024-05-01 18:30'",
    { required: true },
  ),
  end: option.text('end', 'Published at this minute or earlier; a date alone means 23:59', {
    required: true,
  }),
});

/** Reads the filters. The client checks codes and times. */
export function filtersOf(args: OptionValues<typeof FILTER_OPTIONS>): Filters {
  return pick(FILTER_OPTIONS, args) as Filters;
}

export function feedFiltersOf(args: OptionValues<typeof FEED_FILTERS>): FeedQuery {
  return pick(FEED_FILTERS, args) as FeedQuery;
}
