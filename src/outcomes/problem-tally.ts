import type { Place, Problem, ProblemKind, ProblemText } from '../model/record.js';
import { compareTexts, type ReadingOrder } from './reading-order.js';

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

/** Problems with one cause: of one kind, from the same columns or, without any, in one field. */
export interface CauseFigures {
  readonly kind: ProblemKind;
  /** Columns that the failing rules read; empty if the cause isn't a rule. */
  readonly columns: readonly string[];
  /** Number of records that have it. */
  readonly records: number;
  /** Number of them that have no other cause. */
  readonly onlyCause: number;
  readonly fields: ProblemGroup['fields'];
  /**
   * Values read from these records, the most frequent first; of more than {@link MAX_VALUES}
   * different ones, the first.
   */
  readonly values: readonly ValueCount[];
  /** Problems of its first records with different messages, in reading order. */
  readonly texts: readonly ProblemText[];
  /** The first records that have it, at most {@link MAX_PLACES}. */
  readonly places: readonly CausePlace[];
}

/** A record that has the cause. */
export interface CausePlace extends Place {
  /** The value read from it, cut; empty if blank, absent if unknown. */
  readonly value?: string;
}

export interface ValueCount {
  readonly value: string;
  /** Number of records. */
  readonly count: number;
}

/** Summary of all problems: by kind, then by cause, in the order of their first occurrence. */
export type ProblemSummary = readonly (readonly [ProblemKind, readonly CauseSummary[]])[];

interface CauseSummary {
  readonly columns: readonly string[];
  readonly records: number;
  readonly onlyCause: number;
  readonly values: readonly (readonly [value: string, count: number])[];
  readonly places: readonly CausePlace[];
  readonly fields: readonly (readonly [field: string, FieldSummary])[];
}

interface FieldSummary {
  readonly count: number;
  readonly examples: readonly TalliedExample[];
}

type TalliedExample = ProblemExample & ProblemText;

const MAX_EXAMPLES = 5;
const MAX_PLACES = 25;
/** Limits the fields of a problem: documents may have arbitrary names in them. */
const MAX_FIELDS = 100;
const OTHER_FIELDS = 'other fields';
const NO_FIELD = '';
const MAX_VALUES = 100;

interface CauseTally {
  readonly columns: readonly string[];
  /** Most fields that are named. */
  readonly maxFields: number;
  records: number;
  onlyCause: number;
  readonly values: Map<string, number>;
  readonly places: CausePlace[];
  readonly fields: Map<string, FieldTally>;
}

interface FieldTally extends FieldSummary {
  count: number;
  readonly examples: TalliedExample[];
}

/**
 * Counts problems, with a few examples of each kind, in bounded memory. Doesn't depend on the order of
 * the records, nor on how they are split over tallies that are merged, as long as no kind of problem
 * has more than a hundred fields, nor a cause more than a hundred different values.
 *
 * Beyond a hundred fields, the first ones are named. Tallies merged in reading order name the same
 * fields as a single tally, but may count too few problems for one: a part that meets `tags` as its
 * 101st field counts its 2 problems under {@link OTHER_FIELDS}. Merged with a part that has 3 under
 * `tags`, there are 3 under `tags`, not 5. The count of the kind is always right.
 */
export class ProblemTally {
  readonly #order: ReadingOrder;
  readonly #kinds = new Map<ProblemKind, Map<string, CauseTally>>();

  constructor(order: ReadingOrder) {
    this.#order = order;
  }

  /** Adds all problems of a record. */
  add({ source, record, line }: Place, problems: readonly Problem[]): void {
    const causes = new Map<CauseTally, string | undefined>();
    for (const { kind, field, columns = [], value, ...text } of problems) {
      const cause = this.#causeOf(kind, columns, field);
      if (!causes.has(cause)) causes.set(cause, value);
      const examples = [{ source, record, line, field, ...text }];
      this.#addToField(cause, fieldKey(field), { count: 1, examples });
    }
    for (const [cause, value] of causes) {
      cause.records += 1;
      if (causes.size === 1) cause.onlyCause += 1;
      if (value !== undefined) addValue(cause, value, 1);
      const place = { source, record, line, ...(value === undefined ? {} : { value }) };
      this.#addFirst(cause.places, place, MAX_PLACES);
    }
  }

  summary(): ProblemSummary {
    return [...this.#kinds].map(([kind, causes]) => {
      return [kind, [...causes.values()].map(summaryOf)] as const;
    });
  }

  /** Adds the problems of another tally of the same sources. */
  merge(problems: ProblemSummary): void {
    for (const [kind, causes] of problems) {
      for (const one of causes) this.#addCause(kind, one);
    }
  }

  /** The most frequent kind first. */
  groups(): readonly ProblemGroup[] {
    return [...this.#kinds]
      .map(([kind, causes]) => {
        const group = this.#group(kind, [...causes.values()]);
        return { ...group, examples: group.examples.map(exampleOf) };
      })
      .sort((a, b) => b.count - a.count || compareTexts(a.kind, b.kind));
  }

  /** Those whose cure brings the most records first. */
  causes(): readonly CauseFigures[] {
    const all = [...this.#kinds].flatMap(([kind, causes]) =>
      [...causes.values()].map((cause) => this.#figures(kind, cause)),
    );
    return all.sort(
      (a, b) =>
        b.onlyCause - a.onlyCause ||
        b.records - a.records ||
        compareTexts(causeText(a), causeText(b)),
    );
  }

  #figures(kind: ProblemKind, cause: CauseTally): CauseFigures {
    const { columns, records, onlyCause } = cause;
    const { fields, examples } = this.#group(kind, [cause]);
    const values = [...cause.values]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value));
    const texts = [...new Map(examples.map((one) => [one.message, one])).values()];
    return { kind, columns, records, onlyCause, fields, values, texts, places: [...cause.places] };
  }

  /** Finds the tally of a cause: of columns, or else of a field. */
  #causeOf(kind: ProblemKind, columns: readonly string[], field: string | null): CauseTally {
    const causes = this.#kinds.get(kind) ?? new Map<string, CauseTally>();
    this.#kinds.set(kind, causes);
    const key = columns.length > 0 ? `\0${columns.join('\0')}` : fieldKey(field);
    const name = causes.has(key) || causes.size < MAX_FIELDS ? key : OTHER_FIELDS;
    const cause = causes.get(name) ?? (name === key ? newCause(columns) : newCause([], 0));
    causes.set(name, cause);
    return cause;
  }

  #addCause(
    kind: ProblemKind,
    { columns, records, onlyCause, values, places, fields }: CauseSummary,
  ): void {
    const cause = this.#causeOf(kind, columns, fields[0]?.[0] ?? null);
    cause.records += records;
    cause.onlyCause += onlyCause;
    for (const [value, count] of values) addValue(cause, value, count);
    for (const place of places) this.#addFirst(cause.places, place, MAX_PLACES);
    for (const [field, summary] of fields) this.#addToField(cause, field, summary);
  }

  #addToField(
    { fields, maxFields }: CauseTally,
    field: string,
    { count, examples }: FieldSummary,
  ): void {
    const name = fields.has(field) || fields.size < maxFields ? field : OTHER_FIELDS;
    const tally = fields.get(name) ?? { count: 0, examples: [] };
    fields.set(name, tally);
    tally.count += count;
    for (const example of examples) this.#addFirst(tally.examples, example);
  }

  /** Adds a place to the first ones in reading order. */
  #addFirst<Placed extends Place>(first: Placed[], place: Placed, max = MAX_EXAMPLES): void {
    const last = first[max - 1];
    if (last !== undefined && this.#order.compare(place, last) >= 0) return;
    first.push(place);
    first.sort((a, b) => this.#order.compare(a, b));
    first.length = Math.min(first.length, max);
  }

  #group(
    kind: ProblemKind,
    causes: readonly CauseTally[],
  ): Omit<ProblemGroup, 'examples'> & Pick<FieldSummary, 'examples'> {
    const merged = newCause([]);
    for (const cause of causes) {
      for (const [field, summary] of cause.fields) this.#addToField(merged, field, summary);
    }
    const fields = [...merged.fields].sort(
      ([nameA, a], [nameB, b]) => b.count - a.count || compareTexts(nameA, nameB),
    );
    return {
      kind,
      count: fields.reduce((sum, [, { count }]) => sum + count, 0),
      fields: Object.fromEntries(
        fields.filter(([name]) => name !== NO_FIELD).map(([name, { count }]) => [name, count]),
      ),
      examples: pickExamples(fields.map(([, { examples }]) => examples)).sort((a, b) =>
        this.#order.compare(a, b),
      ),
    };
  }
}

function newCause(columns: readonly string[], maxFields = MAX_FIELDS): CauseTally {
  const [values, fields] = [new Map(), new Map()];
  return { columns, maxFields, records: 0, onlyCause: 0, values, places: [], fields };
}

function fieldKey(field: string | null): string {
  return field === null ? NO_FIELD : grouped(field);
}

function summaryOf({
  columns,
  records,
  onlyCause,
  values,
  places,
  fields,
}: CauseTally): CauseSummary {
  const copies = [...fields].map(
    ([field, { count, examples }]) => [field, { count, examples: [...examples] }] as const,
  );
  return { columns, records, onlyCause, values: [...values], places: [...places], fields: copies };
}

function addValue({ values }: CauseTally, value: string, count: number): void {
  const known = values.get(value);
  if (known !== undefined || values.size < MAX_VALUES) values.set(value, (known ?? 0) + count);
}

function exampleOf({ source, record, line, field, message }: ProblemExample): ProblemExample {
  return { source, record, line, field, message };
}

function causeText({ kind, columns, fields }: CauseFigures): string {
  return JSON.stringify([kind, columns, Object.keys(fields)]);
}

/** Takes the first example of every field, then the second, and so on. */
function pickExamples(byField: readonly (readonly TalliedExample[])[]): TalliedExample[] {
  const rounds = Array.from({ length: MAX_EXAMPLES }, (_, round) =>
    byField.flatMap((examples) => examples.slice(round, round + 1)),
  );
  return rounds.flat().slice(0, MAX_EXAMPLES);
}

/** Replaces list indexes: `tags[3]` and `tags[7]` count as the same field. */
function grouped(field: string): string {
  return field.includes('[') ? field.replace(/\[\d+\]/g, '[]') : field;
}
