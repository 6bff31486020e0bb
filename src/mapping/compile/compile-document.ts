/** Compiles the rules of a document's fields into one function that builds the document. */
import type { Annotation, ImportedAuthor, ImportedDocument, Metric } from '../../model/document.js';
import type { RecordValue } from '../../model/record.js';
import {
  type AuthorRules,
  type DocumentRules,
  type Mapping,
  type Rule,
  TEXT_FIELDS,
} from '../mapping.js';
import { readsRelative, ruleColumns } from '../rules.js';
import { asNumber } from '../steps/number.js';
import { asText, asTexts, Failure, type Subject, type Value } from '../steps/value.js';
import { columnSubject } from './column.js';
import { compileRule, type RuleScope } from './compile-rule.js';

/** Builds a part of the document; unreadable values are passed to `report` and left out. */
type BuildPart<T> = (record: RecordValue, report: ReportFailure) => T;

export type ReportFailure = (failure: Failure, field: string) => void;

type Draft<T> = { -readonly [Field in keyof T]: T[Field] };

/**
 * Sets the fields in the order in which the API reference lists them, each by its name: stores to
 * keys that are only known at run time take V8 as long as reading all the columns.
 */
export function compileDocument(
  rules: DocumentRules,
  scope: RuleScope,
  downloaded: string,
): BuildPart<ImportedDocument> {
  const texts = compileTextFields(rules, scope);
  const locations = compileLocations(rules.detectedLocations, scope);
  const metrics = compileEntries(rules.metrics, toPair<Metric>, (rule, name) =>
    compileField(rule, `metrics.${name}`, scope, asNumber),
  );
  const tags = compileTexts(rules.tags ?? [], 'tags', scope);
  const author = compileAuthor(rules.author ?? {}, scope);
  return (record, report) => {
    const built = buildTexts(texts, record, report);
    built.downloaded ??= downloaded;
    built.detectedLocations = locations(record, report);
    built.metrics = metrics(record, report);
    built.tags = tags(record, report);
    built.author = author(record, report);
    return built;
  };
}

type TextFields = Readonly<Record<(typeof TEXT_FIELDS)[number], BuildPart<string | undefined>>>;

function compileTextFields(rules: DocumentRules, scope: RuleScope): TextFields {
  const fields = TEXT_FIELDS.map((field) => [field, compileText(rules[field], field, scope)]);
  return Object.fromEntries(fields) as TextFields;
}

function buildTexts(
  read: TextFields,
  record: RecordValue,
  report: ReportFailure,
): Draft<ImportedDocument> {
  const built: Draft<ImportedDocument> = { source: read.source(record, report) ?? 'RVW' };
  const sourceId = read.sourceId(record, report);
  if (sourceId !== undefined) built.sourceId = sourceId;
  const parentSourceId = read.parentSourceId(record, report);
  if (parentSourceId !== undefined) built.parentSourceId = parentSourceId;
  const text = read.text(record, report);
  if (text !== undefined) built.text = text;
  const language = read.language(record, report);
  if (language !== undefined) built.language = language;
  const sentiment = read.sentiment(record, report);
  if (sentiment !== undefined) built.sentiment = sentiment;
  const published = read.published(record, report);
  if (published !== undefined) built.published = published;
  const downloaded = read.downloaded(record, report);
  if (downloaded !== undefined) built.downloaded = downloaded;
  const url = read.url(record, report);
  if (url !== undefined) built.url = url;
  return built;
}

function compileText(
  rule: Rule | undefined,
  field: string,
  scope: RuleScope,
): BuildPart<string | undefined> {
  return rule === undefined ? () => undefined : compileField(rule, field, scope, asText);
}

/** @param convert converts the rule's value to the field's type */
function compileField<T>(
  rule: Rule,
  field: string,
  scope: RuleScope,
  convert: (value: Value, subject: Subject) => T | Failure | undefined,
): BuildPart<T | undefined> {
  const read = compileRule(rule, scope);
  const subject = columnSubject(ruleColumns(rule));
  return (record, report) => {
    const value = convert(read(record), subject);
    if (!(value instanceof Failure)) return value;
    report(value, field);
    return undefined;
  };
}

function compileTexts(
  rules: readonly Rule[],
  field: string,
  scope: RuleScope,
): BuildPart<readonly string[]> {
  const readers = rules.map((rule) => compileRule(rule, scope));
  return (record, report) => {
    const found: string[] = [];
    for (const read of readers) {
      const texts = asTexts(read(record));
      if (texts instanceof Failure) report(texts, field);
      else for (const text of texts) if (!found.includes(text)) found.push(text);
    }
    return found;
  };
}

/** Builds `<level>: <name>` for each level that has a name, or the values of listed rules. */
function compileLocations(
  rules: DocumentRules['detectedLocations'] = [],
  scope: RuleScope,
): BuildPart<readonly string[]> {
  if (Array.isArray(rules)) return compileTexts(rules, 'detectedLocations', scope);
  return compileEntries(
    rules as Readonly<Record<string, Rule>>,
    (level, name: string) => `${level}: ${name}`,
    (rule, level) => compileText(rule, `detectedLocations.${level}`, scope),
  );
}

function compileAuthor(rules: AuthorRules, scope: RuleScope): BuildPart<ImportedAuthor> {
  const source = compileText(rules.source, 'author.source', scope);
  const sourceId = compileText(rules.sourceId, 'author.sourceId', scope);
  const username = compileText(rules.username, 'author.username', scope);
  const annotations = compileEntries(rules.annotations, toPair<Annotation>, (rule, name) =>
    compileText(rule, `author.annotations.${name}`, scope),
  );
  return (record, report) => {
    const author: Draft<ImportedAuthor> = { source: source(record, report) ?? 'RVW' };
    const id = sourceId(record, report);
    if (id !== undefined) author.sourceId = id;
    const name = username(record, report);
    if (name !== undefined) author.username = name;
    author.annotations = annotations(record, report);
    return author;
  };
}

function toPair<Pair extends Metric | Annotation>(name: string, value: Pair['value']): Pair {
  return { name, value } as Pair;
}

function compileEntries<Value, Entry>(
  rules: Readonly<Record<string, Rule>> = {},
  entryOf: (name: string, value: Value) => Entry,
  compile: (rule: Rule, name: string) => BuildPart<Value | undefined>,
): BuildPart<readonly Entry[]> {
  // Objects, because V8 destructures pairs several times slower until it has compiled this.
  const readers = Object.entries(rules).map(([name, rule]) => ({
    name,
    read: compile(rule, name),
  }));
  return (record, report) => {
    const found: Entry[] = [];
    for (let at = 0; at < readers.length; at += 1) {
      const { name, read } = readers[at] as (typeof readers)[number];
      const value = read(record, report);
      if (value !== undefined) found.push(entryOf(name, value));
    }
    return found;
  };
}

type ReviewField = (document: ImportedDocument) => string;

const RATING_METRIC = 'score';

/**
 * Lists what identifies a review in a mapping's documents: text, author, date and rating. Documents
 * that agree in these are the same review.
 */
export function reviewFields({ document }: Pick<Mapping, 'document'>): readonly ReviewField[] {
  const { author = {}, metrics = {}, published } = document;
  const fields: ReviewField[] = [
    ({ text = '' }) => text,
    author.sourceId === undefined
      ? (one) => one.author?.username ?? ''
      : (one) => one.author?.sourceId ?? '',
  ];
  // A relative date like "2 months ago" resolves to another day in each export.
  if (published !== undefined && !readsRelative(published)) {
    fields.push(({ published: at = '' }) => at);
  }
  if (Object.hasOwn(metrics, RATING_METRIC)) fields.push(ratingOf);
  return fields;
}

function ratingOf({ metrics }: ImportedDocument): string {
  return String(metrics?.find(({ name }) => name === RATING_METRIC)?.value ?? '');
}
