import { isObject, type RecordValue } from '../model/record.js';

/** Records of a chunk whose keys are looked at, where records are objects. */
const MAX_OBJECTS = 100;
/** Paths that are kept. */
export const MAX_PATHS = 500;
/** Longer fields of a table are not looked into: to do so takes longer than all else here. */
const MAX_BLANKS = 3;
/** Objects inside objects that are looked into. */
const MAX_DEPTH = 6;

/** What {@link ColumnFills} knows, as plain data. */
export interface FillsSummary {
  /** Records that were looked at. */
  readonly records: number;
  /** A column's name, and in how many of them it has a value. */
  readonly filled: readonly (readonly [string, number])[];
}

/** A table's columns, or the paths of values in objects, and how often each has a value. */
export class ColumnFills {
  readonly #columns: readonly string[] | null;
  readonly #filled: number[];
  readonly #paths = new Map<string, number>();
  #records = 0;

  /** @param columns the header of records that are lists; `null` for objects */
  constructor(columns: readonly string[] | null) {
    this.#columns = columns;
    this.#filled = (columns ?? []).map(() => 0);
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
        // A getter or proxy of a program's object threw. The mapping may not need it: no problem.
      }
    }
  }

  /** Adds what is known of a chunk, where this has no columns itself: one that a chunk lacks is blank there. */
  merge({ records, filled }: FillsSummary): void {
    this.#records += records;
    for (const [path, count] of filled) this.#addPath(path, count);
  }

  /** Names in the order in which they first came. */
  summary(): FillsSummary {
    const filled = this.#columns?.map((name, at) => [name, this.#filled[at] as number] as const);
    return { records: this.#records, filled: filled ?? [...this.#paths] };
  }

  #addFields(fields: readonly string[]): void {
    const filled = this.#filled;
    for (let at = 0; at < filled.length; at += 1) {
      const field = fields[at] as string;
      if (field.length > MAX_BLANKS || hasText(field)) filled[at] = (filled[at] as number) + 1;
    }
  }

  #addObject(object: Readonly<Record<string, unknown>>, prefix: string, depth: number): void {
    for (const [key, value] of Object.entries(object)) {
      const path = prefix + key;
      if (isObject(value) && depth < MAX_DEPTH) this.#addObject(value, `${path}.`, depth + 1);
      else this.#addPath(path, Number(isFilled(value)));
    }
  }

  #addPath(path: string, filled: number): void {
    const count = this.#paths.get(path);
    if (count === undefined && this.#paths.size >= MAX_PATHS) return;
    this.#paths.set(path, (count ?? 0) + filled);
  }
}

function hasText(field: string): boolean {
  if (field === '') return false;
  // Most fields start with a letter or a digit, for which nothing else need be looked at.
  const first = field.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || field.trim() !== '';
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return hasText(value);
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== undefined;
}
