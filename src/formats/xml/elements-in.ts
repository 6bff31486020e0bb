/** Finds elements that repeat in the start of a document, for `guess` and for messages. */
import { EACH, type PathStep } from '../../model/json-path.js';
import { visitLists } from '../json/lists-in.js';
import { ElementParser } from './parse-element.js';

/**
 * Finds the paths of elements that repeat, shallowest first, with `[]` after the nearest one around
 * them that does, too: `Feed/Product[]/Reviews/Review`.
 */
export function elementsIn(bytes: Buffer): readonly string[] {
  const paths = new Map<string, number>();
  visitLists(new ElementParser(false).parse(bytes), [], (steps, keyed) => {
    if (!keyed) paths.set(elementPath(steps.slice(0, -1)), steps.length);
  });
  return [...paths].toSorted(([, a], [, b]) => a - b).map(([path]) => path);
}

function elementPath(steps: readonly PathStep[]): string {
  const parent = steps.lastIndexOf(EACH);
  const names = steps.map((step, at) => (step !== EACH ? `/${step}` : at === parent ? '[]' : ''));
  return names.join('').slice(1);
}
