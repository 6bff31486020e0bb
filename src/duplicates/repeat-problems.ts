/** What is said of records whose sourceId came before in the run. */
import { thousands } from '../model/figures.js';
import type { Problem } from '../model/record.js';
import type { Repeat } from './set-apart-repeats.js';

/** What was counted of repeats, as plain JSON. */
export interface RepeatsSnapshot {
  /** How many duplicates differ from the first record of their review, and in which fields. */
  readonly differing: number;
  readonly differences: readonly (readonly [field: string, count: number])[];
  /** Records that have the hash of another review. */
  readonly shared: number;
}

/** Words the problems of repeats, and counts what duplicates differ in. */
export class RepeatProblems {
  readonly #fields: readonly string[];
  readonly #differences = new Map<string, number>();
  #differing = 0;
  #shared = 0;

  /** @param fields names of the fields that may change while a review stays the same */
  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  /** @param earlier names the record that had the same sourceId first */
  repeated(repeat: Repeat, sourceId: string | null, earlier: string): Problem {
    const id = JSON.stringify(sourceId);
    if (repeat.outcome === 'invalid') return repeatedId(id, earlier);
    const names = (repeat.differing ?? []).map((index) => this.#fields[index] as string);
    if (names.length === 0) {
      return duplicate(`${id} came before with the same content, in ${earlier}`);
    }
    this.#differing += 1;
    for (const name of names) this.#addDifference(name, 1);
    return duplicate(
      `${id} came before in ${earlier}: it is the same review, and differs in ${names.join(', ')}`,
    );
  }

  /** @param earlier names the record of another review with the same hash */
  shared(earlier: string): Problem {
    this.#shared += 1;
    return {
      kind: 'shared-hash',
      field: 'sourceId',
      message: `another review has the same hash, in ${earlier}: this one is imported with an id of its own`,
    };
  }

  snapshot(): RepeatsSnapshot {
    const differences = [...this.#differences];
    return { differing: this.#differing, differences, shared: this.#shared };
  }

  /** Adds what was counted elsewhere; the parts of a run come in reading order. */
  merge({ differing, differences, shared }: RepeatsSnapshot): void {
    this.#differing += differing;
    this.#shared += shared;
    for (const [name, count] of differences) this.#addDifference(name, count);
  }

  /** What a person should know at the end. */
  notices(): readonly string[] {
    return [...this.#differingNotice(), ...this.#sharedNotice()];
  }

  #addDifference(field: string, count: number): void {
    this.#differences.set(field, (this.#differences.get(field) ?? 0) + count);
  }

  #differingNotice(): readonly string[] {
    if (this.#differing === 0) return [];
    const fields = [...this.#differences]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} (${thousands(count)})`);
    const who =
      this.#differing === 1
        ? '1 duplicate differs'
        : `${thousands(this.#differing)} duplicates differ`;
    return [
      `${who} from the first record of the same review in ${fields.join(', ')}: the first one is imported.`,
    ];
  }

  #sharedNotice(): readonly string[] {
    if (this.#shared === 0) return [];
    const who =
      this.#shared === 1
        ? '1 record has the hash of another review. Its id takes'
        : `${thousands(this.#shared)} records have the hash of another review. Their ids take`;
    return [
      `${who} in text, author, date and rating as well. The hash in sourceId is of too few columns: in a mapping whose documents were not imported yet, add some that tell reviews apart.`,
    ];
  }
}

function duplicate(message: string): Problem {
  return { kind: 'duplicate', field: 'sourceId', message };
}

function repeatedId(id: string, earlier: string): Problem {
  return {
    kind: 'repeated-id',
    field: 'sourceId',
    message: `${id} came before with other content, in ${earlier}: is this really the review's own id? If not, map another column, or a hash of more columns; if it is and exports overlap, write "duplicates: same-review" at the top of the mapping`,
  };
}
