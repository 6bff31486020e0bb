/** Lists the columns of sampled records: those of a table, or the paths of JSON objects. */
import { trim } from '../mapping/steps/value.js';
import type { RecordValue } from '../model/record.js';
import type { Sample } from './sample.js';

/** A column with its values, one for each sampled record. */
export interface Column {
  /** Name of the column as a mapping uses it, or a path like `user.name`. */
  readonly name: string;
  /** Index among the columns, from 0. */
  readonly position: number;
  /** Trimmed values; `undefined` if blank or absent. The values of a list are joined by line breaks. */
  readonly texts: readonly (string | undefined)[];
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

/** Number of an object's paths that are examined. */
const MAX_COLUMNS = 300;
const MAX_DEPTH = 6;

/** Lists all paths with a value, or all columns whose name is unique. */
export function columnsOf(sample: Sample, hasHeader: boolean): readonly Column[] {
  const { layout, records, labels = [] } = sample;
  const columns = layout.columns;
  if (columns === undefined) return objectColumns(records.map(({ value }) => value));
  return columns.flatMap((name, position) => {
    if (columns.indexOf(name) !== columns.lastIndexOf(name)) return [];
    const texts = records.map(({ value }) => textOf((value as readonly unknown[])[position]));
    const words = labels.map((row) => trim(row[position] ?? ''));
    const label = words.filter((text) => text !== '' && !text.startsWith('{')).join(' ');
    const unnamed = !hasHeader || GENERIC.test(name);
    return [{ name, position, texts, list: false, unnamed, label }];
  });
}

interface Path {
  readonly texts: (string | undefined)[];
  list: boolean;
}

function objectColumns(records: readonly RecordValue[]): readonly Column[] {
  const paths = new Map<string, Path>();
  for (const [index, record] of records.entries()) {
    const add: Visit = (name, value) => {
      let path = paths.get(name);
      if (path === undefined) {
        if (paths.size >= MAX_COLUMNS) return;
        path = {
          texts: new Array<string | undefined>(records.length).fill(undefined),
          list: false,
        };
        paths.set(name, path);
      }
      if (Array.isArray(value)) path.list = true;
      path.texts[index] = textOf(value);
    };
    try {
      walk(record as Readonly<Record<string, unknown>>, '', add);
    } catch {
      // A getter or proxy of a program's object threw. Other records reveal the columns.
    }
  }
  return [...paths].map(([name, { texts, list }], position) => ({
    name,
    position,
    texts,
    list,
    unnamed: false,
  }));
}

type Visit = (path: string, value: unknown) => void;

/** Visits every value inside an object with the path that a mapping would use for it. */
function walk(object: Readonly<Record<string, unknown>>, prefix: string, visit: Visit): void {
  if (prefix.split('.').length > MAX_DEPTH) return;
  for (const [key, value] of Object.entries(object)) {
    if (!isAddressable(key, prefix === '')) continue;
    const inside = nestedObject(value);
    if (inside === undefined) visit(`${prefix}${key}`, value);
    else if (!/[.[\]]/u.test(key)) walk(inside.object, `${prefix}${key}${inside.step}`, visit);
  }
}

/** Returns a value if it is an object, or the first of a list of objects, with the path to its keys. */
function nestedObject(
  value: unknown,
): { readonly object: Readonly<Record<string, unknown>>; readonly step: string } | undefined {
  if (isObject(value)) return { object: value, step: '.' };
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(first) ? { object: first, step: '[0].' } : undefined;
}

/** Whether a mapping can name a key. At the top level, any key without braces can be named. */
function isAddressable(key: string, top: boolean): boolean {
  if (/[{}]/u.test(key)) return false;
  return top || (key !== '' && !/[.[\]]/u.test(key));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = parts.filter((part) => part !== null && part !== undefined);
  const text = trim(texts.map(String).join('\n'));
  return text === '' ? undefined : text;
}
