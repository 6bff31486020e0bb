/** Answers about the source file and a mapping's text, which is tried on the sample. */
import path from 'node:path';
import { checkMapping } from '../index.js';
import { todosIn } from '../mapping/mapping-text.js';
import { columnFields } from '../mapping/rules.js';
import { DocferryError } from '../model/errors.js';
import { count } from '../model/figures.js';
import { FORMAT_NAMES } from '../operations/options.js';
import { columnFigures, columnValues } from '../operations/studio/column-figures.js';
import { editMappingText, replaceColumn } from '../operations/studio/edit-text.js';
import { changedValues, healthOf, problemsOf } from '../operations/studio/health.js';
import {
  type MappedRecord,
  type MappedSample,
  mappedOrRead,
  mapSampleOnce,
  missingColumns,
} from '../operations/studio/map-sample.js';
import { openQuestions, type Question } from '../operations/studio/open-questions.js';
import { proposeRule } from '../operations/studio/propose-rule.js';
import {
  type ParsedSample,
  type ReadMappingText,
  readMappingText,
  sampledRows,
} from '../operations/studio/sample-source.js';
import { settledQuestions } from '../operations/studio/settled-questions.js';
import { tryRule } from '../operations/studio/try-rule.js';
import type { DatedText, RequestBodies } from './requests.js';
import type { SourceFile } from './source-file.js';
import type { Evaluation, Proposal, ShownRecord, Trial } from './wire.js';

const SHOWN_ROWS = 50;

/** An answer as the page gets it. */
export type StudioAnswer<K extends keyof RequestBodies> = Awaited<ReturnType<Answers[K]>>;

/**
 * Answers the page's requests: `columns` answers `POST /api/columns`. Mapping texts may have mistakes,
 * unless a method says otherwise.
 */
export class Answers {
  readonly #file: SourceFile;
  readonly #mapping: string;

  /** @param mapping path of the mapping file, for messages */
  constructor(file: SourceFile, mapping: string) {
    this.#file = file;
    this.#mapping = mapping;
  }

  /** Guesses a mapping, and parses it. */
  async guess() {
    const { guess } = await this.#file.guess();
    return { guess, written: readMappingText(guess.mapping, this.#mapping).written };
  }

  /** Describes how the file is read, with its first rows. */
  async source({ text }: RequestBodies['source']) {
    const sample = await this.#sample(text);
    const { source, parsed, whole } = sample;
    const { columns = null } = source.layout;
    const { format, encoding, compression, delimiter = null, sheet = null } = source.detected;
    return {
      notices: noticesOf(sample),
      name: path.basename(source.name),
      bytes: source.size,
      detected: { format, encoding, compression, delimiter, sheet },
      formats: FORMAT_NAMES,
      columns,
      rows: shortened(sampledRows(sample, SHOWN_ROWS)),
      records: parsed.length,
      whole,
    };
  }

  /** Lists the names that rules can use, with their values. */
  async columns({ text }: RequestBodies['columns']) {
    return { columns: columnFigures(await this.#sample(text)) };
  }

  /** Lists the values of a column among the records that a text doesn't leave out. */
  async values({ text, column }: RequestBodies['values']) {
    const { mapping } = readMappingText(text, this.#mapping);
    const sample = await this.#file.sample(mapping.input);
    return { values: columnValues(mappedOrRead(sample, mapping), column) };
  }

  /**
   * Makes changes to a text, and parses it. Columns and answers are named, as what they change depends
   * on the edits before.
   */
  async edit({ text: given, ...edit }: RequestBodies['edit']) {
    const { asOf, changes = [], dismiss, label, replace: [column, by = ''] = [] } = edit;
    const text = column === undefined ? given : replaceColumn(given, column, by);
    const questions = await this.#questions(text);
    const asked = questions.find(({ todo }) => todo === dismiss);
    const answered = asked?.answers.find((one) => one.label === label)?.changes ?? [];
    const chosen = await this.#choose(text, edit);
    const made = editMappingText(text, [...changes, ...answered, ...chosen.changes], dismiss);
    const after = readMappingText(made, this.#mapping, asOf);
    const settled = await this.#settledBy({ text, asOf, questions }, { made, after });
    const edited = settled.reduce((left, { todo }) => editMappingText(left, [], todo), made);
    const open = todosIn(edited).map((todo) => todo.text);
    const dropped = questions.filter((one) => one !== asked && !open.includes(one.todo));
    const reading = edited === made ? after : readMappingText(edited, this.#mapping, asOf);
    return {
      text: edited,
      written: reading.written,
      /** The record, before the sample is mapped; `null` if it can't be. */
      shown: await this.#showOne(reading, edit.record),
      /** Changes to other parts of the mapping that belong to the columns chosen. */
      also: chosen.also,
      /** Why no rule fits the columns, so that nothing was changed. */
      refusal: chosen.refusal,
      /** Questions that no longer apply, although they weren't answered. */
      dropped: dropped.map(({ ask }) => ask),
    };
  }

  /** Checks a text and tries it. */
  async evaluate({ text, asOf, ...rest }: RequestBodies['evaluate']): Promise<Evaluation> {
    const { record, before = '' } = rest;
    const { mapping, written, error } = readMappingText(text, this.#mapping, asOf);
    const sample = await orFailure(() => this.#file.sample(mapping.input));
    const { columns = null } = sample instanceof DocferryError ? {} : sample.source.layout;
    const mistakes = checkMapping(text, { columns });
    const about = {
      mistakes,
      written,
      questions: await this.#questions(text, mistakes),
      usedBy: Object.fromEntries(columnFields(mapping)),
      missing: missingColumns(mapping, columns),
      health: null,
      changed: {},
      failure: null,
      shown: null,
    };
    if (sample instanceof DocferryError) return { ...about, notices: [], failure: sample.message };
    const mapped = error ?? (await orFailure(() => mapSampleOnce(sample, mapping)));
    const tried = mapped instanceof DocferryError ? mappedOrRead(sample, mapping) : mapped;
    const wanted = tried.records.find(({ document, place }) =>
      record === undefined ? document !== null : place.record === record,
    );
    const records = wanted ? [wanted] : tried.records.slice(0, 1);
    const {
      shown: [shown = null],
      notices,
    } = showRecords(sample, tried, records);
    if (mapped instanceof DocferryError) {
      const isStated = mistakes.some(({ severity }) => severity === 'error');
      const read = shown && { ...shown, document: null, problems: [] };
      return { ...about, notices, failure: isStated ? null : mapped.message, shown: read };
    }
    const changed = await this.#changedSince(readMappingText(before, this.#mapping, asOf), mapped);
    return { ...about, notices, health: await healthOf(mapped), changed, shown };
  }

  /**
   * Lists the records of the sample that a table shows.
   * @throws MappingError if the text has mistakes
   */
  async records(request: RequestBodies['records']) {
    const { text, asOf, from = 0, limit = SHOWN_ROWS, search = '', only, problem } = request;
    const { mapping, error } = readMappingText(text, this.#mapping, asOf);
    if (error !== undefined) throw error;
    const sample = await this.#file.sample(mapping.input);
    const mapped = mapSampleOnce(sample, mapping);
    const groups = problem === undefined ? [] : await problemsOf(mapped);
    const group = groups.find((one) => one.problem.message === problem);
    const wanted = search.toLowerCase();
    const matching = mapped.records.filter(
      (one) =>
        (only === undefined || one.outcome === only) &&
        (problem === undefined || group?.has(one) === true) &&
        (wanted === '' || containsText(one.value, wanted)),
    );
    const page = matching.slice(from, from + limit);
    const { shown, notices } = showRecords(sample, mapped, page);
    return { notices, records: shown, matching: matching.length };
  }

  /** Proposes the rule for a field and columns. */
  async propose({ text, asOf, ...chosen }: RequestBodies['propose']): Promise<Proposal> {
    const reading = readMappingText(text, this.#mapping, asOf);
    return proposeRule(await this.#file.draft(reading.mapping.input), reading, chosen);
  }

  /** Tries a rule with the settings of a text. */
  async try({ text, asOf, path: place, rule }: RequestBodies['try']): Promise<Trial> {
    const { mapping } = readMappingText(text, this.#mapping, asOf);
    const tried = tryRule(await this.#file.sample(mapping.input), mapping, place, rule);
    return shortened(tried);
  }

  /** Lists the changes that take a field from the columns chosen for it. */
  async #choose(text: string, edit: Omit<RequestBodies['edit'], 'text'>) {
    const { asOf, path: place, columns, format } = edit;
    if (!place || !columns) return { changes: [], also: [], refusal: null };
    const proposal = await this.propose({ text, asOf, path: place, columns });
    const named = proposal.formats.find(({ label }) => label === format);
    const { rule, also } = format === undefined ? proposal : (named ?? { rule: null, also: [] });
    if (rule !== null)
      return { changes: [{ path: place, value: rule }, ...also], also, refusal: null };
    const refusal = proposal.refusal ?? `The values can no longer be read as ${format}.`;
    return { changes: [], also, refusal };
  }

  /** Maps one record of the sample. That another has the same id isn't known then. */
  async #showOne(reading: ReadMappingText, number: number | undefined) {
    const { mapping, error } = reading;
    const sample = await orFailure(() => this.#file.sample(mapping.input));
    if (error !== undefined || sample instanceof DocferryError) return null;
    const parsed = sample.parsed.filter(({ place }) => place.record === number);
    const mapped = mappedOrRead({ ...sample, parsed }, mapping);
    return showRecords(sample, mapped, mapped.records).shown[0] ?? null;
  }

  /** Finds the questions that an edit has answered without being asked. */
  async #settledBy(
    { text, asOf, questions }: DatedText & { readonly questions: readonly Question[] },
    { made, after }: { readonly made: string; readonly after: ReadMappingText },
  ): Promise<readonly Question[]> {
    const open = new Set(todosIn(made).map((todo) => todo.text));
    const asked = questions.filter(({ todo }) => open.has(todo));
    if (asked.length === 0 || made === text) return [];
    const before = readMappingText(text, this.#mapping, asOf);
    const guessed = await this.#file.guess().catch(() => undefined);
    return guessed ? settledQuestions(asked, { before, after }, guessed.draft) : [];
  }

  async #questions(text: string, mistakes = checkMapping(text)): Promise<readonly Question[]> {
    if (!text.includes('TODO')) return [];
    const guessed = await this.#file.guess().catch(() => undefined);
    return openQuestions(mistakes, readMappingText(text, this.#mapping), guessed);
  }

  /** Counts the values that another text made otherwise, if it read the same sample. */
  async #changedSince(
    { mapping, error }: ReadMappingText,
    mapped: MappedSample,
  ): Promise<Evaluation['changed']> {
    if (error || (await this.#file.sample(mapping.input)) !== mapped.sample) return {};
    const before = await orFailure(() => mapSampleOnce(mapped.sample, mapping));
    return before instanceof DocferryError ? {} : changedValues(before, mapped);
  }

  /** Takes the sample with a text's input options. */
  #sample(text: string): Promise<ParsedSample> {
    return this.#file.sample(readMappingText(text, this.#mapping).mapping.input);
  }
}

/** Returns the result, or the error that the user reads instead. */
async function orFailure<T>(act: () => T | Promise<T>): Promise<T | DocferryError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DocferryError) return error;
    throw error;
  }
}

function showRecords(
  sample: ParsedSample,
  mapped: MappedSample,
  records: readonly MappedRecord[],
): { readonly shown: readonly ShownRecord[]; readonly notices: readonly string[] } {
  const shown = shortened(records.map((record) => mapped.shown(record)));
  return { shown, notices: [...noticesOf(sample), ...(mapped.late ? [TOO_SLOW] : [])] };
}

/** Number of characters of a text, and of a list's entries, that the page shows. */
const MAX_LENGTH = 4_000;
const MAX_ENTRIES = 2_000;
/** Nesting depth beyond which values are omitted. */
const MAX_DEPTH = 12;

/** Copies what the page shows, with long texts and lists shortened, and without what lies too deep. */
function shortened<T>(shown: T): T {
  return shortenedValue(shown, 0) as T;
}

function shortenedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string' && value.length > MAX_LENGTH) {
    return `${value.slice(0, MAX_LENGTH)}… (${count(value.length, 'character')})`;
  }
  if (typeof value !== 'object' || value === null) return value;
  // Exact numbers implement toJSON.
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return shortenedValue(value.toJSON(), depth);
  }
  if (depth >= MAX_DEPTH) return '…';
  const inner = (one: unknown): unknown => shortenedValue(one, depth + 1);
  if (Array.isArray(value)) {
    const entries = value.slice(0, MAX_ENTRIES).map(inner);
    return value.length > MAX_ENTRIES
      ? [...entries, `… (${count(value.length, 'element')})`]
      : entries;
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
}

const TOO_SLOW =
  'The mapping took too long, so only some records were mapped. A regular expression of the mapping may be slow.';

function noticesOf({ source, others }: ParsedSample): readonly string[] {
  const first = `The archive holds ${others.length + 1} files. This is the first, ${source.name}.`;
  return [...(others.length > 0 ? [first] : []), ...source.notices, ...(source.remarks?.() ?? [])];
}

/** Whether any text inside a value contains `wanted`, which is in lower case. */
function containsText(value: unknown, wanted: string): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some((inner) => containsText(inner, wanted));
  }
  return value !== null && value !== undefined && String(value).toLowerCase().includes(wanted);
}
