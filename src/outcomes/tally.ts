import {
  type Counts,
  NO_COUNTS,
  type Outcome,
  type Place,
  type Problem,
  type ProblemKind,
} from '../model/record.js';

/** One case of a problem, with the place where a person finds it. */
export interface ProblemExample extends Place {
  readonly field: string | null;
  readonly message: string;
}

/** All problems of one kind. */
export interface ProblemGroup {
  readonly kind: ProblemKind;
  /** Problems of this kind; a record may have several. */
  readonly count: number;
  /** How many of them concern each field, the most frequent first; list indexes show as `[]`. */
  readonly fields: Readonly<Record<string, number>>;
  /** At most {@link MAX_EXAMPLES}, from different fields as far as there are, in reading order. */
  readonly examples: readonly ProblemExample[];
}

/** Neighbouring records of one source: numbers from 1, both inclusive. */
export interface UnknownRecords {
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

/** What a tally was told, as plain JSON. */
export interface TallySnapshot {
  readonly counts: Counts;
  /** The same of each input of which anything is known, by its number in the run, from 0. */
  readonly inputs: readonly (readonly [input: number, counts: Counts])[];
  /** By kind, and then by field: in the order in which each came first. */
  readonly problems: readonly (readonly [ProblemKind, readonly FieldProblems[]])[];
  readonly unknown: readonly UnknownRecords[];
}

type FieldProblems = readonly [field: string, FieldSummary];

interface FieldSummary {
  readonly count: number;
  /** The earliest ones, in reading order. */
  readonly examples: readonly ProblemExample[];
}

const MAX_EXAMPLES = 5;
/** Fields can be many where a document has names of its own in it. */
const MAX_FIELDS = 100;
const OTHER_FIELDS = 'other fields';
const NO_FIELD = '';

interface FieldTally extends FieldSummary {
  count: number;
  readonly examples: ProblemExample[];
}

/**
 * Counts what becomes of records, and keeps a few examples of each kind of problem. No I/O; memory
 * is bounded. What it says of problems does not depend on the order in which records arrive, nor on
 * how they are split over tallies that are merged, as long as no kind of problem has more than a
 * hundred fields. The problems of one record are told to one tally, and keep their order.
 *
 * Beyond a hundred, the first ones keep their names. Tallies merged in reading order name those that
 * one tally told in reading order names. But a part may have counted one of them among its own other
 * fields: then the figure for that field is too small, and the one for other fields too large by as
 * much. The count of the kind is always right.
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

  /** @param records how many more were read of input number `input`, from 0 */
  read(input: number, records: number): void {
    this.#add(input, 'read', records);
  }

  /** The outcome of some records of an input is settled. */
  settle(input: number, outcome: Outcome, records = 1): void {
    this.#add(input, outcome, records);
  }

  #add(input: number, figure: keyof Counts, records: number): void {
    const counts = this.#inputs.get(input) ?? { ...NO_COUNTS };
    this.#inputs.set(input, counts);
    counts[figure] += records;
    this.#counts[figure] += records;
  }

  problem({ source, record, line }: Place, { kind, field, message }: Problem): void {
    const examples = [{ source, record, line, field, message }];
    this.#addProblems(kind, field === null ? NO_FIELD : grouped(field), { count: 1, examples });
  }

  /** The outcome of these records is unknown. */
  unknown(source: string, { from, to }: Pick<UnknownRecords, 'from' | 'to'>): void {
    addRange(this.#unknown, { source, from, to });
  }

  /** Where the records stand whose outcome is unknown, neighbours together, in reading order. */
  unknownRecords(): readonly UnknownRecords[] {
    const joined: UnknownRecords[] = [];
    const sorted = this.#unknown.toSorted((a, b) => this.#compareSources(a, b) || a.from - b.from);
    for (const range of sorted) addRange(joined, range);
    return joined;
  }

  counts(): Counts {
    return { ...this.#counts };
  }

  /** Of input number `input`, from 0. */
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

  /** Adds what another tally of the same sources was told, of other records. */
  merge({ inputs, problems, unknown }: TallySnapshot): void {
    for (const [input, counts] of inputs) {
      for (const [figure, records] of Object.entries(counts)) {
        this.#add(input, figure as keyof Counts, records);
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

/** Takes the first of every field, then the second of every field, and so on. */
function pickExamples(byField: readonly (readonly ProblemExample[])[]): ProblemExample[] {
  const rounds = Array.from({ length: MAX_EXAMPLES }, (_, round) =>
    byField.flatMap((examples) => examples.slice(round, round + 1)),
  );
  return rounds.flat().slice(0, MAX_EXAMPLES);
}

/** Joins a range to the last one if they are neighbours. */
function addRange(ranges: UnknownRecords[], range: UnknownRecords): void {
  const last = ranges.at(-1);
  if (last?.source === range.source && last.to + 1 === range.from) {
    ranges[ranges.length - 1] = { ...last, to: range.to };
  } else {
    ranges.push(range);
  }
}

/** `tags[3]` and `tags[7]` are the same field as far as counting goes. */
function grouped(field: string): string {
  return field.includes('[') ? field.replace(/\[\d+\]/g, '[]') : field;
}

/** By code unit, as a report must not depend on the machine's language. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
