/**
 * Paths to values in JSON, as mappings and options write them: `user.name`, `photos[0].url`,
 * `products[].reviews[]`, `scores['Room.Service']`.
 */

/** Step to all elements of a list, or all values of an object: `[]`. */
export const EACH = null;

/** Keys and indexes that lead from the top of a value to an inner one. */
export type KeyPath = readonly (string | number)[];

export type PathStep = string | number | typeof EACH;

const STEP = /^([^.[\]]+)|(?<!^)\.([^.[\]]+)|\[(\d*)\]|\['([^']*)'\]|\["([^"]*)"\]/uy;

/** Parses a path; `undefined` if the text isn't one. */
export function parsePath(text: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  STEP.lastIndex = 0;
  for (let at = 0; at < text.length; at = STEP.lastIndex) {
    const match = STEP.exec(text);
    if (match === null) return undefined;
    const [, first, later, index, single, double] = match;
    if (index === undefined) steps.push((first ?? later ?? single ?? double) as string);
    else steps.push(index === '' ? EACH : Number(index));
  }
  return steps;
}

/** Returns the value at a path inside another; `undefined` if there is none. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((inner, step) => {
    const isThere = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step);
    return isThere ? Reflect.get(inner, step) : undefined;
  }, value);
}

/** Formats a path as {@link parsePath} reads it. */
export function showPath(path: readonly PathStep[]): string {
  return path.map((step, at) => showStep(step, at === 0)).join('');
}

function showStep(step: PathStep, isFirst: boolean): string {
  if (step === EACH) return '[]';
  if (typeof step === 'number') return `[${step}]`;
  if (/^[^.[\]]+$/u.test(step)) return isFirst ? step : `.${step}`;
  return step.includes("'") ? `["${step}"]` : `['${step}']`;
}
