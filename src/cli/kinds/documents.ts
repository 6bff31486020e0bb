import { DateTime } from 'luxon';
import type { ContextDocument, Document } from '../../service/resources.js';
import type { Kind } from '../output/kind.js';
import type { TableColumn } from '../output/table.js';
import { AUTHOR_PATHS } from './authors.js';
import { metricOf } from './metric.js';

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
