/** Proposes the rule for a field and the columns chosen for it. */
import { isDeepStrictEqual } from 'node:util';
import type { InputOptions } from '../../formats/options.js';
import { draftFor } from '../../guess/choose-parsing.js';
import type { Draft } from '../../guess/draft-mapping.js';
import { shortened } from '../../guess/profile-column.js';
import {
  type ColumnReading,
  type ColumnReadings,
  readingsOf,
} from '../../guess/rules/chosen-columns.js';
import type { MappingChange } from '../../mapping/load/edit-mapping.js';
import { parseMapping } from '../../mapping/load/load-mapping.js';
import type { Mapping, Rule } from '../../mapping/mapping.js';
import { fieldKeys, mainColumns, ruleColumns } from '../../mapping/rules.js';
import { count, thousands } from '../../model/figures.js';
import { type KeyPath, valueAt } from '../../model/json-path.js';
import { capital, sentence } from '../../model/text.js';
import { type Guess, guessWithDraft } from '../guess-mapping.js';
import { followingChanges, hashChanges, type PreviousColumns } from './follow-columns.js';
import { type MappedInput, missingColumns } from './map-sample.js';
import { withColumns, withFallbackOf } from './rule-parts.js';
import type { ReadMappingText } from './sample-source.js';
import { isFilled, type TriedRecord, tryRecords } from './try-rule.js';

export interface Proposal {
  /** `null` if no rule fits the values. */
  readonly rule: Rule | null;
  /** Why no reading fits the values, as a sentence; `null` if one does. */
  readonly refusal: string | null;
  /** Readings that fit the values, the likeliest first. */
  readonly formats: readonly FormatChoice[];
  /** Changes that belong to `rule`, for the same edit; see {@link FormatChoice.also}. */
  readonly also: readonly MappingChange[];
}

/** One reading of the values: with the day first, on a scale from 0 to 10. */
export interface FormatChoice {
  readonly label: string;
  readonly rule: Rule;
  /** Number of non-blank values that it reads. */
  readonly reads: number;
  readonly of: number;
  /** A value and its result: `03/04/2026 → 2026-04-03`. */
  readonly example: string;
  /** Whether the mapping's rule gives the same values, in whichever words. */
  readonly isCurrent: boolean;
  /**
   * Changes to other parts of the mapping that belong to this rule, for the same edit: what was derived
   * from the field's previous columns, as the skip condition and the language of a text, or the sentiment
   * of a score.
   */
  readonly also: readonly MappingChange[];
}

/** Facts that a guess knows about the file's columns. */
export type GuessDraft = Draft;

/** A guess, the draft it was made of, and the input options that its mapping states. */
export interface StudioGuess {
  readonly guess: Guess;
  readonly draft: GuessDraft;
  readonly input: InputOptions;
}

export async function guessForStudio(file: string, ready: boolean): Promise<StudioGuess> {
  const { guess, draft } = await guessWithDraft({ input: [file], ready });
  return { guess, draft, input: parseMapping(guess.mapping, 'the guessed mapping').input };
}

/** Samples and profiles the columns of a file that is read with these options. */
export function draftColumns(file: string, input: InputOptions): Promise<GuessDraft> {
  return draftFor([file], input);
}

interface Chosen {
  /** Place of the rule in the mapping: `document`, `metrics`, `score`. */
  readonly path: KeyPath;
  /** In the order of joining; none for a rule without a column of its own. */
  readonly columns: readonly string[];
}

/** The rules that a field can have with the columns chosen for it. */
interface ChosenRules {
  /** The rule in the mapping. */
  readonly current: Rule | undefined;
  /** That rule with these columns, if they are some of its own. */
  readonly keptRule: Rule | undefined;
  readonly readings: ColumnReadings;
  /** Lists the changes to other parts of the mapping that belong to a reading. */
  alsoFor(reading: ColumnReading): readonly MappingChange[];
}

/** Readings by the facts of a draft: each edit asks again for those of the text, which take long. */
const knownReadings = new WeakMap<object, Map<string, ColumnReadings>>();

/** Makes the rules for a field and columns, without trying them. */
export function rulesFor(
  { context }: GuessDraft,
  reading: ReadMappingText,
  { path, columns }: Chosen,
): ChosenRules {
  const { mapping } = reading;
  const field = fieldKeys(path).join('.');
  const day = mapping.asOf ?? context.day;
  const known = knownReadings.get(context) ?? new Map<string, ColumnReadings>();
  knownReadings.set(context, known);
  const read = (names: readonly string[]): ColumnReadings => {
    const missing = names.find((name) => !context.profiles.some((one) => one.name === name));
    if (missing !== undefined) return `no sampled record has a column ${JSON.stringify(missing)}`;
    const profiles = names.flatMap(
      (name) => context.profiles.find((one) => one.name === name) ?? [],
    );
    const key = JSON.stringify([field, names, day]);
    const readings = known.get(key) ?? readingsOf({ ...context, day }, field, profiles);
    known.set(key, readings);
    return readings;
  };
  const current = ruleAt(reading, path);
  const readings = read(columns);
  const affectsOtherFields = typeof readings !== 'string' && readings.some((one) => one.derived);
  const previous = previousOf(current, affectsOtherFields ? read : () => []);
  const ids = field === 'text' ? hashChanges(mapping.document, previous.columns, columns) : [];
  return {
    current,
    keptRule: withColumns(current, columns),
    readings,
    alsoFor: ({ derived = {} }) => [
      ...followingChanges(mapping, previous, derived, columns),
      ...ids,
    ],
  };
}

/** Share of the values that a rule has to read. */
const MIN_READ = 0.5;
/** Number of records that a proposal is tried on. */
const MAX_TRIED = 1_000;

/** Proposes the rule for a field and columns, after trying it. */
export function proposeRule(draft: GuessDraft, reading: ReadMappingText, chosen: Chosen): Proposal {
  const { path } = chosen;
  const { current, keptRule = null, readings, alsoFor } = rulesFor(draft, reading, chosen);
  const refused = (because: string): Proposal => {
    return { rule: keptRule, refusal: capital(sentence(because)), formats: [], also: [] };
  };
  if (typeof readings === 'string') return refused(readings);
  const { context, sample } = draft;
  const records = draftRecords(sample, MAX_TRIED);
  const { asOf = context.day } = reading.mapping;
  const mapping = { ...reading.mapping, asOf, skip: [] };
  const tried = readings.map((one) => ({
    label: one.label,
    rule: one.rule,
    also: alsoFor(one),
    ...tryReading(tryRecords(records, mapping, path, one.rule), one.rule),
  }));
  const fitting = tried.filter(({ reads, of }) => reads >= of * MIN_READ && of > 0);
  const [best] = fitting;
  if (best === undefined) {
    const [{ reads = 0, of = 0 } = {}] = tried.toSorted((a, b) => b.reads - a.reads);
    const field = fieldKeys(path).join('.');
    return refused(`only ${thousands(reads)} of ${count(of, 'value')} can be read for ${field}`);
  }
  // A rule gives no values to compare with if it reads other columns, has a mistake, or lacks a column.
  const document = current === undefined ? {} : { text: current };
  const isOther =
    reading.error !== undefined ||
    !isDeepStrictEqual(mainColumns(current), chosen.columns) ||
    missingColumns({ document, skip: [] }, sample.layout.columns).length > 0;
  const isCurrent = currentTest(
    isOther ? undefined : current,
    fitting.map(({ rule }) => rule),
    (rule) => valuesOf(records, mapping, path, rule),
  );
  const formats = fitting.map((one) => ({
    ...one,
    rule: withFallbackOf(one.rule, current),
    isCurrent: isCurrent(one.rule),
  }));
  const rule = keptRule ?? withFallbackOf(best.rule, current);
  return { rule, refusal: null, formats, also: best.also };
}

/** Returns the rule at a place of a mapping as written, which may have mistakes elsewhere. */
export function ruleAt({ written }: ReadMappingText, path: KeyPath): Rule | undefined {
  return (valueAt(written, path) ?? undefined) as Rule | undefined;
}

/** Finds out what a rule reads, and what a guess derives from that. */
function previousOf(
  rule: Rule | undefined,
  read: (columns: readonly string[]) => ColumnReadings,
): PreviousColumns {
  const columns = mainColumns(rule);
  const found = read(columns);
  const readings = typeof found === 'string' ? [] : found;
  const own = readings.find((one) => isDeepStrictEqual(one.rule, rule)) ?? readings[0];
  return { columns, derived: own?.derived ?? {} };
}

/** Tests whether a rule is the current one: its equal, or else one that gives the same values. */
function currentTest(
  current: Rule | undefined,
  rules: readonly Rule[],
  valuesBy: (rule: Rule) => string,
): (rule: Rule) => boolean {
  if (current === undefined) return () => false;
  const isEqual = (rule: Rule): boolean => isDeepStrictEqual(rule, current);
  if (rules.some(isEqual)) return isEqual;
  const values = valuesBy(current);
  return (rule) => valuesBy(rule) === values;
}

/** The values that a rule gives without its fallback, to compare it with others. */
function valuesOf(sample: MappedInput, mapping: Mapping, path: KeyPath, rule: Rule): string {
  const { else: _, onError: __, ...main } = typeof rule === 'object' ? rule : {};
  const tried = tryRecords(sample, mapping, path, typeof rule === 'object' ? main : rule);
  return JSON.stringify(tried.map(({ output }) => output));
}

type Tried = Pick<FormatChoice, 'reads' | 'of' | 'example'>;

/** Takes records from all over a draft's sample; default: all. */
export function draftRecords(
  { source, layout, records }: GuessDraft['sample'],
  most = Number.POSITIVE_INFINITY,
): MappedInput {
  const step = Math.ceil(records.length / most) || 1;
  const parsed = records
    .filter((_, at) => at % step === 0)
    .map((one) => ({ ...one, place: { source, record: one.number, line: null } }));
  return { source: { name: source, layout }, whole: false, parsed };
}

function tryReading(results: readonly TriedRecord[], rule: Rule): Tried {
  const isConstant = ruleColumns(rule).length === 0;
  // Without a fallback, a value comes from one that is stated.
  const isRead = Object(rule).else === undefined ? isFilled : () => false;
  const hasInput = ({ inputs }: TriedRecord) => inputs().some((text) => text.trim() !== '');
  const stated = results.filter((one) => isConstant || isRead(one) || hasInput(one));
  const read = stated.filter(isFilled);
  const [first] = read;
  const inputs = isConstant ? '' : first?.inputs().join(', ');
  const example = first === undefined ? '' : `${inputs} → ${String(first.output)}`.trimStart();
  return { reads: read.length, of: stated.length, example: shortened(example) };
}
