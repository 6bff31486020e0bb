import { documentWords } from '../document-words.js';
import type { Store } from './database.js';
import { addWords } from './word-index.js';

/** How many documents are read at a time. */
const AT_A_TIME = 1000;

/**
 * Adds the words of documents that were stored by a process that ended before it could. Another
 * process may be about to add some of them itself: whoever comes second finds them there.
 */
export function indexMissed(store: Store, index: Store): void {
  for (const [first, last] of missedRanges(store, index)) {
    for (let from = first; from <= last; from += AT_A_TIME) {
      const to = Math.min(last, from + AT_A_TIME - 1);
      addWords(index, from, to, JSON.stringify(wordsBetween(store, from, to)));
    }
  }
}

/** Ranges of ids, both ends included, that the index does not know. */
function missedRanges(store: Store, index: Store): [first: number, last: number][] {
  const [newest] = store.all<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM documents');
  const missed: [number, number][] = [];
  let next = 1;
  const known = index.all<{ first: number; last: number }>('SELECT * FROM indexed ORDER BY first');
  for (const { first, last } of known) {
    if (first > next) missed.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (newest && newest.id >= next) missed.push([next, newest.id]);
  return missed;
}

interface StoredDocument {
  readonly id: number;
  readonly monitoring: number;
  readonly published: number;
  readonly body: string;
}

/** The words of each document; none for an id without one. */
function wordsBetween(store: Store, from: number, to: number): string[] {
  const words = new Array<string>(to - from + 1).fill('');
  const documents = store.all<StoredDocument>(
    `SELECT d.id, d.monitoring_id AS monitoring, d.published_ms AS published, b.body
     FROM documents AS d JOIN bodies AS b ON b.id = d.id WHERE d.id BETWEEN ? AND ?`,
    [from, to],
  );
  for (const { id, monitoring, published, body } of documents) {
    words[id - from] = documentWords(JSON.parse(body), monitoring, published);
  }
  return words;
}
