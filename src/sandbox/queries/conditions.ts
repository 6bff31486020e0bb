import type { DocumentFilter } from '../input/documents-call.js';
import type { SqlValue } from '../store/open-store.js';

/** A part of a WHERE clause over `documents`, with the values of its question marks. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const MINUTE_MS = 60_000;

/** All conditions of a filter as one; every filter of the API has its own function below. */
export function conditionOf(filter: DocumentFilter): Condition {
  const parts = [inMonitorings(filter), inWindow(filter), fromSources(filter)].filter(
    (part) => part !== null,
  );
  return {
    sql: parts.map((part) => part.sql).join(' AND '),
    values: parts.flatMap((part) => part.values),
  };
}

function inMonitorings({ monitorings }: DocumentFilter): Condition {
  // With a single id the index already yields the order of the answer, and nothing is sorted.
  if (monitorings.length === 1) return { sql: 'monitoring_id = ?', values: monitorings };
  return inList('monitoring_id', monitorings);
}

/** Both ends count, to the minute: an end at 10:30 takes in 10:30:59. */
function inWindow({ start, end }: DocumentFilter): Condition {
  const after = start < end ? end + MINUTE_MS : start;
  return { sql: 'published_ms >= ? AND published_ms < ?', values: [start, after] };
}

function fromSources({ sources }: DocumentFilter): Condition | null {
  return sources ? inList('source', sources) : null;
}

/** One value for the whole list, so that its length is not limited. */
function inList(column: string, list: readonly SqlValue[]): Condition {
  return {
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(list)],
  };
}
