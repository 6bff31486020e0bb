import { type ReadRaw, rawColumn } from '../mapping/compile/column.js';
import type { Mapping } from '../mapping/mapping.js';
import { columnUses } from '../mapping/rules.js';
import { nearestName } from '../model/errors.js';
import type { RecordValue } from '../model/record.js';
import { ColumnFills } from './column-fill.js';

/**
 * Columns that a mapping names and no record has, each with the most similar key; `''` if none is
 * similar.
 */
export type AbsentColumns = Readonly<Record<string, string>>;

/** Finds the columns that a mapping names and that no record of an input of objects has. */
export class AbsentColumnTracker {
  readonly #unseen: Map<string, ReadRaw>;
  #last: RecordValue | undefined;

  constructor(mapping: Mapping) {
    const needed = neededColumns(mapping);
    this.#unseen = new Map(needed.map((column) => [column, rawColumn(column, null)]));
  }

  add(record: RecordValue): void {
    this.#last = record;
    for (const [column, read] of this.#unseen) if (has(record, read)) this.#unseen.delete(column);
  }

  /** `null` until a record was added. */
  absent(): AbsentColumns | null {
    if (this.#last === undefined) return null;
    if (this.#unseen.size === 0) return {};
    const fills = new ColumnFills(null);
    fills.add(this.#last);
    const keys = fills.summary().filled.map(([key]) => key);
    const unseen = [...this.#unseen.keys()];
    return Object.fromEntries(unseen.map((name) => [name, nearestName(name, keys) ?? '']));
  }
}

/**
 * Lists the columns that a mapping reads from each record. Leaves out alternatives, as a record has one
 * of them, and elements of lists, as a list may be empty.
 */
export function neededColumns(mapping: Mapping): readonly string[] {
  const needed = columnUses(mapping).filter(
    ({ column, path }) => path.at(-2) !== 'from' && !path.includes('else') && !column.includes('['),
  );
  return [...new Set(needed.map(({ column }) => column))];
}

/** Returns whether a record has a column. A getter that throws counts as a value. */
function has(record: RecordValue, read: ReadRaw): boolean {
  try {
    return read(record) !== undefined;
  } catch {
    return true;
  }
}

/**
 * Intersects the absent columns of two parts of an input; `null` stands for a part without records.
 */
export function intersectAbsent(
  one: AbsentColumns | null,
  other: AbsentColumns | null,
): AbsentColumns | null {
  if (one === null || other === null) return one ?? other;
  return Object.fromEntries(Object.entries(one).filter(([name]) => Object.hasOwn(other, name)));
}

export function absentNotice(source: string, absent: AbsentColumns | null): readonly string[] {
  const columns = Object.entries(absent ?? {}).map(([name, nearest]) => {
    const hint = nearest === '' ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
    return `${JSON.stringify(name)}${hint}`;
  });
  if (columns.length === 0) return [];
  return [
    `${source}: no record has ${columns.join(', ')}. Fields mapped from it are empty. Correct the name, unless the column is optional.`,
  ];
}
