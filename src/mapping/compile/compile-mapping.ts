import type { ImportedDocument } from '../../model/document.js';
import { didYouMean, MappingError } from '../../model/errors.js';
import type { Problem, RecordValue, SkippedBy } from '../../model/record.js';
import { escapeCharacter, excerpt } from '../../model/text.js';
import { pathText } from '../../validation/explain-errors.js';
import type { AsOf } from '../dates/read-date.js';
import type { Mapping, Rule, Scalar, SkipCondition } from '../mapping.js';
import { locateMistakes, locationText, type Mistake } from '../mapping-text.js';
import {
  type ColumnUse,
  columnUses,
  givesHash,
  mappingRules,
  nestedRules,
  relativeDates,
} from '../rules.js';
import { compileNumber } from '../steps/number.js';
import { HASH } from '../steps/text.js';
import { Failure, isList, type Value } from '../steps/value.js';
import { cellPath, columnSubject } from './column.js';
import { compileDocument, type ReportFailure } from './compile-document.js';
import { compileAsOf, compileRule, type RuleScope } from './compile-rule.js';

export interface MappingContext {
  /**
   * Header of a CSV source, whose records are lists in that order; `null` if records are objects.
   */
  readonly columns: readonly string[] | null;
  /**
   * Start of the run (ISO 8601): the value of `downloaded`, unless the mapping has a rule for it.
   */
  readonly downloaded: string;
  /** ISO 8601; overrides the mapping's `asOf`. */
  readonly asOf?: string;
}

/** Never throws. */
export type MapRecord = (record: RecordValue) => Mapped;

/** Result of mapping a record. Unreadable fields are absent and have a problem each. */
export type Mapped = SkippedRecord | MappedDocument;

export interface SkippedRecord {
  readonly skipped: true;
  readonly by: SkippedBy;
}

export interface MappedDocument {
  readonly skipped: false;
  readonly document: ImportedDocument;
  readonly problems: readonly Problem[];
  /** Whether its sourceId is a hash computed by the mapping instead of an id from the file. */
  readonly hashedId: boolean;
}

/**
 * Compiles a checked mapping for the columns of one source.
 *
 * @throws MappingError when the source lacks columns, or relative dates have no `asOf`.
 */
export function compileMapping(mapping: Mapping, context: MappingContext): MapRecord {
  const { columns, downloaded } = context;
  checkColumnNames(mapping, columns);
  const scope: RuleScope = {
    columns,
    zone: mapping.zone,
    locale: mapping.locale,
    asOf: compileRunAsOf(mapping, context),
  };
  const skips = mapping.skip.map((condition, at) => ({
    holds: compileSkip(condition, scope),
    result: { skipped: true, by: at } as const,
  }));
  const makeDocument = compileDocument(mapping.document, scope, downloaded);
  const repeatsHeader = compileHeaderTest(columns);
  const isHashed = hashTest(mapping.document.sourceId);
  // Problems of the current record; most records have none.
  let problems: readonly Problem[] = NO_PROBLEMS;
  const report: ReportFailure = (failed, field) => {
    problems = [...problems, ...failed.problems.map((problem) => ({ ...problem, field }))];
  };
  return (record) => {
    problems = NO_PROBLEMS;
    if (repeatsHeader(record)) return REPEATED_HEADER;
    const skipped = skips.length === 0 ? undefined : findSkip(skips, record, report);
    if (skipped !== undefined) return skipped;
    const document = makeDocument(record, report);
    return { skipped: false, document, problems, hashedId: isHashed(document) };
  };
}

/** Tests whether a document's id holds a hash; by its form if the rule has a fallback. */
function hashTest(rule: Rule | undefined): (document: ImportedDocument) => boolean {
  const mayHash = givesHash(rule);
  if (!mayHash || typeof rule !== 'object' || rule.else === undefined) return () => mayHash;
  return ({ sourceId = '' }) => HASH.test(sourceId);
}

const NO_PROBLEMS: readonly Problem[] = [];

const REPEATED_HEADER: SkippedRecord = { skipped: true, by: 'header' };

/**
 * Compiles the moment that relative dates count back from.
 * @throws MappingError if it is unreadable, or missing although relative dates need it
 */
function compileRunAsOf(mapping: Mapping, { columns, asOf }: MappingContext): AsOf | undefined {
  const mistakes = missingAsOfMistakes(mapping, asOf);
  const [first] = mistakes;
  if (first !== undefined) {
    const place = locationText(mapping, first.path);
    throw new MappingError(`${place}: ${first.message}`, locateMistakes(mapping, mistakes));
  }
  const given = asOf ?? mapping.asOf;
  if (given === undefined) return undefined;
  const { zone, locale } = mapping;
  const countFrom = compileAsOf(given, { columns, zone, locale, asOf: undefined });
  if (!(countFrom([]) instanceof Failure)) return countFrom;
  throw new MappingError(
    `--as-of is ${JSON.stringify(given)}; expected an ISO 8601 date like 2024-06-03`,
  );
}

/** A wrong name of a column, with every place where the mapping has it. */
interface ColumnMistake {
  readonly message: string;
  readonly places: readonly ColumnUse[];
}

/**
 * Finds columns that a mapping names and a header lacks or has twice, in the mapping's order, and
 * those that it names without braces.
 */
export function columnMistakes(
  mapping: Pick<Mapping, 'document' | 'skip'>,
  columns: readonly string[],
): readonly ColumnMistake[] {
  const byColumn = new Map<string, ColumnUse[]>();
  for (const place of columnUses(mapping)) {
    const places = byColumn.get(place.column);
    if (places === undefined) byColumn.set(place.column, [place]);
    else places.push(place);
  }
  const wrong = [...byColumn].flatMap(([column, places]) => {
    const mistake = columnMistake(column, columns, byColumn);
    if (mistake === undefined) return [];
    const rules = [...new Set(places.map(({ rule }) => pathText(rule)))].join(', ');
    return [{ message: `${rules}: ${mistake}`, places }];
  });
  return [...wrong, ...bareColumns(mapping, columns)];
}

/** Fields whose value differs from document to document. */
const OWN_VALUES = ['sourceId', 'parentSourceId', 'text', 'published', 'url', 'username'];

/** Finds columns without braces, which are constants. */
function bareColumns(
  mapping: Pick<Mapping, 'document'>,
  columns: readonly string[],
): readonly ColumnMistake[] {
  const own = mappingRules(mapping).filter(({ path }) => OWN_VALUES.includes(String(path.at(-1))));
  return own.flatMap(({ rule: outer, path: outerPath }) =>
    nestedRules(outer, outerPath).flatMap(({ rule, path }) => {
      if (typeof rule !== 'string' || !columns.includes(rule)) return [];
      const message = `${pathText(path)}: "${rule}" is a constant, the same in every document; for the column, write "{${rule}}"`;
      return [{ message, places: [{ column: rule, rule: outerPath, path }] }];
    }),
  );
}

function columnMistake(
  named: string,
  columns: readonly string[],
  used: ReadonlyMap<string, unknown>,
): string | undefined {
  const column = columns.includes(named) ? named : (cellPath(named, columns)?.column ?? named);
  const name = JSON.stringify(column);
  const first = columns.indexOf(column);
  if (first < 0) {
    const alike = columns.find((one) => visibleName(one) === visibleName(column));
    return alike === undefined
      ? `there is no column ${name}${didYouMean(column, likelyColumns(column, columns, used))}`
      : `there is no column ${name}; the header has one that looks the same: write it as "${escapeName(alike)}"`;
  }
  if (columns.includes(column, first + 1)) {
    return `the header has two columns ${name}; under input, set header: to a list of ${columns.length} unique names, and skipLines: 1 to skip the file's header (or one more than it is now)`;
  }
  return undefined;
}

/** Most letters by which a typo changes the length of a name. */
const MAX_LENGTH_CHANGE = 2;

/**
 * Leaves out columns that the mapping uses already, unless a typo can mean them: a missing column
 * was rather renamed to a new one.
 */
function likelyColumns(
  column: string,
  columns: readonly string[],
  used: ReadonlyMap<string, unknown>,
): readonly string[] {
  return columns.filter(
    (one) => !used.has(one) || Math.abs(one.length - column.length) <= MAX_LENGTH_CHANGE,
  );
}

/** Reduces a name to what people see: composed letters, plain blanks, nothing invisible. */
function visibleName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Writes letters beyond ASCII as YAML and JSON escape them. */
function escapeName(name: string): string {
  return name.replace(/[^ -~]/g, escapeCharacter);
}

/** Finds rules that read relative dates although there is no `asOf` to count back from. */
export function missingAsOfMistakes(
  mapping: Mapping,
  asOf: string | undefined,
): readonly Mistake[] {
  if (asOf !== undefined || mapping.asOf !== undefined) return [];
  return relativeDates(mapping).map(({ path }) => ({
    path,
    message:
      `${pathText(path)} reads relative dates, but there is no date to count back from; ` +
      'set asOf: at the top of the mapping to the day of the export, or pass --as-of',
  }));
}

/** @throws MappingError that names every column whose name is wrong */
function checkColumnNames(mapping: Mapping, columns: readonly string[] | null): void {
  if (columns === null) return;
  const mistakes = columnMistakes(mapping, columns);
  if (mistakes.length === 0) return;
  const lines = mistakes.map(
    ({ message, places }) => `${locationText(mapping, places[0]?.rule ?? [])}: ${message}`,
  );
  const known = columnList(columns);
  const named = mistakes.flatMap(({ message, places }) =>
    places.map(({ path }) => ({ path, message })),
  );
  throw new MappingError(
    [...lines, `The source has the columns ${known}.`].join('\n'),
    locateMistakes(mapping, named),
  );
}

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 60;

/** Lists the first columns in quotes, long names shortened. */
export function columnList(columns: readonly string[]): string {
  const more = columns.length - MAX_NAMES;
  const names = columns
    .slice(0, MAX_NAMES)
    .map((column) => JSON.stringify(excerpt(column, MAX_NAME_LENGTH)));
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Compiles a test for rows that repeat the header, as concatenated exports have them. */
export function compileHeaderTest(
  columns: readonly string[] | null,
): (record: RecordValue) => boolean {
  // With a single column, a row equal to the header may be data.
  if (columns === null || columns.length < 2) return () => false;
  const [first = ''] = columns;
  const marked = `\ufeff${first}`;
  return (record) => {
    const fields = record as readonly string[];
    if (fields[0] !== first && fields[0] !== marked) return false;
    return columns.every((name, at) => at === 0 || String(fields[at]).trim() === name);
  };
}

/**
 * Tests conditions until one holds. A condition that can't be evaluated makes the record invalid
 * unless a different one skips it.
 */
function findSkip(
  skips: readonly CompiledSkip[],
  record: RecordValue,
  report: ReportFailure,
): SkippedRecord | undefined {
  const failures: Failure[] = [];
  for (const { holds, result } of skips) {
    const held = holds(record);
    if (held === true) return result;
    if (held instanceof Failure) failures.push(held);
  }
  for (const failed of failures) report(failed, 'skip');
  return undefined;
}

interface CompiledSkip {
  readonly holds: SkipTest;
  readonly result: SkippedRecord;
}

/** Whether a record meets a condition; a failure if its value can't be evaluated. */
export type SkipTest = (record: RecordValue) => boolean | Failure;

function compileSkip(condition: SkipCondition, scope: RuleScope): SkipTest {
  if (condition.blank !== undefined) return compileBlankTest(condition, scope);
  const read = compileRule({ from: condition.from }, scope);
  const holds = compileScalarTest(condition);
  return (record) => {
    const value: Value = read(record);
    if (value === undefined || value instanceof Failure) return value ?? false;
    return isList(value) ? someMatch(value, holds) : holds(value);
  };
}

function compileBlankTest(
  { from, blank: wanted, in: absent = [] }: SkipCondition,
  scope: RuleScope,
): SkipTest {
  const readers = [from].flat().map((name) => compileRule({ from: name }, scope));
  const listed = new Set(absent.map(String));
  const isBlank = (value: Value): boolean =>
    value === undefined || (listed.size > 0 && listed.has(String(value)));
  return (record) => readers.every((read) => isBlank(read(record))) === wanted;
}

type TestScalar = (value: Scalar) => boolean | Failure;

function compileScalarTest(condition: SkipCondition): TestScalar {
  if (condition.in !== undefined) {
    const listed = new Set(condition.in.map(String));
    return (value) => listed.has(String(value));
  }
  if (condition.matches !== undefined) {
    const pattern = new RegExp(condition.matches, 'u');
    return (value) => pattern.test(String(value));
  }
  return compileRangeTest(condition);
}

function compileRangeTest(condition: SkipCondition): TestScalar {
  const { from, below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY } = condition;
  const read = compileNumber(condition.number ?? '.', columnSubject([from].flat()));
  return (value) => {
    const number = read(value);
    return number instanceof Failure ? number : number < below || number > above;
  };
}

function someMatch(values: readonly Scalar[], holds: TestScalar): boolean | Failure {
  let failed: Failure | undefined;
  for (const value of values) {
    const result = holds(value);
    if (result === true) return true;
    if (result instanceof Failure) failed = result;
  }
  return failed ?? false;
}
