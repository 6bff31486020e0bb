/** Proposes a mapping for an export, given only the file. */
import type { InputOptions, SourceOptions } from '../formats/options.js';
import { type Checked, checkGuess, valueIn } from '../guess/check-sample.js';
import { draftFor, likeliestFile } from '../guess/choose-parsing.js';
import { type Draft, missingFields } from '../guess/draft-mapping.js';
import { shortened } from '../guess/profile-column.js';
import { type TakenMapping, takeReadyMapping } from '../guess/ready-mapping.js';
import {
  type Confidence,
  type DraftField,
  dottedName,
  type GuessQuestion,
} from '../guess/rules/draft.js';
import { type VerifiedDraft, verifyDraft } from '../guess/verify-draft.js';
import { keepStart } from '../input/keep-start.js';
import { parseMapping } from '../mapping/load/load-mapping.js';
import { todosIn } from '../mapping/mapping-text.js';
import { columnFields, mappingRules, ruleColumns } from '../mapping/rules.js';
import { checkNames, type Names } from '../model/options.js';
import type { Input } from '../model/source.js';

export { formatOf } from '../formats/formats.js';
export { UNCLEAR_ENCODING } from '../guess/choose-parsing.js';
export { notUsedLines } from '../guess/write-mapping.js';
export { plainTodo, todosIn } from '../mapping/mapping-text.js';

export interface GuessOptions {
  /** One file, or objects. Of what can be read only once, the first 64 MiB or 100,000 objects are read. */
  readonly input: Input;
  /** Options for reading the input, as far as they are known. */
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
  /** Columns that the rule reads. */
  readonly columns: readonly string[];
  /** Share of the sampled documents with a value, from 0 to 1. */
  readonly filled: number;
  /** The first value, as text, shortened; `null` if there is none. */
  readonly example: string | null;
}

/** A column of the sample. */
export interface GuessedColumn {
  /** Its name as a mapping uses it, or a path like `user.name`. */
  readonly name: string;
  /** Share of sampled records with a value, from 0 to 1. */
  readonly filled: number;
  /** Number of different values in the sample. */
  readonly distinct: number;
  /** The first different values, shortened. */
  readonly examples: readonly string[];
  /** The document fields that use it, for example `metrics.score`. */
  readonly usedBy: readonly string[];
}

const MAX_EXAMPLES = 5;

/** A guessed mapping, and how it does on the sample it was guessed from. */
export interface Guess {
  /** Text of the mapping file, with comments. */
  readonly mapping: string;
  /** Name of the built-in mapping that was used; `null` if the mapping was guessed. */
  readonly ready: string | null;
  /** Options that the file was read with: those given, and those detected. */
  readonly input: InputOptions;
  /** The file that the mapping is for, if the input has others of another layout; otherwise `null`. */
  readonly only: string | null;
  /** Fields of a guessed mapping; empty for a built-in one. */
  readonly fields: readonly GuessedField[];
  /** Remarks about the file, for example on columns with bytes that can't be decoded. */
  readonly notices: readonly string[];
  /** Fields of the `complete` profile that no column fills. */
  readonly missing: readonly string[];
  /** Columns that no rule uses. */
  readonly leftOut: readonly string[];
  /** Decisions for a person, in addition to the TODOs in `fields`. */
  readonly todos: readonly string[];
  /** The questions in `todos` and `fields`, with the changes of the mapping that answer them. */
  readonly questions: readonly GuessQuestion[];
  /** Profiled columns, in the order of the file. */
  readonly columns: readonly GuessedColumn[];
  /** Records in the sample, by outcome. */
  readonly records: Readonly<
    Record<'read' | 'valid' | 'duplicate' | 'skipped' | 'invalid', number>
  >;
}

/**
 * Samples records from all over an export and proposes a mapping, with evidence for each rule.
 * @throws OptionError; SourceError if the input can't be opened or has no records; SourceBrokenError if
 *   it fails partway
 */
export async function guessMapping(options: GuessOptions): Promise<Guess> {
  checkNames(options, NAMES, 'guessMapping');
  return (await guessWithDraft(options)).guess;
}

/** Guesses a mapping, and returns the draft that it was made of. */
export async function guessWithDraft(options: GuessOptions): Promise<GuessWithDraft> {
  const { source = {}, ready = true } = options;
  const { input, only, remarks } = await likeliestFile(await keepStart(options.input), source);
  const verified = verifyDraft(await draftFor(input, source));
  const { draft, checked } = verified;
  const about = {
    input: draft.input,
    only,
    notices: [...remarks, ...draft.sample.remarks],
  };
  const taken = ready ? await takeReadyMapping(draft, input) : undefined;
  if (taken !== undefined) return { guess: { ...guessOfReady(taken, draft), ...about }, draft };
  const guess = {
    mapping: verified.text,
    ready: null,
    ...about,
    fields: draft.fields.map((field) => guessedField(field, verified)),
    missing: draft.missing,
    leftOut: draft.leftOut,
    todos: draft.questions.map(({ todo }) => todo),
    questions: [...draft.questions, ...draft.fields.flatMap(({ questions = [] }) => questions)],
    columns: columnsOf(draft, columnFields(verified.mapping)),
    records: countsOf(checked, draft),
  };
  return { guess, draft };
}

interface GuessWithDraft {
  readonly guess: Guess;
  readonly draft: Draft;
}

function guessedField(
  field: DraftField,
  { draft: { context }, checked: { documents } }: VerifiedDraft,
): GuessedField {
  const { path, rule, confidence, evidence, questions = [] } = field;
  const values = documents.flatMap((document) => valueIn(document, path) ?? []);
  const columns = ruleColumns(rule);
  const tag =
    path[0] === 'tags' ? context.profiles.find(({ name }) => name === columns[0]) : undefined;
  const first = tag === undefined ? values[0] : tag.filled[0];
  return {
    field: dottedName(field),
    confidence,
    evidence,
    todo: questions.length === 0 ? null : `${questions.map(({ todo }) => todo).join('. ')}.`,
    columns,
    filled: tag?.filledShare ?? values.length / Math.max(1, documents.length),
    example: first === undefined ? null : shortened(String(first)),
  };
}

function columnsOf(
  { context }: Draft,
  uses: ReadonlyMap<string, readonly string[]>,
): readonly GuessedColumn[] {
  return context.profiles.map(({ name, filled, filledShare, distinct }) => ({
    name,
    filled: Math.round(filledShare * 1000) / 1000,
    distinct,
    examples: [...new Set(filled)].slice(0, MAX_EXAMPLES).map(shortened),
    usedBy: uses.get(name) ?? [],
  }));
}

/** Result for a built-in mapping, tried on the same sample. */
function guessOfReady(
  { name, text }: TakenMapping,
  draft: Draft,
): Omit<Guess, 'input' | 'only' | 'notices'> {
  const mapping = parseMapping(text, name);
  return {
    mapping: `# Copy of the built-in mapping ${name}, which fits this layout.\n#\n${text}`,
    ready: name,
    fields: [],
    missing: missingFields(mappingRules(mapping).map(({ path }) => path.slice(1).join('.'))),
    leftOut: [],
    questions: [],
    todos: todosIn(text).map((todo) => todo.text.replace(/\.$/u, '')),
    columns: columnsOf(draft, columnFields(mapping)),
    records: countsOf(checkGuess(mapping, draft.sample), draft),
  };
}

/** Counts records that can't be read as invalid, as an import does. */
function countsOf(
  { read, valid, duplicate, skipped, invalid }: Checked,
  { sample: { unreadable } }: Draft,
): Guess['records'] {
  return { read: read + unreadable, valid, duplicate, skipped, invalid: invalid + unreadable };
}
