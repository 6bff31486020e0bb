/** The document's fields that are lists, and the author. */
import type { Annotation, ImportedAuthor, Metric } from '../../model/document.js';
import type { RecordValue } from '../../model/record.js';
import type { AuthorRules, DocumentRules, Rule } from '../mapping.js';
import { ruleColumns } from '../rules/walk-rules.js';
import { plainNumber } from '../steps/number.js';
import { asText, asTexts, type CompiledRule, Failure, failure } from '../steps/value.js';
import { columnSubject } from './column.js';
import { compileRule, type RuleScope } from './compile-rule.js';

/** Makes a part of the document; what can't be read is told to `report` and left out. */
export type Shape<T> = (record: RecordValue, report: ReportFailure) => T;

/** Takes a failure and the document's field that it concerns. */
export type ReportFailure = (failure: Failure, field: string) => void;

/** Gives one text or nothing. */
export function compileTextField(
  rule: Rule,
  scope: RuleScope,
): (record: RecordValue) => string | Failure | undefined {
  const read = compileRule(rule, scope);
  const subject = columnSubject(ruleColumns(rule));
  return (record) => asText(read(record), subject);
}

/** `<level>: <name>` for each level that has a name, or what the listed rules give. */
export function compileLocations(
  rules: DocumentRules['detectedLocations'] & {},
  scope: RuleScope,
): Shape<readonly string[]> {
  if (Array.isArray(rules)) return compileTexts(rules, 'detectedLocations', scope);
  const levels = namedRules(rules as Readonly<Record<string, Rule>>, scope, compileTextField);
  return (record, report) => {
    const locations: string[] = [];
    for (let at = 0; at < levels.length; at += 1) {
      const { name: level, read } = levels[at] as (typeof levels)[number];
      const name = read(record);
      if (name instanceof Failure) report(name, `detectedLocations.${level}`);
      else if (name !== undefined) locations.push(`${level}: ${name}`);
    }
    return locations;
  };
}

/** One flat list of texts: blanks and repeats removed. */
export function compileTexts(
  rules: readonly Rule[],
  field: string,
  scope: RuleScope,
): Shape<readonly string[]> {
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

/** A list of named numbers. */
export function compileMetrics(
  rules: Readonly<Record<string, Rule>>,
  scope: RuleScope,
): Shape<readonly Metric[]> {
  const metrics = namedRules(rules, scope, compileMetric);
  return (record, report) => {
    const found: Metric[] = [];
    for (let at = 0; at < metrics.length; at += 1) {
      const { name, read } = metrics[at] as (typeof metrics)[number];
      const value = read(record);
      if (value instanceof Failure) report(value, `metrics.${name}`);
      else if (value !== undefined) found.push({ name, value });
    }
    return found;
  };
}

function compileMetric(
  rule: Rule,
  scope: RuleScope,
): (record: RecordValue) => number | Failure | undefined {
  const read: CompiledRule = compileRule(rule, scope);
  const subject = columnSubject(ruleColumns(rule));
  return (record) => {
    const value = read(record);
    if (value === undefined || value instanceof Failure) return value;
    const number = typeof value === 'object' ? undefined : plainNumber(value);
    return number ?? failure('unreadable-number', subject, value, 'a number (see the step number)');
  };
}

/** The author, with its defaults. */
export function compileAuthor(rules: AuthorRules, scope: RuleScope): Shape<ImportedAuthor> {
  const { annotations = {}, ...texts } = rules;
  const fields = namedRules(texts as Readonly<Record<string, Rule>>, scope, compileTextField);
  const notes = compileAnnotations(annotations, scope);
  return (record, report) => {
    const author: Record<string, unknown> = { source: 'RVW' };
    for (let at = 0; at < fields.length; at += 1) {
      const { name: field, read } = fields[at] as (typeof fields)[number];
      const value = read(record);
      if (value instanceof Failure) report(value, `author.${field}`);
      else if (value !== undefined) author[field] = value;
    }
    author['annotations'] = notes(record, report);
    return author;
  };
}

function compileAnnotations(
  rules: Readonly<Record<string, Rule>>,
  scope: RuleScope,
): Shape<readonly Annotation[]> {
  const annotations = namedRules(rules, scope, compileTextField);
  return (record, report) => {
    const found: Annotation[] = [];
    for (let at = 0; at < annotations.length; at += 1) {
      const { name, read } = annotations[at] as (typeof annotations)[number];
      const value = read(record);
      if (value instanceof Failure) report(value, `author.annotations.${name}`);
      else if (value !== undefined) found.push({ name, value });
    }
    return found;
  };
}

/** Objects, as pairs take V8 several times as long to take apart until it has compiled what does. */
function namedRules<T>(
  rules: Readonly<Record<string, Rule>>,
  scope: RuleScope,
  compile: (rule: Rule, scope: RuleScope) => T,
): readonly { readonly name: string; readonly read: T }[] {
  return Object.entries(rules).map(([name, rule]) => ({ name, read: compile(rule, scope) }));
}
