import { MAX_RANKED_AUTHORS } from '../../service/codes.js';
import type { AuthorsPage } from '../../service/resources.js';
import type { DocumentFilter } from '../input/document-filter.js';
import type { Store } from '../store/database.js';
import { fromStored } from '../words.js';
import { conditionOf } from './conditions.js';
import { authorOf, countDocuments, type Slice } from './find-documents.js';

/** Returns one page of the authors of the matching documents. Ties are sorted by ascending id. */
export function rankAuthors(store: Store, filter: DocumentFilter, slice: Slice): AuthorsPage {
  const condition = conditionOf(store, filter);
  const { offset } = slice;
  const limit = Math.max(0, Math.min(slice.limit, MAX_RANKED_AUTHORS - offset));
  return store.transaction('read', () => {
    const rows = store.all<AuthorRow>(authorPageSql(condition.sql, slice.ranking), [
      ...condition.values,
      limit,
      offset,
    ]);
    const total = countDocuments(store, condition);
    return { authors: rows.map(rankedAuthor), total, offset, count: rows.length };
  });
}

interface AuthorRow {
  readonly id: number;
  readonly source: string;
  readonly source_key: string | null;
  readonly username: string | null;
  readonly profile: string | null;
}

function authorPageSql(condition: string, ranking: Slice['ranking']): string {
  return `
    SELECT a.id, a.source, a.source_key, a.username, a.profile
    FROM (
      SELECT d.author_id, ${ranking === undefined ? 'count(*)' : RANKS[ranking]} AS rank
      FROM documents AS d JOIN authors AS a ON a.id = d.author_id
      WHERE ${condition}
      GROUP BY d.author_id ORDER BY rank DESC, d.author_id LIMIT ? OFFSET ?
    ) AS page
    JOIN authors AS a ON a.id = page.author_id
    ORDER BY page.rank DESC, a.id`;
}

const RANKS: Readonly<Record<NonNullable<Slice['ranking']>, string>> = {
  interactions: 'sum(d.likes + d.comments + d.shares)',
  likes: 'sum(d.likes)',
  comments: 'sum(d.comments)',
  shares: 'sum(d.shares)',
  impressions: 'sum(d.impressions)',
  followers: 'a.followers',
};

function rankedAuthor({
  id,
  source,
  source_key,
  username,
  profile,
}: AuthorRow): AuthorsPage['authors'][number] {
  const text = (stored: string | null): string | null =>
    stored === null ? null : fromStored(stored);
  const identity = { source: text(source), sourceId: text(source_key), username: text(username) };
  return authorOf(id, identity, profile);
}
