/** Compiles a mapping: from here on a record is turned into a document by calling functions. */
import type { ImportedDocument } from '../../model/document.js';
import { MappingError } from '../../model/errors.js';
import type { Problem, RecordValue } from '../../model/record.js';
import { undatedMistakes } from '../check/run-mistakes.js';
import { inText, placeOf } from '../load/written-places.js';
import { type Mapping, type Rule, TEXT_FIELDS } from '../mapping.js';
import { Failure } from '../steps/value.js';
import { checkColumns } from './check-columns.js';
import { compileAsOf, type RuleScope } from './compile-rule.js';
import { compileIsHashed } from './hashed-id.js';
import {
  compileAuthor,
  compileLocations,
  compileMetrics,
  compileTextField,
  compileTexts,
  type ReportFailure,
  type Shape,
} from './shapes.js';
import { compileSkip, type SkipTest } from './skip.js';

export { mappingColumns } from '../rules/walk-rules.js';

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
  const asOf = context.asOf ?? mapping.asOf;
  checkColumns(mapping, context.columns);
  checkAsOf(mapping, context.asOf);
  const zones = { columns: context.columns, zone: mapping.zone, locale: mapping.locale };
  const scope: RuleScope = {
    ...zones,
    asOf: asOf === undefined ? undefined : compileAsOf(asOf, { ...zones, asOf: undefined }),
  };
  const skips = mapping.skip.map((condition) => compileSkip(condition, scope));
  const makeDocument = compileDocument(mapping, scope, context.downloaded);
  const repeatsHeader = compileRepeatsHeader(context.columns);
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
    return { skipped: false, document, problems, hashedId: isHashed?.(record) ?? false };
  };
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

const NONE: readonly Problem[] = [];

const SKIPPED: Mapped = { skipped: true };

/** An `asOf` that can't be read, or that relative dates lack, ends the run before it starts. */
function checkAsOf(mapping: Mapping, override: string | undefined): void {
  const mistakes = undatedMistakes(mapping, override);
  const [first] = mistakes;
  if (first !== undefined) {
    const place = placeOf(mapping, first.path);
    throw new MappingError(`${place}: ${first.message}`, inText(mapping, mistakes));
  }
  if (override !== undefined && compileAsOfConstant(override, mapping) instanceof Failure) {
    throw new MappingError(
      `--as-of is ${JSON.stringify(override)}, which is no ISO 8601 date such as 2024-06-03`,
    );
  }
}

function compileAsOfConstant(asOf: string, { zone, locale }: Mapping): number | Failure {
  return compileAsOf(asOf, { columns: null, zone, locale, asOf: undefined })({});
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

/**
 * The fields are set in the order in which the API's description lists them, each by its name: keys
 * that are only known at run time take V8 as long as to read all the columns.
 */
function compileDocument(
  { document }: Mapping,
  scope: RuleScope,
  downloaded: string,
): Shape<ImportedDocument> {
  const texts = compileTextFields(document, scope);
  const locations = compileLocations(document.detectedLocations ?? [], scope);
  const metrics = compileMetrics(document.metrics ?? {}, scope);
  const tags = compileTexts(document.tags ?? [], 'tags', scope);
  const author = compileAuthor(document.author ?? {}, scope);
  return (record, report) => {
    const made = makeText(texts, record, report);
    addFacts(made, texts, record, report);
    made.downloaded ??= downloaded;
    made.detectedLocations = locations(record, report);
    made.metrics = metrics(record, report);
    made.tags = tags(record, report);
    made.author = author(record, report);
    return made;
  };
}

/** What was written. */
function makeText(texts: TextFields, record: RecordValue, report: ReportFailure): Draft {
  const made: Draft = { source: texts.source(record, report) ?? 'RVW' };
  const sourceId = texts.sourceId(record, report);
  if (sourceId !== undefined) made.sourceId = sourceId;
  const parentSourceId = texts.parentSourceId(record, report);
  if (parentSourceId !== undefined) made.parentSourceId = parentSourceId;
  const text = texts.text(record, report);
  if (text !== undefined) made.text = text;
  const language = texts.language(record, report);
  if (language !== undefined) made.language = language;
  return made;
}

/** What is known about it. */
function addFacts(
  made: Draft,
  texts: TextFields,
  record: RecordValue,
  report: ReportFailure,
): void {
  const sentiment = texts.sentiment(record, report);
  if (sentiment !== undefined) made.sentiment = sentiment;
  const published = texts.published(record, report);
  if (published !== undefined) made.published = published;
  const downloaded = texts.downloaded(record, report);
  if (downloaded !== undefined) made.downloaded = downloaded;
  const url = texts.url(record, report);
  if (url !== undefined) made.url = url;
}

type Draft = { -readonly [Field in keyof ImportedDocument]: ImportedDocument[Field] };

type TextFields = Readonly<Record<(typeof TEXT_FIELDS)[number], Shape<string | undefined>>>;

/** What a field without a rule holds. */
const NOTHING: Shape<undefined> = () => undefined;

function compileTextFields(rules: Mapping['document'], scope: RuleScope): TextFields {
  const fields = TEXT_FIELDS.map((field) => {
    const rule = rules[field];
    return [field, rule === undefined ? NOTHING : compileField(rule, field, scope)] as const;
  });
  return Object.fromEntries(fields) as TextFields;
}

function compileField(rule: Rule, field: string, scope: RuleScope): Shape<string | undefined> {
  const read = compileTextField(rule, scope);
  return (record, report) => {
    const value = read(record);
    if (!(value instanceof Failure)) return value;
    report(value, field);
    return undefined;
  };
}
