import { thousands } from '../model/figures.js';
import type { Problem } from '../model/record.js';
import type { Duplicate } from './partition-duplicates.js';

/** Counts of duplicates as plain JSON. */
export interface DuplicatesSnapshot {
  /** How many duplicates differ from the first record of their review. */
  readonly differing: number;
  readonly differences: readonly (readonly [field: string, count: number])[];
}

/** Problems of records whose sourceId occurred before, and counts of the fields that differ. */
export class DuplicateProblems {
  readonly #fields: readonly string[];
  readonly #differences = new Map<string, number>();
  #differing = 0;

  /** @param fields names of the fields that may change while a review stays the same */
  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  /** @param previous names the record that had the same sourceId first */
  problemOf(
    { outcome, differing = [] }: Pick<Duplicate, 'outcome' | 'differing'>,
    sourceId: string | null,
    previous: string,
  ): Problem {
    const id = JSON.stringify(sourceId);
    if (outcome === 'invalid') return repeatedId(id, previous);
    const names = differing.map((index) => this.#fields[index] as string);
    const message =
      names.length === 0
        ? `${id} came before with the same content, in ${previous}`
        : `${id} came before in ${previous}: it is the same review, and differs in ${names.join(', ')}`;
    if (names.length > 0) this.merge({ differing: 1, differences: names.map((name) => [name, 1]) });
    return { kind: 'duplicate', field: 'sourceId', message };
  }

  snapshot(): DuplicatesSnapshot {
    return { differing: this.#differing, differences: [...this.#differences] };
  }

  /** Adds the counts of another part of the run; the parts come in reading order. */
  merge({ differing, differences }: DuplicatesSnapshot): void {
    this.#differing += differing;
    for (const [name, count] of differences) {
      this.#differences.set(name, (this.#differences.get(name) ?? 0) + count);
    }
  }

  notices(): readonly string[] {
    if (this.#differing === 0) return [];
    const fields = [...this.#differences]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} (${thousands(count)})`);
    const who = this.#differing === 1 ? 'duplicate differs' : 'duplicates differ';
    return [
      `${thousands(this.#differing)} ${who} from the first record of the same review in ${fields.join(', ')}: the first one is imported.`,
    ];
  }
}

function repeatedId(id: string, previous: string): Problem {
  return {
    kind: 'repeated-id',
    field: 'sourceId',
    message: `${id} came before with other content, in ${previous}: is this really the review's own id? If not, map another column, or a hash of more columns; if it is and exports overlap, write "duplicates: same-review" at the top of the mapping`,
  };
}
