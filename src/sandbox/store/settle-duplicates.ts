import type { DuplicatesMode } from '../options.js';
import type { Store } from './open-store.js';
import type { PreparedDocuments } from './prepared-documents.js';

/** Which documents are to be inserted, and how many of the given ones that answers for. */
interface Settled {
  readonly keep: PreparedDocuments;
  readonly answered: number;
}

/** Leaves out what the monitoring holds already, or takes away what stands in its place. */
export function settleDuplicates(
  store: Store,
  documents: PreparedDocuments,
  mode: DuplicatesMode,
): Settled {
  if (mode === 'keep') return { keep: documents, answered: documents.count };
  const keys = (JSON.parse(documents.documents) as [string, string][]).map(
    ([source, key]) => `${source} ${key}`,
  );
  if (mode === 'replace') {
    removeAll(store, documents);
    const last = new Set(new Map(keys.map((key, position) => [key, position])).values());
    return { keep: pick(documents, (position) => last.has(position)), answered: documents.count };
  }
  const seen = keysThere(store, documents);
  const keep = pick(documents, (position) => {
    const key = keys[position] ?? '';
    return !seen.has(key) && seen.add(key) !== undefined;
  });
  return { keep, answered: keep.count };
}

function keysThere(store: Store, { monitoring, documents }: PreparedDocuments): Set<string> {
  const sql = `
    SELECT DISTINCT d.source || ' ' || d.source_key AS key
    FROM json_each(?) AS given
    JOIN documents AS d ON d.monitoring_id = ?
      AND d.source_key = given.value ->> 1 AND d.source = given.value ->> 0`;
  return new Set(store.all<{ key: string }>(sql, [documents, monitoring]).map(({ key }) => key));
}

function removeAll(store: Store, { monitoring, documents }: PreparedDocuments): void {
  const sql = `
    SELECT d.id FROM json_each(?) AS given
    JOIN documents AS d ON d.monitoring_id = ?
      AND d.source_key = given.value ->> 1 AND d.source = given.value ->> 0`;
  const ids = JSON.stringify(
    store.all<{ id: number }>(sql, [documents, monitoring]).map(({ id }) => id),
  );
  if (ids === '[]') return;
  const given = 'IN (SELECT value FROM json_each(?))';
  store.run(`DELETE FROM documents_text WHERE rowid ${given}`, [ids]);
  store.run(`DELETE FROM document_tags WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM document_reviewers WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM bodies WHERE id ${given}`, [ids]);
  store.run(`DELETE FROM documents WHERE id ${given}`, [ids]);
}

/** The documents at the positions that are wanted; authors stay, as they were seen all the same. */
function pick(
  documents: PreparedDocuments,
  wanted: (position: number) => boolean,
): PreparedDocuments {
  const positions = Array.from({ length: documents.count }, (_, position) => position);
  const kept = positions.filter(wanted);
  const rows = (text: string): string => {
    const all = JSON.parse(text) as unknown[];
    return JSON.stringify(kept.map((position) => all[position]));
  };
  const places = new Map(kept.map((position, place) => [position, place]));
  const pairs = (text: string): string =>
    JSON.stringify(
      (JSON.parse(text) as [number, unknown][])
        .filter(([position]) => places.has(position))
        .map(([position, value]) => [places.get(position), value]),
    );
  return {
    ...documents,
    count: kept.length,
    bodies: rows(documents.bodies),
    documents: rows(documents.documents),
    words: rows(documents.words),
    tags: pairs(documents.tags),
    reviewers: pairs(documents.reviewers),
  };
}
