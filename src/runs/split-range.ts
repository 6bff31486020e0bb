import type { DocumentRange } from '../model/documents.js';

/**
 * Splits a range into neighbours of which the same can be said.
 * @param say what there is to say of a document; compared as it is
 */
export function* splitRange<T>(
  { documents, from, to }: DocumentRange,
  say: (document: number) => T,
): Generator<readonly [DocumentRange, T], void, undefined> {
  let start = from;
  while (start < to) {
    const said = say(start);
    let end = start + 1;
    while (end < to && say(end) === said) end += 1;
    yield [{ documents, from: start, to: end }, said];
    start = end;
  }
}
