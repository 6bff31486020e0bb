/** Proposes a mapping for an export, given only the file. */
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
export type { ColumnSummary } from '../guess/profile-column.js';

export interface GuessOptions {
  /** One file, or objects. A stream is read only once, so alternative parsings aren't tried. */
  readonly input: Input;
  /** How to read the input, as far as that is known. */
  readonly source?: SourceOptions;
  /** Whether to use a built-in mapping if one fits the file's layout; default `true`. */
  readonly ready?: boolean;
}

const NAMES: Names<GuessOptions> = { input: true, source: true, ready: true };

export interface GuessedField {
  /** For example `metrics.score`. */
  readonly field: string;
  readonly confidence: Confidence;
  readonly evidence: string;
  /** Something for a person to check; `null` if there is nothing. */
  readonly todo: string | null;
  /** Alternative rules, best first. */
  readonly rivals: readonly Rival[];
}

export interface Rival {
  /** Runner-up column; `null` for a rule without a column of its own, for example a hash. */
  readonly column: string | null;
  readonly rule: Rule;
  readonly confidence: Confidence;
  readonly evidence: string;
}

/** A guessed mapping, and how it does on the sample it was guessed from. */
export interface Guess {
  /** Text of the mapping file, with comments. */
  readonly mapping: string;
  /** Name of the built-in mapping that was used; `null` if the mapping was guessed. */
  readonly ready: string | null;
  /** How the file was read: the options given, and what was detected. */
  readonly input: InputOptions;
  /** Fields of a guessed mapping; empty for a built-in one. */
  readonly fields: readonly GuessedField[];
  /** Remarks about the file, for example on columns with bytes that can't be decoded. */
  readonly notices: readonly string[];
  /** Fields of the `complete` profile that no column fills. */
  readonly missing: readonly string[];
  /** Candidate columns for fields that no rule fills, and why they were left out. */
  readonly leftOut: readonly LeftOut[];
  /** Decisions for a person, in addition to the TODOs in `fields`. */
  readonly todos: readonly string[];
  /** Profiled columns, in the order of the file. */
  readonly columns: readonly ColumnSummary[];
  /** Records in the sample, by outcome. */
  readonly records: Readonly<Record<'read' | 'valid' | 'skipped' | 'invalid', number>>;
}

/**
 * Samples records from all over an export and proposes a mapping, with evidence for each rule.
 * @throws DocferryError if the input can't be read or has no records
 */
export async function guessMapping(options: GuessOptions): Promise<Guess> {
  checkNames(options, NAMES, 'guessMapping');
  const { source = {}, ready = true } = options;
  const { input, remarks } = await likeliestFile(options.input, source);
  const { draft, checked } = verifyDraft(await draftFor(input, source));
  const about = {
    input: draft.input,
    notices: [...remarks, ...draft.sample.remarks],
    columns: draft.context.profiles.map(summarizeColumn),
  };
  const taken = ready ? await takeReadyMapping(draft, input) : undefined;
  if (taken !== undefined) return { ...guessOfReady(taken, draft), ...about };
  const rivals = alternativesIn(draft);
  return {
    mapping: writeMapping(draft),
    ready: null,
    ...about,
    fields: draft.fields.map((field) => guessedField(field, rivals.get(field.path.join('.')))),
    missing: draft.missing,
    leftOut: draft.leftOut,
    todos: draft.todos,
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

/** Result for a built-in mapping, tried on the same sample. */
function guessOfReady(
  { name, text }: TakenMapping,
  { sample }: Draft,
): Omit<Guess, 'input' | 'notices' | 'columns'> {
  const mapping = parseMapping(text, name);
  return {
    mapping: `# Copy of the built-in mapping ${name}, which fits this layout.\n#\n${text}`,
    ready: name,
    fields: [],
    missing: missingFields(mappingRules(mapping).map(({ path }) => path.slice(1).join('.'))),
    leftOut: [],
    todos: todosIn(text).map((todo) => todo.text.replace(/\.$/u, '')),
    records: countsOf(checkGuess(mapping, sample)),
  };
}

function countsOf({ read, valid, skipped, invalid }: Checked): Guess['records'] {
  return { read, valid, skipped, invalid };
}
