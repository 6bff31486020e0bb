/** Lists the columns of sampled records: those of a table, or the paths of JSON objects. */
import { trim } from '../mapping/steps/value.js';
import { columnsInCells, objectColumns, textOf } from './nested-columns.js';
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
    return columnsInCells({ name, position, texts, list: false, unnamed, label });
  });
}
