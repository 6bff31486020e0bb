/** How to read an input. What is left out is detected. A mapping says it under `input`. */
export interface InputOptions {
  readonly format?: 'csv' | 'jsonl' | 'json' | 'xlsx' | 'parquet';
  /** What stands between two fields; one character, or several. */
  readonly delimiter?: string;
  /** One ASCII character; `null`: quotes mean nothing. */
  readonly quote?: string | null;
  /** One ASCII character; the quote itself by default. `null`: quoted fields hold no quotes. */
  readonly escape?: string | null;
  /** Lines that start with this are no records; none by default. */
  readonly comment?: string | null;
  /** A name such as `utf-8`, `windows-1252`, `utf-16le`. */
  readonly encoding?: string;
  /**
   * `true` (the default): the first record names the columns. `false`: there are no names, and the
   * columns are called `1`, `2`, … A list: these are the names, and the file holds none.
   */
  readonly header?: boolean | readonly string[];
  /** Lines before the header that are no part of the table; default 0. */
  readonly skipLines?: number;
  /** Path of the list inside a JSON document: `result.reviews`, `pages[0].items`. */
  readonly records?: string;
  /** The sheet of a workbook, by name or by number from 1; default: the first that is not hidden. */
  readonly sheet?: string | number;
}
