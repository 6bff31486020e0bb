/** Everything that is wrong with a mapping: first its shape, then what the shape can't say. */
import { isObject } from '../../model/record.js';
import { pathText } from '../../validation/explain-errors.js';
import { schemaMistakes } from '../../validation/shipped-schemas.js';
import type { Mistake } from './mistake.js';
import { ruleMistakes } from './rule-mistakes.js';

/** All mistakes of a mapping, from top to bottom of each check; none when it can be used. */
export function findMistakes(value: unknown): readonly Mistake[] {
  // Where the shape is wrong, the value may be anything: the second check looks at what it can.
  const ofMeaning = isObject(value) ? ruleMistakes(value) : [];
  return [...shapeMistakes(value), ...ofMeaning.map(withPlace)];
}

function shapeMistakes(value: unknown): readonly Mistake[] {
  return schemaMistakes('mapping', value).map(({ path, inside, key, says }) => ({
    path: path.slice(0, inside),
    ...(key === undefined ? {} : { key }),
    message: `${pathText(path) || 'the mapping'} ${says}`,
  }));
}

function withPlace(mistake: Mistake): Mistake {
  const place = pathText(mistake.path);
  return place === '' ? mistake : { ...mistake, message: `${place}: ${mistake.message}` };
}
