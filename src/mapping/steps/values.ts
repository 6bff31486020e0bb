import type { Scalar } from '../mapping.js';
import type { Step } from '../value.js';

/** The step `values`: looks a value up; one that is not listed gives nothing. */
export function compileValues(values: Readonly<Record<string, Scalar>>): Step {
  const known = new Map(Object.entries(values));
  return (value) => known.get(String(value));
}
