/** Compiles a mapping: from here on a record is turned into a document by calling functions. */
import type { ImportedDocument } from '../../model/document.js';
import { didYouMean, MappingError } from '../../model/errors.js';
import type { Problem, RecordValue } from '../../model/record.js';
import { pathText } from '../../validation/explain-errors.js';
import type { AsOf } from '../dates/read-date.js';
import type { Mapping, Rule, Scalar, SkipCondition } from '../mapping.js';
import {
  type ColumnPlace,
  columnPlaces,
  givesHash,
  inText,
  type Mistake,
  placeOf,
  relativeDates,
} from '../rules.js';
import { numberReader } from '../steps/number.js';
import { compileExpression } from '../steps/text.js';
import { Failure, failure, isList, type Value } from '../steps/value.js';
import { columnSubject } from './column.js';
import { compileDocument, type ReportFailure } from './compile-document.js';
import { compileAsOf, compileRule, type RuleScope } from './compile-rule.js';

/** What a mapping needs to know of the run. */
export interface MappingContext {
  /** The header of a CSV source, whose records are lists in that order; `null`: records are objects. */
  readonly columns: readonly string[] | null;
  /** ISO 8601 timestamp of the run's start: `downloaded`, unless the mapping has a rule for it. */
  readonly downloaded: string;
  /** ISO 8601; overrides the mapping's `asOf`. */
  readonly asOf?: string;
}

/** Turns a record into a document. It never throws. */
export type MapRecord = (record: RecordValue) => Mapped;

/** What a record became. Fields that could not be read are absent and have a problem each. */
export type Mapped =
  | { readonly skipped: true }
  | {
      readonly skipped: false;
      readonly document: ImportedDocument;
      readonly problems: readonly Problem[];
      /** Whether its sourceId is a hash that the mapping made, and not the file's own. */
      readonly hashedId: boolean;
    };

/**
 * Compiles a checked mapping for the columns of one source.
 *
 * @throws MappingError when the source lacks columns, or relative dates have no `asOf`.
 */
export function compileMapping(mapping: Mapping, context: MappingContext): MapRecord {
  const { columns, downloaded } = context;
  checkColumns(mapping, columns);
  const scope: RuleScope = {
    columns,
    zone: mapping.zone,
    locale: mapping.locale,
    asOf: compileRunAsOf(mapping, context),
  };
  const skips = mapping.skip.map((condition) => compileSkip(condition, scope));
  const makeDocument = compileDocument(mapping.document, scope, downloaded);
  const repeatsHeader = compileRepeatsHeader(columns);
  const isHashed = compileIsHashed(mapping.document.sourceId, scope);
  // Those of the record in work: most have none.
  let problems: readonly Problem[] = NONE;
  const report: ReportFailure = ({ complaints }, field) => {
    problems = [...problems, ...complaints.map((complaint) => ({ ...complaint, field }))];
  };
  return (record) => {
    problems = NONE;
    if (repeatsHeader(record)) return SKIPPED;
    if (skips.length > 0 && isSkipped(skips, record, report)) return SKIPPED;
    const document = makeDocument(record, report);
    return { skipped: false, document, problems, hashedId: isHashed(record) };
  };
}

const NONE: readonly Problem[] = [];

const SKIPPED: Mapped = { skipped: true };

/** An `asOf` that can't be read, or that relative dates lack, ends the run before it starts. */
function compileRunAsOf(mapping: Mapping, { columns, asOf }: MappingContext): AsOf | undefined {
  const mistakes = undatedMistakes(mapping, asOf);
  const [first] = mistakes;
  if (first !== undefined) {
    const place = placeOf(mapping, first.path);
    throw new MappingError(`${place}: ${first.message}`, inText(mapping, mistakes));
  }
  const stated = asOf ?? mapping.asOf;
  if (stated === undefined) return undefined;
  const { zone, locale } = mapping;
  const countFrom = compileAsOf(stated, { columns, zone, locale, asOf: undefined });
  if (!(countFrom([]) instanceof Failure)) return countFrom;
  throw new MappingError(
    `--as-of is ${JSON.stringify(stated)}, which is no ISO 8601 date such as 2024-06-03`,
  );
}

/** A column that a source lacks or has twice, with every place where the mapping names it. */
interface ColumnMistake {
  readonly message: string;
  readonly places: readonly ColumnPlace[];
}

/** What is wrong with the columns that a mapping names, one after another as it names them. */
export function columnMistakes(
  mapping: Pick<Mapping, 'document' | 'skip'>,
  columns: readonly string[],
): readonly ColumnMistake[] {
  const byColumn = new Map<string, ColumnPlace[]>();
  for (const place of columnPlaces(mapping)) {
    const places = byColumn.get(place.column);
    if (places === undefined) byColumn.set(place.column, [place]);
    else places.push(place);
  }
  return [...byColumn].flatMap(([column, places]) => {
    const mistake = columnMistake(column, columns);
    if (mistake === undefined) return [];
    const rules = [...new Set(places.map(({ rule }) => pathText(rule)))].join(', ');
    return [{ message: `${rules}: ${mistake}`, places }];
  });
}

function columnMistake(column: string, columns: readonly string[]): string | undefined {
  const name = JSON.stringify(column);
  const first = columns.indexOf(column);
  if (first < 0) return `there is no column ${name}${didYouMean(column, columns)}`;
  if (columns.includes(column, first + 1)) {
    return `the header has two columns ${name}; under input, write header: and a list with a name of its own for each of the ${columns.length} columns, and skipLines: 1 to pass over the file's header (one more than now, if it is stated)`;
  }
  return undefined;
}

/** The rules that read relative dates, which count back from nothing. */
export function undatedMistakes(mapping: Mapping, asOf: string | undefined): readonly Mistake[] {
  if (asOf !== undefined || mapping.asOf !== undefined) return [];
  return relativeDates(mapping).map(({ path }) => ({
    path,
    message:
      `${pathText(path)} reads relative dates, and nothing says what they count back from; ` +
      'write asOf: and the day of the export at the top of the mapping, or give --as-of',
  }));
}

/** @throws MappingError that names every column that is missing or stands twice. */
function checkColumns(mapping: Mapping, columns: readonly string[] | null): void {
  if (columns === null) return;
  const mistakes = columnMistakes(mapping, columns);
  if (mistakes.length === 0) return;
  const lines = mistakes.map(
    ({ message, places }) => `${placeOf(mapping, places[0]?.rule ?? [])}: ${message}`,
  );
  const known = columns.map((column) => JSON.stringify(column)).join(', ');
  const named = mistakes.flatMap(({ message, places }) =>
    places.map(({ path }) => ({ path, message })),
  );
  throw new MappingError(
    [...lines, `The source has the columns ${known}.`].join('\n'),
    inText(mapping, named),
  );
}

/** Whether a row names the columns again, as where several exports were put into one file. */
export function compileRepeatsHeader(
  columns: readonly string[] | null,
): (record: RecordValue) => boolean {
  // One word may well be a text.
  if (columns === null || columns.length < 2) return () => false;
  const [first = ''] = columns;
  const marked = `\ufeff${first}`;
  return (record) => {
    const fields = record as readonly string[];
    if (fields[0] !== first && fields[0] !== marked) return false;
    return columns.every((name, at) => at === 0 || String(fields[at]).trim() === name);
  };
}

/** Every condition is asked until one holds: one that can't be answered makes the record invalid. */
function isSkipped(
  skips: readonly SkipTest[],
  record: RecordValue,
  report: ReportFailure,
): boolean {
  const failures: Failure[] = [];
  for (const skip of skips) {
    const answer = skip(record);
    if (answer === true) return true;
    if (answer instanceof Failure) failures.push(answer);
  }
  for (const failed of failures) report(failed, 'skip');
  return false;
}

/** Whether a record's sourceId is a hash that the mapping makes, and not the file's own. */
function compileIsHashed(
  rule: Rule | undefined,
  scope: RuleScope,
): (record: RecordValue) => boolean {
  if (typeof rule !== 'object') return () => false;
  const { else: fallback, ...main } = rule;
  const hashes = givesHash(main);
  if (fallback === undefined || !givesHash(rule)) return () => hashes;
  const run = compileRule(main, scope);
  const isElseHashed = compileIsHashed(fallback, scope);
  return (record) => {
    const value = run(record);
    const usesElse = value === undefined || value instanceof Failure;
    return usesElse ? isElseHashed(record) : hashes;
  };
}

/** Whether the condition holds; a failure if the record does not let that be said. */
export type SkipTest = (record: RecordValue) => boolean | Failure;

/** A condition, ready to run. */
function compileSkip(condition: SkipCondition, scope: RuleScope): SkipTest {
  const read = compileRule({ from: condition.from }, scope);
  if (condition.blank !== undefined) {
    const wanted = condition.blank;
    return (record) => (read(record) === undefined) === wanted;
  }
  const holds = question(condition);
  return (record) => {
    const value: Value = read(record);
    if (value === undefined || value instanceof Failure) return value ?? false;
    return isList(value) ? anyOf(value, holds) : holds(value);
  };
}

type Question = (value: Scalar) => boolean | Failure;

function question(condition: SkipCondition): Question {
  if (condition.in !== undefined) {
    const listed = new Set(condition.in.map(String));
    return (value) => listed.has(String(value));
  }
  if (condition.matches !== undefined) {
    const test = compileExpression(condition.matches, 'u', (pattern, text) => pattern.test(text));
    return (value) => test(String(value));
  }
  return numberQuestion(condition);
}

function numberQuestion(condition: SkipCondition): Question {
  const { from, below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY } = condition;
  const mark = condition.number ?? '.';
  const readNumber = numberReader(mark);
  const subject = columnSubject(typeof from === 'string' ? [from] : from);
  return (value) => {
    const number = typeof value === 'number' ? value : readNumber(String(value));
    if (number !== undefined) return number < below || number > above;
    return failure('unreadable-number', subject, value, `a number with the decimal mark "${mark}"`);
  };
}

/** A list fits when one of its values does. */
function anyOf(values: readonly Scalar[], holds: Question): boolean | Failure {
  let failed: Failure | undefined;
  for (const value of values) {
    const answer = holds(value);
    if (answer === true) return true;
    if (answer instanceof Failure) failed = answer;
  }
  return failed ?? false;
}
