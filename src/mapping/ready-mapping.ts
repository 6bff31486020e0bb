/** A layout of exports, and the mapping in `mappings/` that was written for it. */
export interface ReadyMapping {
  /** Of the file in `mappings/`, without its ending. */
  readonly name: string;
  /** What the export is. */
  readonly layout: string;
  readonly format: 'csv' | 'jsonl' | 'json';
  /** The whole header, in order; of objects, keys and paths by which to tell them, which each file has. */
  readonly columns: readonly string[];
  /** That between the columns of a table others stand, as the questions of a survey do. */
  readonly more?: true;
  /** A real export that the mapping was tried on; if there was none, what it rests on. */
  readonly basis: 'real export' | 'own layout' | 'public code' | `https://${string}`;
}
