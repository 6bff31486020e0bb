/** Everything that is wrong with a mapping: first its shape, then what the shape can't say. */
import { isObject, type Mistake } from './mistake.js';
import { ruleMistakes } from './rule-mistakes.js';
import { schemaMistakes } from './schema-mistakes.js';

/** All mistakes of a mapping, from top to bottom of each check; none when it can be used. */
export function findMistakes(value: unknown): readonly Mistake[] {
  const ofShape = schemaMistakes(value);
  // Where the shape is wrong, the value may be anything: the second check looks at what it can.
  const ofMeaning = isObject(value) ? ruleMistakes(value) : [];
  const seen = new Set<string>();
  return [...ofShape, ...ofMeaning].filter((mistake) => {
    const id = JSON.stringify(mistake);
    return !seen.has(id) && seen.add(id);
  });
}
