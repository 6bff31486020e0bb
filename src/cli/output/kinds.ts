import { DateTime } from 'luxon';
import type { Metric } from '../../model/document.js';
import type {
  Author,
  ContextDocument,
  Document,
  MonitoringSummary,
  Search,
} from '../../service/resources.js';
import type { TableColumn } from './table.js';

/** How records of one kind are shown where not all of their fields fit. */
export interface Kind<R> {
  /** Paths, as `flatten` makes them. */
  readonly csv: readonly string[];
  readonly table: readonly TableColumn<R>[];
}

/** What a CSV holds of an author. */
const AUTHOR_PATHS: readonly string[] = [
  ...['id', 'source', 'sourceId', 'username', 'name', 'authorUrl', 'imageUrl', 'isVerified'],
  ...['personalUrl', 'about', 'declaredLocation', 'authorLocations'],
  ...['metrics.followers', 'metrics.following', 'metrics.publications'],
];

/** The last three are what imported documents have besides. */
const PATHS: readonly string[] = [
  ...['id', 'source', 'sourceId', 'parentSourceId', 'title', 'text', 'imageUrl', 'url'],
  ...['language', 'sentiment', 'detectedLocations', 'citedLocations', 'lat', 'lon'],
  ...['published', 'downloaded', 'metrics.likes', 'metrics.comments', 'metrics.shares'],
  ...['metrics.score', 'metrics.impressions', ...AUTHOR_PATHS.map((path) => `author.${path}`)],
  ...['author.annotations', 'tags', 'monitoring'],
];

const COLUMNS: readonly TableColumn<Document>[] = [
  { title: 'id', cell: ({ id }) => id, align: 'right' },
  { title: 'published (UTC)', cell: ({ published }) => minute(published) },
  { title: 'src', cell: ({ source }) => source },
  { title: 'lang', cell: ({ language }) => language },
  { title: 'sent', cell: ({ sentiment }) => sentiment },
  {
    title: 'score',
    cell: ({ metrics }) => metricOf(metrics, 'score'),
    align: 'right',
    optional: true,
  },
  {
    title: 'likes',
    cell: ({ metrics }) => metricOf(metrics, 'likes'),
    align: 'right',
    optional: true,
  },
  { title: 'author', cell: ({ author }) => author?.name || author?.username, most: 16 },
];

/** Documents of `documents` and `feed`. */
export const DOCUMENT_KIND: Kind<Document> = {
  csv: PATHS,
  table: [...COLUMNS, { title: 'text', cell: textOf }],
};

/** Documents of one context: the table shows under what each of them stands. */
export function contextKind(): Kind<ContextDocument> {
  const depths = new Map<number, number>();
  const depthOf = ({ id, parentId }: ContextDocument): number => {
    const depth = parentId === null ? 0 : (depths.get(parentId) ?? 0) + 1;
    depths.set(id, depth);
    return depth;
  };
  const text: TableColumn<ContextDocument> = {
    title: 'text',
    cell: (document) => (document.parentId === null ? '' : '└ ') + textOf(document),
    indent: (document) => INDENT * Math.min(DEEPEST, Math.max(0, depthOf(document) - 1)),
  };
  return { csv: PATHS.toSpliced(4, 0, 'parentId'), table: [...COLUMNS, text] };
}

/** Spaces a level. */
const INDENT = 2;
/** Deeper replies would leave no room for their texts. */
const DEEPEST = 12;

function textOf({ title, text }: Document): string {
  return title ? `${title} — ${text}` : text;
}

/** A timestamp to the minute; what is none stays as it is. */
function minute(timestamp: string | null): string {
  if (timestamp === null) return '';
  const moment = DateTime.fromISO(timestamp, { zone: 'utc' });
  return moment.isValid ? moment.toFormat('yyyy-MM-dd HH:mm') : timestamp;
}

/** Authors in the order of their ranking. */
export const AUTHOR_KIND: Kind<Author> = {
  csv: AUTHOR_PATHS,
  table: [
    { title: 'id', cell: ({ id }) => id, align: 'right' },
    { title: 'source', cell: ({ source }) => source },
    { title: 'name', cell: ({ name }) => name, most: 30 },
    { title: 'username', cell: ({ username }) => username, most: 25 },
    { title: 'verified', cell: ({ isVerified }) => (isVerified ? 'yes' : '') },
    {
      title: 'followers',
      cell: ({ metrics }) => metricOf(metrics, 'followers'),
      align: 'right',
    },
    {
      title: 'publications',
      cell: ({ metrics }) => metricOf(metrics, 'publications'),
      align: 'right',
    },
    { title: 'about', cell: ({ about }) => about },
  ],
};

/** The value of a metric, or nothing where it does not apply. */
function metricOf(metrics: readonly Metric[] | undefined, name: string): number | undefined {
  return metrics?.find((metric) => metric.name === name)?.value;
}

/** Monitorings as the list shows them. */
export const MONITORING_COLUMNS: readonly TableColumn<MonitoringSummary>[] = [
  { title: 'id', cell: ({ id }) => id, align: 'right' },
  { title: 'status', cell: ({ status }) => status },
  { title: 'title', cell: ({ title }) => title },
];

/** The searches of one monitoring. */
export const SEARCH_COLUMNS: readonly TableColumn<Search>[] = [
  { title: 'search', cell: ({ id }) => id, align: 'right' },
  { title: 'source', cell: ({ source }) => source },
  { title: 'language', cell: ({ language }) => language },
  { title: 'comments', cell: ({ includeComments }) => yesOrNo(includeComments) },
  { title: 'last processed', cell: ({ lastProcessed }) => lastProcessed ?? 'not yet' },
  { title: 'query', cell: ({ query }) => query },
];

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'yes' : 'no';
}
