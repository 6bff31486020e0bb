/** The option `records` for XML: the elements that are records. */

/** `Feed/Product[]/Reviews/Review`, without namespaces. */
export interface ElementPath {
  /** Names from the root to a record. */
  readonly path: readonly string[];
  /** Number of names up to the element to cut and read as a whole: the record, or its parent. */
  readonly unit: number;
}

/** Parses a path; `undefined` if the text isn't one. */
export function parseElementPath(records: string): ElementPath | undefined {
  const steps = records.replace(/^\//, '').split('/');
  const parents = steps.slice(0, -1).filter((step) => step.endsWith('[]'));
  const areNames = steps.every((step) => /^[^[\]\s]+(?:\[\])?$/.test(step));
  if (!areNames || parents.length > 1) return undefined;
  const [parent = steps.at(-1) ?? ''] = parents;
  const path = steps.map((step) => localName(step.replace('[]', '')));
  return { path, unit: steps.indexOf(parent) + 1 };
}

/** A name without the prefix of its namespace. */
export function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
