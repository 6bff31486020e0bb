/** The fields that a mapping makes, as its text has them. */
import type { MappingChange } from '../../../index.js';
import { isObject } from '../../../model/record.js';
import type { ShownRecord } from '../../wire.js';

/** A field of the document with its rule. */
export interface MappedField {
  /** As messages and guesses name it: `metrics.score`. */
  readonly name: string;
  readonly path: MappingChange['path'];
  /** As the mapping writes it. */
  readonly rule: unknown;
}

type Keys = Readonly<Record<string, unknown>>;

/** What holds rules, and is none itself. */
const GROUPS = new Set(['detectedLocations', 'metrics', 'author', 'author.annotations']);

/** The fields in the order of the mapping; none of one that can't be read. */
export function fieldsOf(written: unknown): readonly MappedField[] {
  return isObject(written) ? fieldsIn(written['document'], []) : [];
}

function fieldsIn(document: unknown, above: readonly string[]): readonly MappedField[] {
  if (!isObject(document)) return [];
  return Object.entries(document).flatMap(([key, rule]) => {
    const path = [...above, key];
    const name = path.join('.');
    if (GROUPS.has(name)) return fieldsIn(rule, path);
    return [{ name, path: ['document', ...path], rule }];
  });
}

/** What `tests` of a mapping holds. */
export function testsOf(written: unknown): readonly unknown[] {
  const tests = isObject(written) ? written['tests'] : undefined;
  return Array.isArray(tests) ? tests : [];
}

/** What `input` of a mapping states. */
export function inputOf(written: unknown): Keys {
  const input = isObject(written) ? written['input'] : undefined;
  return isObject(input) ? input : {};
}

/** The change after which a field is read from a column; other steps of its rule stay. */
export function columnChange({ path, rule }: MappedField, column: string): MappingChange {
  if (isObject(rule) && typeof rule['from'] === 'string') {
    return { path: [...path, 'from'], value: column };
  }
  return { path, value: /[{}]/u.test(column) ? { from: column } : `{${column}}` };
}

/** A rule on one line. */
export function ruleText(rule: unknown): string {
  return typeof rule === 'string' ? rule : JSON.stringify(rule);
}

/** A document as rows: `metrics.score` is a row, and so is each tag. */
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

/** Metrics and annotations have names of their own; places have them in their texts. */
function entryRow(entry: unknown, name: string, index: number): [value: unknown, name: string] {
  if (isObject(entry) && typeof entry['name'] === 'string') {
    return [entry['value'], `${name}.${entry['name']}`];
  }
  const place = name === 'detectedLocations' ? /^(\w+): /.exec(String(entry)) : null;
  return place === null ? [entry, `${name}[${index}]`] : [entry, `${name}.${place[1]}`];
}

/** Whether a rule of the preview makes (part of) a field: `tags[0]` of `tags`. */
export function makes(ruleField: string, field: string): boolean {
  return (
    ruleField === field || ruleField.startsWith(`${field}[`) || field.startsWith(`${ruleField}[`)
  );
}

/** As `tests` of a mapping holds it. */
export interface MadeTest {
  readonly record: Readonly<Record<string, unknown>>;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly skipped?: true;
  readonly invalid?: readonly string[];
}

/** Makes a test of a mapping from what it does with a record now; a sentence if there can be none. */
export function testOf(shown: ShownRecord): MadeTest | string {
  const { record, document, skipped, problems, rules, isCut } = shown;
  if (record === null) return 'A record that could not be read makes no test.';
  const named = new Set(rules.flatMap(({ columns }) => Object.keys(columns)));
  const isTable = [...named].every((name) => Object.hasOwn(record, name));
  // What a record is skipped for is no rule's column.
  const isWhole = skipped || !isTable;
  const values = Object.entries(record).filter(([name]) => isWhole || named.has(name));
  if (isCut) return 'Its values are too long for a test.';
  const given = { record: Object.fromEntries(values) };
  if (skipped) return { ...given, skipped: true };
  const fields = [...new Set(problems.flatMap(({ field }) => (field ? [field] : [])))];
  if (problems.length > 0) {
    return fields.length === 0
      ? 'What is wrong with it is no field’s.'
      : { ...given, invalid: fields };
  }
  const made = new Set(rules.map(({ field }) => field.split(/[.[]/u, 1)[0]));
  const kept = Object.entries(document ?? {}).filter(([name]) => made.has(name));
  return { ...given, document: Object.fromEntries(kept) };
}
