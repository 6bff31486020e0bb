/** Proposes a mapping for an export of which nothing is known but the file. */
import type { InputOptions, SourceOptions } from '../formats/options.js';
import { draftFor, likeliestFile } from '../guess/choose-parsing.js';
import { alternativesIn, type Draft, missingFields } from '../guess/draft-mapping.js';
import type { LeftOut } from '../guess/left-out.js';
import { type ColumnSummary, summarizeColumn } from '../guess/profile-column.js';
import { type TakenMapping, takeReadyMapping } from '../guess/ready-mapping.js';
import type { AlternativeField, Confidence, DraftField } from '../guess/rules/draft.js';
import { type Checked, checkGuess, verifyDraft } from '../guess/verify-draft.js';
import { writeMapping } from '../guess/write-mapping.js';
import { parseMapping } from '../mapping/load/load-mapping.js';
import type { Rule } from '../mapping/mapping.js';
import { mappingRules, todosIn } from '../mapping/rules.js';
import { checkNames, type Names } from '../model/options.js';
import type { Input } from '../model/source.js';

export { formatOf } from '../formats/formats.js';
export { UNCLEAR_ENCODING } from '../guess/choose-parsing.js';
export { leftOutText } from '../guess/left-out.js';
export type { ColumnSummary, ValueKind } from '../guess/profile-column.js';

/** Options of a guess. */
export interface GuessOptions {
  /** One file, or objects. A stream is read once and can't be looked at in more than one way. */
  readonly input: Input;
  /** What is known about how to read it. */
  readonly source?: SourceOptions;
  /** Whether a mapping that comes with docferry is taken if it was written for the file's layout; default. */
  readonly ready?: boolean;
}

const NAMES: Names<GuessOptions> = { input: true, source: true, ready: true };

/** A field of a guessed mapping. */
export interface GuessedField {
  /** Such as `metrics.score`. */
  readonly field: string;
  readonly confidence: Confidence;
  readonly evidence: string;
  /** What a person has to look at. */
  readonly todo: string | null;
  /** What else could fill it, best first, as the guess weighed it. */
  readonly rivals: readonly Rival[];
}

/** Another rule for a field. */
export interface Rival {
  /** The column that came next; `null`: a rule that needs none of its own, such as a hash. */
  readonly column: string | null;
  readonly rule: Rule;
  readonly confidence: Confidence;
  readonly evidence: string;
}

/** A guessed mapping, and what it makes of the records it was guessed from. */
export interface Guess {
  /** The mapping file, with comments. */
  readonly mapping: string;
  /** Name of the mapping that comes with docferry and was taken as it is; `null` if it was guessed. */
  readonly ready: string | null;
  /** How the file was read: what was stated, and what was found out. */
  readonly input: InputOptions;
  /** The fields of a guessed mapping; none of one that was taken as it is. */
  readonly fields: readonly GuessedField[];
  /** What a person should know of the file, such as columns with bytes that can't be decoded. */
  readonly notices: readonly string[];
  /** Fields of a complete document that no column fills. */
  readonly missing: readonly string[];
  /** Columns that may hold a field which no rule fills, and why they were left out. */
  readonly leftOut: readonly LeftOut[];
  /** What a person has to decide beside what stands in `fields`. */
  readonly todos: readonly string[];
  /** The columns that were looked at, in the order of the file. */
  readonly columns: readonly ColumnSummary[];
  /** Records in the sample, and what became of them. */
  readonly records: Readonly<Record<'read' | 'valid' | 'skipped' | 'invalid', number>>;
}

/**
 * Looks at records from all over an export and proposes a mapping, with what speaks for each rule.
 * @throws DocferryError if the input can't be read, or holds no records
 */
export async function guessMapping(options: GuessOptions): Promise<Guess> {
  checkNames(options, NAMES, 'guessMapping');
  const { source = {}, ready = true } = options;
  const { input, remarks } = await likeliestFile(options.input, source);
  const { draft, checked } = verifyDraft(await draftFor(input, source));
  const notices = [...remarks, ...draft.sample.remarks];
  const taken = ready ? await takeReadyMapping(draft, input) : undefined;
  if (taken !== undefined) return guessOfReady(taken, draft, notices);
  const rivals = alternativesIn(draft);
  return {
    mapping: writeMapping(draft),
    ready: null,
    input: draft.input,
    fields: draft.fields.map((field) => guessedField(field, rivals.get(field.path.join('.')))),
    notices,
    missing: draft.missing,
    leftOut: draft.leftOut,
    todos: draft.todos,
    columns: draft.context.profiles.map(summarizeColumn),
    records: countsOf(checked),
  };
}

function guessedField(
  { path, confidence, evidence, todo }: DraftField,
  others: readonly AlternativeField[] = [],
): GuessedField {
  const rivals = others.map(({ todo: _, path: __, ...rival }) => rival);
  return { field: path.join('.'), confidence, evidence, todo: todo ?? null, rivals };
}

/** The same of a mapping that comes with docferry, tried on the same records. */
function guessOfReady(taken: TakenMapping, draft: Draft, notices: readonly string[]): Guess {
  const mapping = parseMapping(taken.text, taken.name);
  return {
    mapping: copyOf(taken),
    ready: taken.name,
    input: draft.input,
    fields: [],
    notices,
    missing: missingFields(mappingRules(mapping).map(({ path }) => path.slice(1).join('.'))),
    leftOut: [],
    todos: todosIn(taken.text).map(({ text }) => text.replace(/\.$/u, '')),
    columns: draft.context.profiles.map(summarizeColumn),
    records: countsOf(checkGuess(mapping, draft.sample)),
  };
}

function countsOf({ read, valid, skipped, invalid }: Checked): Guess['records'] {
  return { read, valid, skipped, invalid };
}

/** As it comes, with a note of where it is from. */
function copyOf({ name, text }: TakenMapping): string {
  const note = `# The layout is that of ${name}, which comes with docferry: this is a copy of it.\n#\n`;
  return note + text;
}
