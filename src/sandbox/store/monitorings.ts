import type { NewMonitoring, NewSearch } from '../input/new-monitoring.js';
import type { Store } from './open-store.js';
import { fromStored, toStored } from './stored-text.js';

/** A monitoring as the list shows it. */
export interface MonitoringSummary {
  readonly id: number;
  readonly title: string;
  readonly status: string;
}

/** A search with what the server knows about it. */
export interface Search extends NewSearch {
  readonly id: number;
  /** ISO 8601 in UTC; `null` until it is processed, and the sandbox processes none. */
  readonly lastProcessed: string | null;
}

/** A monitoring with its searches. */
export interface Monitoring extends MonitoringSummary {
  readonly searches: readonly Search[];
}

/** All monitorings, oldest first. */
export function listMonitorings(store: Store): MonitoringSummary[] {
  return store
    .all<MonitoringSummary>('SELECT id, title, status FROM monitorings ORDER BY id')
    .map(summary);
}

/** The monitoring with this id, or `undefined`. */
export function findMonitoring(store: Store, id: number): Monitoring | undefined {
  const sql = 'SELECT id, title, status FROM monitorings WHERE id = ?';
  const row = store.all<MonitoringSummary>(sql, [id])[0];
  return row && { ...summary(row), searches: searchesOf(store, id) };
}

/** Stores a monitoring with its searches under new ids. */
export function createMonitoring(store: Store, input: NewMonitoring): Monitoring {
  return store.transaction('write', () => addMonitoring(store, null, input));
}

/**
 * Makes the monitoring with this id unless it is there. It gets a feed for its one search, since a
 * monitoring has at least one.
 */
export function ensureMonitoring(store: Store, id: number, title: string): void {
  const searches = [{ source: 'RSS', query: 'https://example.com/reviews.rss' }];
  store.transaction('write', () => {
    if (findMonitoring(store, id)) return;
    addMonitoring(store, id, { title, status: 'active', searches });
  });
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
  for (const search of searches) {
    store.run('INSERT INTO searches (monitoring_id, body) VALUES (?, ?)', [
      added,
      JSON.stringify(search),
    ]);
  }
  return { id: added, title, status, searches: searchesOf(store, added) };
}
