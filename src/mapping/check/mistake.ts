/** What is wrong with a mapping file. */

/** One mistake and where it stands. */
export interface Mistake {
  /** Keys and indexes from the top of the mapping. */
  readonly path: readonly (string | number)[];
  /** The key at the path that is wrong, where it is not the value. */
  readonly key?: string;
  /** What is wrong, what was expected, and the nearest name. */
  readonly message: string;
}
