/** Lists the columns of sampled records: those of a table, or the paths of JSON objects. */
import { trim } from '../mapping/steps/value.js';
import { parseExactly } from '../model/exact-json.js';
import { showPath } from '../model/json-path.js';
import { isObject, type RecordValue } from '../model/record.js';
import type { Sample } from './sample.js';

/** A column with its values, one for each sampled record. */
export interface Column {
  /** Name of the column as a mapping uses it, or a path like `user.name`. */
  readonly name: string;
  /** Index among the columns, from 0. */
  readonly position: number;
  /** Trimmed values; `undefined` if blank or absent. The values of a list are joined by line breaks. */
  readonly texts: readonly (string | undefined)[];
  /** The values as they are in the file, if `texts` are repaired. */
  readonly garbled?: readonly (string | undefined)[];
  /** Whether some values are lists. */
  readonly list: boolean;
  /** Whether the name carries no meaning, for example because the file has no header. */
  readonly unnamed: boolean;
  /** Words in rows below the header that describe the column, where surveys put the questions. */
  readonly label?: string;
}

/** Names that tools generate for unnamed columns. */
const GENERIC =
  /^(?:unnamed:? ?|_?c(?:ol)?[_ ]?|v|f|x|var[_ ]?|field[_ ]?|attribute[_ ]?|columns?[_ ]?|spalte[_ ]?|colonne[_ ]?|columna[_ ]?|coluna[_ ]?|kolom[_ ]?|sloupec[_ ]?|campo[_ ]?|feld[_ ]?)?\d*$/iu;

/** Lists all paths with a value, or all columns whose name is unique. */
export function columnsOf(
  sample: Pick<Sample, 'layout' | 'records' | 'labels'>,
  hasHeader: boolean,
): readonly Column[] {
  const { layout, records, labels = [] } = sample;
  const columns = layout.columns;
  if (columns === undefined) return objectColumns(records.map(({ value }) => value));
  return columns.flatMap((name, position) => {
    if (columns.indexOf(name) !== columns.lastIndexOf(name)) return [];
    const texts = records.map(({ value }) => valueText((value as readonly unknown[])[position]));
    const words = labels.map((row) => trim(row[position] ?? ''));
    const label = words.filter((text) => text !== '' && !text.startsWith('{')).join(' ');
    const unnamed = !hasHeader || GENERIC.test(name);
    return columnsInCells({ name, position, texts, list: false, unnamed, label });
  });
}

/** Number of an object's paths that are examined. */
const MAX_COLUMNS = 300;
const MAX_DEPTH = 6;

type Fields = Readonly<Record<string, unknown>>;

interface Path {
  readonly texts: (string | undefined)[];
  list: boolean;
}

/** Lists all paths that lead to a value in some record. */
function objectColumns(records: readonly (RecordValue | undefined)[]): readonly Column[] {
  const paths = new Map<string, Path>();
  const many = new Set<string>();
  const objects = new Set<string>();
  const each = (visit: Visit): void => {
    for (const [index, record] of records.entries()) {
      try {
        if (record !== undefined) walk(record as Fields, '', { index, many, objects, visit });
      } catch {
        // A getter or proxy of a program's object threw. Other records reveal the columns.
      }
    }
  };
  // The first walk finds the lists that have several elements in some record.
  each(() => {});
  each((name, value, index) => {
    let path = paths.get(name);
    if (path === undefined) {
      if (paths.size >= MAX_COLUMNS) return;
      path = { texts: new Array<string | undefined>(records.length).fill(undefined), list: false };
      paths.set(name, path);
    }
    if (Array.isArray(value)) path.list = true;
    path.texts[index] = valueText(value);
  });
  // Null instead of an object doesn't make a column.
  const filled = [...paths].filter(
    ([name, { texts }]) => !objects.has(name) || texts.some((text) => text !== undefined),
  );
  return filled.map(([name, { texts, list }], position) => ({
    name,
    position,
    texts,
    list,
    unnamed: false,
  }));
}

/** Minimum share of JSON objects among a column's cells. */
const MIN_JSON = 0.9;

/** Replaces a column of JSON objects by the columns in them. */
function columnsInCells(column: Column): readonly Column[] {
  const filled = column.texts.filter((text) => text !== undefined);
  const objects = column.texts.map((text) => (text === undefined ? undefined : jsonObject(text)));
  const found = objects.filter((one) => one !== undefined).length;
  if (found === 0 || found < filled.length * MIN_JSON) return [column];
  return objectColumns(objects).map((inside) => ({
    ...inside,
    name: `${column.name}${/^\[/u.test(inside.name) ? '' : '.'}${inside.name}`,
    position: column.position,
  }));
}

function jsonObject(text: string): Fields | undefined {
  if (!/^\s*\{\s*["}]/u.test(text)) return undefined;
  try {
    const value = parseExactly(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Visit = (path: string, value: unknown, index: number) => void;

interface Walk {
  readonly index: number;
  /** Paths of lists that have several elements in some record. */
  readonly many: Set<string>;
  /** Names of values that are objects in some record. */
  readonly objects: Set<string>;
  readonly visit: Visit;
}

/** Visits every value inside an object with the path that a mapping would use for it. */
function walk(object: Fields, prefix: string, at: Walk): void {
  if (prefix.split('.').length > MAX_DEPTH) return;
  for (const [key, value] of Object.entries(object)) {
    const inside = insideOf(value);
    // At the top, any key is found by its own spelling.
    const name = columnName(key, prefix);
    if (inside === undefined) {
      at.visit(name, value, at.index);
      continue;
    }
    at.objects.add(name);
    walkInside(inside, prefix === '' ? showPath([key]) : name, at);
  }
}

/** An XML element's text has the element's own name. */
function columnName(key: string, prefix: string): string {
  if (prefix === '') return key;
  return key === '#text' ? prefix : `${prefix}${step(key, prefix)}`;
}

function step(key: string, prefix: string): string {
  const shown = showPath([key]);
  return shown.startsWith('[') ? shown : `${prefix === '' ? '' : '.'}${shown}`;
}

function walkInside(inside: Fields | readonly Fields[], path: string, at: Walk): void {
  if (!isElements(inside)) {
    walk(inside, path, at);
    return;
  }
  if (areAlike(inside)) at.many.add(path);
  if (at.many.has(path)) walkElements(inside, path, at);
  else walk(inside[0] ?? {}, `${path}[0]`, at);
}

function isElements(inside: Fields | readonly Fields[]): inside is readonly Fields[] {
  return Array.isArray(inside);
}

/** Visits the values that all elements of a list have under a path, as one list. */
function walkElements(elements: readonly Fields[], path: string, at: Walk): void {
  const values = new Map<string, unknown[]>();
  const visit: Visit = (name, value) => {
    const known = values.get(name);
    const list = Array.isArray(value) ? value : [value];
    if (known === undefined) values.set(name, [...list]);
    else known.push(...list);
  };
  for (const element of elements) walk(element, `${path}[]`, { ...at, visit });
  for (const [name, list] of values) at.visit(name, list, at.index);
}

/** Returns whether a list has several elements of one kind: two that share a key. */
function areAlike([first, second]: readonly Fields[]): boolean {
  if (first === undefined || second === undefined) return false;
  return Object.keys(first).some((key) => Object.hasOwn(second, key));
}

/** A value's fields if it is an object, also as a text; or the objects in a list. */
function insideOf(value: unknown): Fields | readonly Fields[] | undefined {
  if (isObject(value)) return value;
  if (typeof value === 'string') return jsonObject(value);
  if (!Array.isArray(value) || !isObject(value[0])) return undefined;
  return value.filter(isObject);
}

/** Trims a value's text; the values of a list are joined by line breaks. */
function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = parts.filter((part) => part !== null && part !== undefined);
  const text = trim(texts.map(String).join('\n'));
  return text === '' ? undefined : text;
}
