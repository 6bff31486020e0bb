/** Which lists of objects a JSON document holds. */
import { walkJson } from './json-outline.js';
import { showPath } from './json-path.js';

/** Paths of lists of objects, those at the least depth first. */
export function listsIn(bytes: Buffer): string[] {
  const lists = new Map<string, number>();
  const open = new Set<string>();
  walkJson(bytes, ({ path, kind }) => {
    if (kind === 'list' && path.length > 0) open.add(showPath(path));
    const parent = showPath(path.slice(0, -1));
    const isElement = kind === 'object' && path.at(-1) === 0 && open.has(parent);
    if (isElement && !path.slice(0, -1).some((step) => typeof step === 'number' && step > 0)) {
      lists.set(parent, path.length);
    }
    return false;
  });
  return [...lists].toSorted(([, a], [, b]) => a - b).map(([path]) => path);
}
