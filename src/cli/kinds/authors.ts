import type { Author } from '../../service/resources.js';
import type { Kind } from '../output/kind.js';
import { metricOf } from './metric.js';

/** What a CSV holds of an author. */
export const AUTHOR_PATHS: readonly string[] = [
  ...['id', 'source', 'sourceId', 'username', 'name', 'authorUrl', 'imageUrl', 'isVerified'],
  ...['personalUrl', 'about', 'declaredLocation', 'authorLocations'],
  ...['metrics.followers', 'metrics.following', 'metrics.publications'],
];

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
