/** Compiles a mapping: from here on a record is turned into a document by calling functions. */
import type { ImportedDocument } from '../../model/document.js';
import { MappingError } from '../../model/errors.js';
import type { Problem, RecordValue } from '../../model/record.js';
import { undatedMistakes } from '../check/run-mistakes.js';
import { inText, placeOf } from '../load/written-places.js';
import { type Mapping, TEXT_FIELDS } from '../mapping.js';
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
  const isHashed = compileIsHashed(mapping.document.sourceId, scope);
  return (record) => {
    const problems: Problem[] = [];
    const report: ReportFailure = ({ complaints }, field) => {
      for (const complaint of complaints) problems.push({ ...complaint, field });
    };
    if (isSkipped(skips, record, report)) return SKIPPED;
    const document = makeDocument(record, report);
    return { skipped: false, document, problems, hashedId: isHashed?.(record) ?? false };
  };
}

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

/** The fields are set in the order in which the API's description lists them. */
function compileDocument(
  { document }: Mapping,
  scope: RuleScope,
  downloaded: string,
): Shape<ImportedDocument> {
  const texts = TEXT_FIELDS.flatMap((field) => {
    const rule = document[field];
    return rule === undefined ? [] : [[field, compileTextField(rule, scope)] as const];
  });
  const locations = compileLocations(document.detectedLocations ?? [], scope);
  const metrics = compileMetrics(document.metrics ?? {}, scope);
  const tags = compileTexts(document.tags ?? [], 'tags', scope);
  const author = compileAuthor(document.author ?? {}, scope);
  return (record, report) => {
    const made: Record<string, unknown> = { source: 'RVW' };
    for (const [field, read] of texts) {
      const value = read(record);
      if (value instanceof Failure) report(value, field);
      else if (value !== undefined) made[field] = value;
    }
    made['downloaded'] ??= downloaded;
    made['detectedLocations'] = locations(record, report);
    made['metrics'] = metrics(record, report);
    made['tags'] = tags(record, report);
    made['author'] = author(record, report);
    return made;
  };
}
