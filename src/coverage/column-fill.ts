import { isObject, type RecordValue } from '../model/record.js';

/** Most objects of a chunk whose keys are counted. */
const MAX_OBJECTS = 100;
export const MAX_PATHS = 500;
/**
 * Longer fields of a table count as filled unread: reading them would take most of the time here.
 */
const MAX_BLANKS = 3;
const MAX_DEPTH = 6;

/** Counts of {@link ColumnFills} as plain data. */
export interface FillsSummary {
  readonly records: number;
  /** Column names, with the number of records that have a value. */
  readonly filled: readonly (readonly [string, number])[];
}

/** Counts how often each column of a table, or each path in objects, has a value. */
export class ColumnFills {
  readonly #columns: readonly string[] | null;
  readonly #fills: number[];
  readonly #paths = new Map<string, number>();
  #records = 0;

  /** @param columns the header of a table; `null` for objects */
  constructor(columns: readonly string[] | null) {
    this.#columns = columns;
    this.#fills = (columns ?? []).map(() => 0);
  }

  add(value: RecordValue): void {
    if (this.#columns !== null) {
      this.#records += 1;
      this.#addFields(value as readonly string[]);
    } else if (this.#records < MAX_OBJECTS) {
      this.#records += 1;
      try {
        this.#addObject(value as Readonly<Record<string, unknown>>, '', 0);
      } catch {
        // A getter or proxy threw, which matters only if the mapping reads it.
      }
    }
  }

  /**
   * Adds a chunk's counts, if this has no header of its own. A column that the chunk lacks is blank
   * there.
   */
  merge({ records, filled }: FillsSummary): void {
    this.#records += records;
    for (const [path, count] of filled) this.#addPath(path, count);
  }

  /** Columns are in the order of their first occurrence. */
  summary(): FillsSummary {
    return {
      records: this.#records,
      filled: this.#columns?.map((name, at) => [name, this.#fills[at] as number]) ?? [
        ...this.#paths,
      ],
    };
  }

  #addFields(fields: readonly string[]): void {
    const fills = this.#fills;
    for (let at = 0; at < fills.length; at += 1) {
      const field = fields[at] as string;
      if (field.length > MAX_BLANKS || hasText(field)) fills[at] = (fills[at] as number) + 1;
    }
  }

  #addObject(object: Readonly<Record<string, unknown>>, prefix: string, depth: number): void {
    for (const [key, value] of Object.entries(object)) {
      const path = prefix + key;
      if (isObject(value) && depth < MAX_DEPTH) this.#addObject(value, `${path}.`, depth + 1);
      else this.#addPath(path, hasValue(value) ? 1 : 0);
    }
  }

  #addPath(path: string, count: number): void {
    const known = this.#paths.get(path);
    if (known === undefined && this.#paths.size >= MAX_PATHS) return;
    this.#paths.set(path, (known ?? 0) + count);
  }
}

function hasText(field: string): boolean {
  if (field === '') return false;
  // Fast path: most fields start with a printable ASCII character.
  const first = field.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || field.trim() !== '';
}

function hasValue(value: unknown): boolean {
  if (typeof value === 'string') return hasText(value);
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== undefined;
}
