import type {
  Monitoring,
  MonitoringSummary,
  NewMonitoring,
  NewSearch,
  Search,
} from '../../service/resources.js';
import { Refusal } from '../refusal.js';
import { fromStored, toStored } from '../words.js';
import type { Store } from './database.js';

/** Lists monitorings, oldest first. */
export function listMonitorings(store: Store): MonitoringSummary[] {
  return store
    .all<MonitoringSummary>('SELECT id, title, status FROM monitorings ORDER BY id')
    .map(summary);
}

export function findMonitoring(store: Store, id: number): Monitoring | undefined {
  const sql = 'SELECT id, title, status FROM monitorings WHERE id = ?';
  const row = store.all<MonitoringSummary>(sql, [id])[0];
  return row && { ...summary(row), searches: searchesOf(store, id) };
}

export function createMonitoring(store: Store, input: NewMonitoring): Monitoring {
  return store.transaction('write', () => addMonitoring(store, null, input));
}

/**
 * Creates the monitoring with this id unless it exists. It gets an RSS search, because a monitoring
 * has at least one search.
 */
export function ensureMonitoring(store: Store, id: number, title: string): void {
  const searches = [{ source: 'RSS', query: 'https://example.com/reviews.rss' }] as const;
  store.transaction('write', () => {
    if (findMonitoring(store, id)) return;
    addMonitoring(store, id, { title, status: 'active', searches });
  });
}

export function unknownMonitorings(store: Store, ids: readonly number[]): number[] {
  const sql =
    'SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT id FROM monitorings)';
  return store.all<{ id: number }>(sql, [JSON.stringify(ids)]).map(({ id }) => id);
}

export function renameMonitoring(store: Store, id: number, title: string): Monitoring {
  return store.transaction('write', () => {
    requireMonitoring(store, id);
    store.run('UPDATE monitorings SET title = ? WHERE id = ?', [toStored(title), id]);
    return requireMonitoring(store, id);
  });
}

/** Adds searches under new ids, leaving the existing ones unchanged. */
export function addSearches(store: Store, id: number, searches: readonly NewSearch[]): Monitoring {
  return store.transaction('write', () => {
    requireMonitoring(store, id);
    insertSearches(store, id, searches);
    return requireMonitoring(store, id);
  });
}

/** Removes all of these searches; none if one doesn't exist or no search would be left. */
export function removeSearches(store: Store, id: number, searchIds: readonly number[]): Monitoring {
  return store.transaction('write', () => {
    const existing = new Set(requireMonitoring(store, id).searches.map((search) => search.id));
    const unknown = searchIds.filter((searchId) => !existing.has(searchId));
    if (unknown.length > 0) {
      const missing = unknown.map((searchId) => `Monitoring ${id} has no search ${searchId}.`);
      throw new Refusal('notFound', missing);
    }
    if (new Set(searchIds).size === existing.size) {
      throw new Refusal('invalid', `Monitoring ${id} must keep at least one search.`);
    }
    const ids = JSON.stringify(searchIds);
    store.run('DELETE FROM searches WHERE id IN (SELECT value FROM json_each(?))', [ids]);
    return requireMonitoring(store, id);
  });
}

function requireMonitoring(store: Store, id: number): Monitoring {
  const monitoring = findMonitoring(store, id);
  if (!monitoring) throw new Refusal('notFound', `There is no monitoring ${id}.`);
  return monitoring;
}

function summary({ id, title, status }: MonitoringSummary): MonitoringSummary {
  return { id, title: fromStored(title), status };
}

function searchesOf(store: Store, monitoring: number): Search[] {
  const sql = 'SELECT id, body, last_processed FROM searches WHERE monitoring_id = ? ORDER BY id';
  return store
    .all<{ id: number; body: string; last_processed: string | null }>(sql, [monitoring])
    .map(({ id, body, last_processed }) => ({
      id,
      ...(JSON.parse(body) as NewSearch),
      lastProcessed: last_processed,
    }));
}

function addMonitoring(store: Store, id: number | null, input: NewMonitoring): Monitoring {
  const { title, status, searches } = input;
  const added = store.run('INSERT INTO monitorings (id, title, status) VALUES (?, ?, ?)', [
    id,
    toStored(title),
    status,
  ]).lastId;
  insertSearches(store, added, searches);
  return { id: added, title, status, searches: searchesOf(store, added) };
}

function insertSearches(store: Store, monitoring: number, searches: readonly NewSearch[]): void {
  for (const search of searches) {
    store.run('INSERT INTO searches (monitoring_id, body) VALUES (?, ?)', [
      monitoring,
      JSON.stringify(search),
    ]);
  }
}
