/** Reads fields and input options from a parsed mapping, and flattens records and documents. */
import type { MappingChange, Rule } from '../../../index.js';
import { isObject } from '../../../model/record.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import DATA from './field-groups.json' with { type: 'json' };

export interface MappedField {
  /** Dotted name: `metrics.score`, `tags.0`. */
  readonly name: string;
  readonly path: MappingChange['path'];
  /** The rule as written in the mapping; `undefined` if there is none yet. */
  readonly rule: Rule | undefined;
}

/** Keys whose values are maps or lists of rules, not rules. */
const GROUPS = new Set(['detectedLocations', 'metrics', 'tags', 'author', 'author.annotations']);

/** Lists a mapping's fields in its order; none if the mapping can't be parsed. */
export function mappingFields(written: unknown): readonly MappedField[] {
  return isObject(written) ? fieldsIn(written['document'], []) : [];
}

function fieldsIn(rules: unknown, above: MappingChange['path']): readonly MappedField[] {
  if (typeof rules !== 'object' || rules === null) return [];
  return Object.entries(rules).flatMap(([key, rule]) => {
    const path = [...above, Array.isArray(rules) ? Number(key) : key];
    if (GROUPS.has(path.join('.'))) return fieldsIn(rule, path);
    // While a rule is typed, there is none.
    return [fieldAt(path, (rule ?? undefined) as Rule | undefined)];
  });
}

/** @param path below `document` */
export function fieldAt(path: MappingChange['path'], rule?: Rule | undefined): MappedField {
  return { name: path.join('.'), path: ['document', ...path], rule };
}

/** Name of the field in records that are shown: `tags[0]`. */
export function shownName({ path }: Pick<MappedField, 'path'>): string {
  const steps = path.slice(1).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').slice(1);
}

export function inputOf(written: unknown): Readonly<Record<string, unknown>> {
  const input = isObject(written) ? written['input'] : undefined;
  return isObject(input) ? input : {};
}

type Row = readonly [name: string, value: unknown];

/** Flattens a record into columns, or paths into its objects as rules name them. */
export function recordRows(record: object, above = ''): readonly Row[] {
  return Object.entries(record).flatMap(([key, value]): readonly Row[] => {
    const isNested = isObject(value) && !Array.isArray(value);
    return isNested ? recordRows(value, `${above}${key}.`) : [[above + key, value]];
  });
}

/** Flattens a document into rows of leaf values, for example `metrics.score` or `tags[0]`. */
export function documentRows(value: unknown, name = ''): readonly Row[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => documentRows(...entryRow(entry, name, index)));
  }
  if (!isObject(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    documentRows(inner, name === '' ? key : `${name}.${key}`),
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

export interface FieldGroup {
  readonly title: string;
  /** Labels by dotted name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Beginning of the names that people choose themselves, and the word for one. */
  readonly own?: readonly [above: string, word: string];
}

/** The last group takes all fields that no other has. */
export const FIELD_GROUPS = DATA as unknown as readonly FieldGroup[];

/** Group that a field is listed in. */
export function fieldGroup(name: string): FieldGroup | undefined {
  const isIn = ({ fields, own }: FieldGroup): boolean =>
    Object.hasOwn(fields, name) || (own !== undefined && name.startsWith(own[0]));
  return FIELD_GROUPS.find(isIn) ?? FIELD_GROUPS.at(-1);
}

/** Name of a field for people: `Author name`. */
export function labelOf(name: string): string {
  const { fields = {} } = fieldGroup(name) ?? {};
  const tag = /^tags\.(\d+)$/u.exec(name);
  if (tag !== null) return `Tag ${Number(tag[1]) + 1}`;
  return fields[name] ?? name.replace(/^(?:metrics|author\.annotations)\./u, '');
}

/** Path of a field below `document`, for a name out of {@link FIELD_GROUPS}. */
export function fieldPath(name: string): MappingChange['path'] {
  return name.split('.').map((step) => (/^\d+$/u.test(step) ? Number(step) : step));
}
