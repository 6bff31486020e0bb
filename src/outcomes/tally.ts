import {
  type Counts,
  NO_COUNTS,
  type Place,
  type Problem,
  type ProblemKind,
} from '../model/record.js';

/** An example of a problem, with its place. */
export interface ProblemExample extends Place {
  readonly field: string | null;
  readonly message: string;
}

/** All problems of one kind. */
export interface ProblemGroup {
  readonly kind: ProblemKind;
  /** Number of problems; a record may have several. */
  readonly count: number;
  /** Counts by field, the most frequent first; list indexes are shown as `[]`. */
  readonly fields: Readonly<Record<string, number>>;
  /** At most {@link MAX_EXAMPLES}, from different fields if possible, in reading order. */
  readonly examples: readonly ProblemExample[];
}

/** Neighbouring records of one source: numbers from 1, both inclusive. */
export interface UnknownRecords {
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

export interface TallySnapshot {
  readonly counts: Counts;
  /** Counts by input, by its number in the run, from 0. */
  readonly inputs: readonly (readonly [input: number, counts: Counts])[];
  /** By kind, then by field, in the order of their first occurrence. */
  readonly problems: readonly (readonly [ProblemKind, readonly FieldProblems[]])[];
  readonly unknown: readonly UnknownRecords[];
}

type FieldProblems = readonly [field: string, FieldSummary];

interface FieldSummary {
  readonly count: number;
  readonly examples: readonly ProblemExample[];
}

const MAX_EXAMPLES = 5;
/** Limits the fields of a problem: documents may have arbitrary names in them. */
const MAX_FIELDS = 100;
const OTHER_FIELDS = 'other fields';
const NO_FIELD = '';

interface FieldTally extends FieldSummary {
  count: number;
  readonly examples: ProblemExample[];
}

/**
 * Counts outcomes and problems, with a few examples of each kind, in bounded memory. The figures
 * don't depend on the order of the records, nor on how they are split over tallies that are merged,
 * as long as no kind of problem has more than a hundred fields. All problems of one record must be
 * added to one tally.
 *
 * Beyond a hundred fields, the first ones are named. Tallies merged in reading order name the same
 * fields as a single tally. But a part may have counted such a field among its other fields: the
 * figure for the field is then too small, and the one for other fields too large. The count of the
 * kind is always right.
 */
export class Tally {
  readonly #counts = { ...NO_COUNTS } as Record<keyof Counts, number>;
  readonly #inputs = new Map<number, Record<keyof Counts, number>>();
  readonly #kinds = new Map<ProblemKind, Map<string, FieldTally>>();
  readonly #rank: ReadonlyMap<string, number>;
  readonly #unknown: UnknownRecords[] = [];

  /** @param sources names of the sources in reading order; unknown ones sort last, by name */
  constructor(sources: readonly string[] = []) {
    this.#rank = new Map(sources.map((name, index) => [name, index]));
  }

  /** @param input its number, from 0 */
  add(input: number, figure: keyof Counts, records: number): void {
    const counts = this.#inputs.get(input) ?? { ...NO_COUNTS };
    this.#inputs.set(input, counts);
    counts[figure] += records;
    this.#counts[figure] += records;
  }

  problem({ source, record, line }: Place, { kind, field, message }: Problem): void {
    const examples = [{ source, record, line, field, message }];
    this.#addProblems(kind, field === null ? NO_FIELD : grouped(field), { count: 1, examples });
  }

  unknown(source: string, { from, to }: Pick<UnknownRecords, 'from' | 'to'>): void {
    addRange(this.#unknown, { source, from, to });
  }

  /** Records whose outcome is unknown, as ranges in reading order. */
  unknownRecords(): readonly UnknownRecords[] {
    const joined: UnknownRecords[] = [];
    const sorted = this.#unknown.toSorted((a, b) => this.#compareSources(a, b) || a.from - b.from);
    for (const range of sorted) addRange(joined, range);
    return joined;
  }

  counts(): Counts {
    return { ...this.#counts };
  }

  /** @param input its number, from 0 */
  countsOf(input: number): Counts {
    return { ...(this.#inputs.get(input) ?? NO_COUNTS) };
  }

  snapshot(): TallySnapshot {
    const problems = [...this.#kinds].map(([kind, fields]) => {
      const copies = [...fields].map(
        ([field, { count, examples }]) => [field, { count, examples: [...examples] }] as const,
      );
      return [kind, copies] as const;
    });
    const inputs = [...this.#inputs].map(([input, counts]) => [input, { ...counts }] as const);
    return { counts: this.counts(), inputs, problems, unknown: this.unknownRecords() };
  }

  /** Adds the figures of another tally of the same sources. */
  merge({ inputs, problems, unknown }: TallySnapshot): void {
    for (const [input, counts] of inputs) {
      for (const [figure, records] of Object.entries(counts)) {
        this.add(input, figure as keyof Counts, records);
      }
    }
    for (const [kind, fields] of problems) {
      for (const [field, summary] of fields) this.#addProblems(kind, field, summary);
    }
    this.#unknown.push(...unknown);
  }

  /** The most frequent kind first. */
  problems(): readonly ProblemGroup[] {
    return [...this.#kinds]
      .map(([kind, fields]) => this.#group(kind, fields))
      .sort((a, b) => b.count - a.count || compareTexts(a.kind, b.kind));
  }

  #addProblems(kind: ProblemKind, field: string, { count, examples }: FieldSummary): void {
    const fields = this.#kinds.get(kind) ?? new Map<string, FieldTally>();
    this.#kinds.set(kind, fields);
    const name = fields.has(field) || fields.size < MAX_FIELDS ? field : OTHER_FIELDS;
    const tally = fields.get(name) ?? { count: 0, examples: [] };
    fields.set(name, tally);
    tally.count += count;
    for (const example of examples) {
      const last = tally.examples[MAX_EXAMPLES - 1];
      if (last !== undefined && this.#compare(example, last) >= 0) continue;
      tally.examples.push(example);
      tally.examples.sort((a, b) => this.#compare(a, b));
      tally.examples.length = Math.min(tally.examples.length, MAX_EXAMPLES);
    }
  }

  #group(kind: ProblemKind, tallies: ReadonlyMap<string, FieldTally>): ProblemGroup {
    const fields = [...tallies].sort(
      ([nameA, a], [nameB, b]) => b.count - a.count || compareTexts(nameA, nameB),
    );
    return {
      kind,
      count: fields.reduce((sum, [, { count }]) => sum + count, 0),
      fields: Object.fromEntries(
        fields.filter(([name]) => name !== NO_FIELD).map(([name, { count }]) => [name, count]),
      ),
      examples: pickExamples(fields.map(([, { examples }]) => examples)).sort((a, b) =>
        this.#compare(a, b),
      ),
    };
  }

  #compare(a: Place, b: Place): number {
    return this.#compareSources(a, b) || a.record - b.record;
  }

  #compareSources(a: Pick<Place, 'source'>, b: Pick<Place, 'source'>): number {
    if (a.source === b.source) return 0;
    const last = this.#rank.size;
    const byRank = (this.#rank.get(a.source) ?? last) - (this.#rank.get(b.source) ?? last);
    return byRank || compareTexts(a.source, b.source);
  }
}

/** Takes the first example of every field, then the second, and so on. */
function pickExamples(byField: readonly (readonly ProblemExample[])[]): ProblemExample[] {
  const rounds = Array.from({ length: MAX_EXAMPLES }, (_, round) =>
    byField.flatMap((examples) => examples.slice(round, round + 1)),
  );
  return rounds.flat().slice(0, MAX_EXAMPLES);
}

/** Adds a range, merged with the last one if they are neighbours. */
function addRange(ranges: UnknownRecords[], range: UnknownRecords): void {
  const last = ranges.at(-1);
  if (last?.source === range.source && last.to + 1 === range.from) {
    ranges[ranges.length - 1] = { ...last, to: range.to };
  } else {
    ranges.push(range);
  }
}

/** Replaces list indexes: `tags[3]` and `tags[7]` count as the same field. */
function grouped(field: string): string {
  return field.includes('[') ? field.replace(/\[\d+\]/g, '[]') : field;
}

/** Compares by code unit, so that a report doesn't depend on the system's language. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
