import type { DuplicatesMode } from '../options.js';
import type { Store } from './database.js';
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
    const positions = [...new Map(keys.map((key, position) => [key, position])).values()];
    positions.sort((a, b) => a - b);
    return { keep: pick(documents, positions), answered: documents.count };
  }
  const seen = keysThere(store, documents);
  const positions = keys.flatMap((key, position) => {
    if (seen.has(key)) return [];
    seen.add(key);
    return [position];
  });
  return { keep: pick(documents, positions), answered: positions.length };
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
  store.run(`DELETE FROM document_tags WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM document_reviewers WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM bodies WHERE id ${given}`, [ids]);
  store.run(`DELETE FROM documents WHERE id ${given}`, [ids]);
}

/** The documents at these positions; authors stay, as they were seen all the same. */
function pick(documents: PreparedDocuments, positions: readonly number[]): PreparedDocuments {
  const places = new Map(positions.map((position, place) => [position, place]));
  const pairs = (text: string): string =>
    JSON.stringify(
      (JSON.parse(text) as [number, unknown][])
        .filter(([position]) => places.has(position))
        .map(([position, value]) => [places.get(position), value]),
    );
  return {
    ...documents,
    count: positions.length,
    bodies: pickRows(documents.bodies, positions),
    words: pickRows(documents.words, positions),
    documents: pickRows(documents.documents, positions),
    tags: pairs(documents.tags),
    reviewers: pairs(documents.reviewers),
  };
}

/** The entries at these positions of a list in JSON. */
function pickRows(list: string, positions: readonly number[]): string {
  const all = JSON.parse(list) as unknown[];
  return JSON.stringify(positions.map((position) => all[position]));
}
