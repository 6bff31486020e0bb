/** Reads fields, tests and input options from a parsed mapping, and makes changes to it. */
import type { MappingChange, Rule } from '../../../index.js';
import { isObject } from '../../../model/record.js';
import type { ShownRecord } from '../../wire.js';

export interface MappedField {
  /** Dotted name: `metrics.score`, `tags.0`. */
  readonly name: string;
  readonly path: MappingChange['path'];
  /** The rule as written in the mapping; `undefined` if there is none yet. */
  readonly rule: Rule | undefined;
}

type Keys = Readonly<Record<string, unknown>>;

/** Keys whose values are maps or lists of rules, not rules. */
const GROUPS = new Set(['detectedLocations', 'metrics', 'tags', 'author', 'author.annotations']);

/** Lists a mapping's fields in its order; none if the mapping can't be parsed. */
export function fieldsOf(written: unknown): readonly MappedField[] {
  return isObject(written) ? fieldsIn(written['document'], []) : [];
}

function fieldsIn(rules: unknown, above: MappingChange['path']): readonly MappedField[] {
  if (typeof rules !== 'object' || rules === null) return [];
  return Object.entries(rules).flatMap(([key, rule]) => {
    const path = [...above, Array.isArray(rules) ? Number(key) : key];
    if (GROUPS.has(path.join('.'))) return fieldsIn(rule, path);
    return [fieldAt(path, rule as Rule)];
  });
}

/** @param path below `document` */
export function fieldAt(path: MappingChange['path'], rule?: Rule): MappedField {
  return { name: path.join('.'), path: ['document', ...path], rule };
}

/** Name of the field in figures and proposals, where all tags are one field. */
export function wholeName({ path }: Pick<MappedField, 'path'>): string {
  return path
    .slice(1)
    .filter((step) => typeof step === 'string')
    .join('.');
}

/** Name of the field in records that are shown: `tags[0]`. */
export function shownName({ path }: Pick<MappedField, 'path'>): string {
  const [first, ...inside] = path.slice(1);
  return [
    first,
    ...inside.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)),
  ].join('');
}

export function testsOf(written: unknown): readonly unknown[] {
  const tests = isObject(written) ? written['tests'] : undefined;
  return Array.isArray(tests) ? tests : [];
}

export function inputOf(written: unknown): Keys {
  const input = isObject(written) ? written['input'] : undefined;
  return isObject(input) ? input : {};
}

/** Writes a rule on one line. */
export function ruleText(rule: unknown): string {
  return typeof rule === 'string' ? rule : JSON.stringify(rule);
}

/** Flattens a record into columns, or paths into its objects as rules name them. */
export function recordRows(record: object): readonly (readonly [name: string, value: unknown])[] {
  const rows = (inner: object, above: string): readonly (readonly [string, unknown])[] =>
    Object.entries(inner).flatMap(([key, value]) =>
      isObject(value) && !Array.isArray(value)
        ? rows(value, `${above}${key}.`)
        : [[above + key, value] as const],
    );
  return rows(record, '');
}

/** Flattens a document into rows of leaf values, for example `metrics.score` or `tags[0]`. */
export function documentRows(
  document: object,
): readonly (readonly [name: string, value: unknown])[] {
  return rowsOf(document, '');
}

function rowsOf(value: unknown, name: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => rowsOf(...entryRow(entry, name, index)));
  }
  if (!isObject(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    rowsOf(inner, name === '' ? key : `${name}.${key}`),
  );
}

/** Metrics and annotations have a `name`; locations start with their level: `city: Prague`. */
function entryRow(entry: unknown, name: string, index: number): [value: unknown, name: string] {
  if (isObject(entry) && typeof entry['name'] === 'string') {
    return [entry['value'], `${name}.${entry['name']}`];
  }
  const place = name === 'detectedLocations' ? /^(\w+): /.exec(String(entry)) : null;
  return place === null ? [entry, `${name}[${index}]`] : [entry, `${name}.${place[1]}`];
}

/** Whether a rule produces a field or a part of it: `tags[0]` is a part of `tags`. */
export function contributesTo(ruleField: string, field: string): boolean {
  return (
    ruleField === field || ruleField.startsWith(`${field}[`) || field.startsWith(`${ruleField}[`)
  );
}

/** An entry of a mapping's `tests`. */
export interface RecordTest {
  readonly record: Readonly<Record<string, unknown>>;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly skipped?: true;
  readonly invalid?: readonly string[];
}

/** Makes a mapping test from a record's current outcome. Returns the reason as a sentence if it can't. */
export function testFromRecord(shown: ShownRecord): RecordTest | string {
  const { record, document, skipped, problems, rules, isCut } = shown;
  if (record === null) return 'A record that could not be read can’t be a test.';
  const named = new Set(rules.flatMap(({ columns }) => Object.keys(columns)));
  const isTable = [...named].every((name) => Object.hasOwn(record, name));
  // Conditions under skip use columns that `rules` doesn't list.
  const isWhole = skipped || !isTable;
  const values = Object.entries(record).filter(([name]) => isWhole || named.has(name));
  if (isCut) return 'The record’s values are too long for a test.';
  const test = { record: Object.fromEntries(values) };
  if (skipped) return { ...test, skipped: true };
  const fields = [...new Set(problems.flatMap(({ field }) => (field ? [field] : [])))];
  if (problems.length > 0) {
    return fields.length === 0
      ? 'The record’s problems don’t belong to a field, so a test can’t state them.'
      : { ...test, invalid: fields };
  }
  const mapped = new Set(rules.map(({ field }) => field.split(/[.[]/u, 1)[0]));
  const kept = Object.entries(document ?? {}).filter(([name]) => mapped.has(name));
  return { ...test, document: Object.fromEntries(kept) };
}
