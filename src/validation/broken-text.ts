import type { ImportedDocument } from '../model/document.js';
import type { Problem } from '../model/record.js';

/** With the u flag, whole pairs are one character and don't match. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Finds texts that hold a lone surrogate, as a cut through an emoji leaves it. UTF-8 can't carry
 * one, so such a text could not be sent unchanged.
 */
export function brokenText(document: ImportedDocument): readonly Problem[] {
  return [...brokenIn(document, '')];
}

function* brokenIn(value: unknown, field: string): Generator<Problem, void, undefined> {
  if (typeof value === 'string') {
    const at = value.search(LONE_SURROGATE);
    if (at >= 0) yield problem(field, value, at);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* brokenIn(item, `${field}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield* brokenIn(item, field === '' ? key : `${field}.${key}`);
    }
  }
}

function problem(field: string, text: string, at: number): Problem {
  const code = text.charCodeAt(at).toString(16);
  return {
    kind: 'broken-text',
    field,
    message: `${field} holds a lone surrogate (\\u${code} at position ${at + 1}), which can't be sent; fix the export, or take it out with a replace`,
  };
}
