import { OptionError } from '../../model/errors.js';

/** Keys and list indexes from the top of a document to a value in it. */
export type JsonPath = readonly (string | number)[];

/**
 * Reads `result.reviews` or `pages[0].items`.
 * @throws OptionError
 */
export function parsePath(path: string): JsonPath {
  const steps: (string | number)[] = [];
  for (const part of path.split('.')) {
    const match = /^([^[\]]*)((?:\[\d+\])*)$/.exec(part);
    const [, key = '', indexes = ''] = match ?? [];
    if (match === null || (key === '' && indexes === '')) {
      throw new OptionError(
        `records is ${JSON.stringify(path)}; expected the path of a list, such as result.reviews or pages[0].items.`,
      );
    }
    if (key !== '') steps.push(key);
    for (const [, index] of indexes.matchAll(/\[(\d+)\]/g)) steps.push(Number(index));
  }
  return steps;
}

/** Writes a path as {@link parsePath} reads it. */
export function showPath(path: JsonPath): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** A document with an empty list at a path, in two parts: up to the list's bracket, and behind it. */
export function wrapping(path: JsonPath): { readonly head: string; readonly closing: string } {
  let head = '';
  let closing = '';
  for (const step of path) {
    head += typeof step === 'number' ? `[${'null,'.repeat(step)}` : `{${JSON.stringify(step)}:`;
    closing = (typeof step === 'number' ? ']' : '}') + closing;
  }
  return { head: `${head}[`, closing };
}
