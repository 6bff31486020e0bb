import type { Metric } from '../../model/document.js';
import type {
  Author,
  ContextDocument,
  Document,
  MonitoringSummary,
  Search,
} from '../../service/resources.js';
import type { TableColumn } from './table.js';

/** Fields and columns of a kind of records, for formats that don't show all fields. */
export interface Kind<R> {
  /** Paths of fields, as `flatten` builds them. */
  readonly csv: readonly string[];
  readonly table: readonly TableColumn<R>[];
}

const AUTHOR_PATHS: readonly string[] = [
  ...['id', 'source', 'sourceId', 'username', 'name', 'authorUrl', 'imageUrl', 'isVerified'],
  ...['personalUrl', 'about', 'declaredLocation', 'authorLocations'],
  ...['metrics.followers', 'metrics.following', 'metrics.publications'],
];

/** CSV columns of a document. Only imported documents have the last three. */
const DOCUMENT_PATHS: readonly string[] = [
  ...['id', 'source', 'sourceId', 'parentSourceId', 'title', 'text', 'imageUrl', 'url'],
  ...['language', 'sentiment', 'detectedLocations', 'citedLocations', 'lat', 'lon'],
  ...['published', 'downloaded', 'metrics.likes', 'metrics.comments', 'metrics.shares'],
  ...['metrics.score', 'metrics.impressions', ...AUTHOR_PATHS.map((path) => `author.${path}`)],
  ...['author.annotations', 'tags', 'monitoring'],
];

const DOCUMENT_COLUMNS: readonly TableColumn<Document>[] = [
  { title: 'id', cell: ({ id }) => id, align: 'right' },
  { title: 'published (UTC)', cell: ({ published }) => minute(published) },
  { title: 'src', cell: ({ source }) => source },
  { title: 'lang', cell: ({ language }) => language, optional: 2 },
  { title: 'sent', cell: ({ sentiment }) => sentiment },
  { ...metricColumn('score'), optional: 1 },
  { ...metricColumn('likes'), optional: 3 },
  { title: 'author', cell: ({ author }) => author?.name || author?.username, maxWidth: 16 },
];

export const DOCUMENT_KIND: Kind<Document> = {
  csv: DOCUMENT_PATHS,
  table: [...DOCUMENT_COLUMNS, { title: 'text', cell: textOf }],
};

/** Documents of one context; the table shows the tree of replies. */
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
    indent: (document) => INDENT * Math.min(MAX_INDENTED_DEPTH, Math.max(0, depthOf(document) - 1)),
  };
  return { csv: DOCUMENT_PATHS.toSpliced(4, 0, 'parentId'), table: [...DOCUMENT_COLUMNS, text] };
}

const INDENT = 2;
/** Deeper replies would leave no room for their texts. */
const MAX_INDENTED_DEPTH = 12;

function textOf({ title, text }: Document): string {
  return title ? `${title} — ${text}` : text;
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/;

/** Formats a timestamp to the minute in UTC; returns other texts unchanged. */
function minute(timestamp: string | null): string {
  const moment = new Date(TIMESTAMP.test(timestamp ?? '') ? (timestamp ?? '') : '');
  if (Number.isNaN(moment.getTime())) return timestamp ?? '';
  return moment.toISOString().slice(0, 16).replace('T', ' ');
}

export const AUTHOR_KIND: Kind<Author> = {
  csv: AUTHOR_PATHS,
  table: [
    { title: 'id', cell: ({ id }) => id, align: 'right' },
    { title: 'source', cell: ({ source }) => source },
    { title: 'name', cell: ({ name }) => name, maxWidth: 30 },
    { title: 'username', cell: ({ username }) => username, maxWidth: 25 },
    { title: 'verified', cell: ({ isVerified }) => (isVerified ? 'yes' : ''), optional: 3 },
    { ...metricColumn('followers'), optional: 2 },
    { ...metricColumn('publications'), optional: 1 },
    { title: 'about', cell: ({ about }) => about },
  ],
};

function metricColumn(name: string): TableColumn<{ readonly metrics?: readonly Metric[] }> {
  return {
    title: name,
    cell: ({ metrics }) => metrics?.find((metric) => metric.name === name)?.value,
    align: 'right',
  };
}

export const MONITORING_COLUMNS: readonly TableColumn<MonitoringSummary>[] = [
  { title: 'id', cell: ({ id }) => id, align: 'right' },
  { title: 'status', cell: ({ status }) => status },
  { title: 'title', cell: ({ title }) => title },
];

export const SEARCH_COLUMNS: readonly TableColumn<Search>[] = [
  { title: 'search', cell: ({ id }) => id, align: 'right' },
  { title: 'source', cell: ({ source }) => source },
  { title: 'language', cell: ({ language }) => language },
  { title: 'comments', cell: ({ includeComments }) => yesOrNo(includeComments) },
  { title: 'last processed', cell: ({ lastProcessed }) => lastProcessed ?? 'not yet', optional: 1 },
  { title: 'query', cell: ({ query }) => query },
];

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'yes' : 'no';
}
