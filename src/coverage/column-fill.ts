import { isObject, type RecordValue } from '../model/record.js';
import { type CountsSummary, ValueCounts } from './value-counts.js';

/** Most objects of a chunk whose keys are counted. */
const MAX_OBJECTS = 100;
export const MAX_PATHS = 500;
/**
 * Longer fields of a table count as filled unread: reading them would take most of the time here.
 */
const MAX_BLANKS = 3;
const MAX_DEPTH = 6;
/** Letters after which values are cut. */
const MAX_LETTERS = 80;

/** Counts of {@link ColumnFills} as plain data. */
export interface FillsSummary {
  readonly records: number;
  /** Number of records whose values were counted. */
  readonly sampled: number;
  /** Column names, with the number of records that have a value. */
  readonly filled: readonly (readonly [string, number])[];
  /**
   * Values of each of these columns, `null` if there are more than 200 different ones; empty if no
   * record was sampled.
   */
  readonly values: readonly (CountsSummary | null)[];
}

interface Fill {
  filled: number;
  readonly values: ValueCounts;
}

/** Counts how often each column of a table, or each path in objects, has a value, and which. */
export class ColumnFills {
  readonly #isTable: boolean;
  readonly #seen: Map<string, ValueCounts>;
  readonly #fills: readonly Fill[];
  /** By column or path. */
  readonly #paths = new Map<string, Fill>();
  #records = 0;
  #sampled = 0;

  /**
   * @param columns the header of a table; `null` for objects
   * @param seen values of each column so far: with too many, further ones aren't counted
   */
  constructor(columns: readonly string[] | null, seen: Map<string, ValueCounts> = new Map()) {
    this.#isTable = columns !== null;
    this.#seen = seen;
    this.#fills = (columns ?? []).map((name) => this.#fillOf(name) ?? this.#newFill(name));
  }

  /** @param isSampled whether the values of a table's record are counted */
  add(value: RecordValue, isSampled = true): void {
    if (this.#isTable) {
      this.#records += 1;
      this.#addFields(value as readonly string[]);
      if (isSampled) this.#addValues(value as readonly string[]);
    } else if (this.#records < MAX_OBJECTS) {
      this.#records += 1;
      this.#sampled += 1;
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
  merge({ records, sampled, filled, values }: FillsSummary): void {
    this.#records += records;
    this.#sampled += sampled;
    for (const [at, [path, count]] of filled.entries()) {
      const fill = this.#fillOf(path);
      if (fill === undefined) continue;
      fill.filled += count;
      if (sampled > 0) fill.values.merge(values[at] ?? TOO_MANY_VALUES);
    }
  }

  /** Columns are in the order of their first occurrence. Adds their values to those seen. */
  summary(): FillsSummary {
    const fills = [...this.#paths];
    return {
      records: this.#records,
      sampled: this.#sampled,
      filled: fills.map(([name, { filled }]) => [name, filled]),
      values:
        this.#sampled === 0 ? [] : fills.map(([name, { values }]) => this.#countsOf(name, values)),
    };
  }

  #addFields(fields: readonly string[]): void {
    const fills = this.#fills;
    for (let at = 0; at < fills.length; at += 1) {
      const field = fields[at] as string;
      if (field.length > MAX_BLANKS || hasText(field)) (fills[at] as Fill).filled += 1;
    }
  }

  #addValues(fields: readonly string[]): void {
    this.#sampled += 1;
    const fills = this.#fills;
    for (let at = 0; at < fills.length; at += 1) {
      addValue((fills[at] as Fill).values, fields[at] as string);
    }
  }

  #addObject(object: Readonly<Record<string, unknown>>, prefix: string, depth: number): void {
    for (const [key, value] of Object.entries(object)) {
      const path = prefix + key;
      if (isObject(value) && depth < MAX_DEPTH) this.#addObject(value, `${path}.`, depth + 1);
      else this.#addPath(path, value);
    }
  }

  #addPath(path: string, value: unknown): void {
    const fill = this.#fillOf(path);
    if (fill === undefined || !isFilled(value)) return;
    fill.filled += 1;
    if (typeof value !== 'object') addValue(fill.values, String(value));
  }

  /** `undefined` if there are too many paths. */
  #fillOf(path: string): Fill | undefined {
    const known = this.#paths.get(path);
    if (known !== undefined || this.#paths.size >= MAX_PATHS) return known;
    const fill = this.#newFill(path);
    this.#paths.set(path, fill);
    return fill;
  }

  #newFill(name: string): Fill {
    const values = new ValueCounts();
    if (this.#seen.get(name)?.hasOthers) values.merge(TOO_MANY_VALUES);
    return { filled: 0, values };
  }

  #countsOf(name: string, values: ValueCounts): CountsSummary | null {
    const counts = values.summary();
    const seen = this.#seen.get(name) ?? new ValueCounts();
    if (this.#seen.size < MAX_PATHS) this.#seen.set(name, seen);
    seen.merge(counts);
    return seen.hasOthers ? null : counts;
  }
}

const TOO_MANY_VALUES: CountsSummary = { counts: [], other: 1 };

/** Counts a value, unless it is blank or the column has too many different ones. */
function addValue(values: ValueCounts, value: string): void {
  if (values.hasOthers || !hasText(value)) return;
  values.add(value.length > MAX_LETTERS ? value.slice(0, MAX_LETTERS) : value);
}

function hasText(field: string): boolean {
  if (field === '') return false;
  // Fast path: most fields start with a printable ASCII character.
  const first = field.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || field.trim() !== '';
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return hasText(value);
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== undefined;
}
