import { isObject } from '../model/record.js';
/**
 * What an answer must hold for what looks at it; everything else passes as it comes. Each field is
 * of a kind, is an object of a shape, or a list of such. What ends in `?` may be `null` or missing.
 */
export interface AnswerShape {
  readonly [field: string]: FieldShape;
}

type FieldShape =
  | Kind
  | `${Kind}?`
  | { readonly list: AnswerShape; readonly optional?: true }
  | { readonly object: AnswerShape; readonly optional?: true };

type Kind = 'integer' | 'count' | 'number' | 'text' | 'boolean';

const KINDS: Readonly<
  Record<Kind, { readonly expected: string; readonly holds: (value: unknown) => boolean }>
> = {
  // Ids, and all else that is counted: what JavaScript can hold exactly.
  integer: { expected: 'a whole number', holds: Number.isSafeInteger },
  count: {
    expected: 'a whole number of at least 0',
    holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  },
  number: { expected: 'a number', holds: Number.isFinite },
  text: { expected: 'text', holds: (value) => typeof value === 'string' },
  boolean: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
};

/** What of an answer does not fit, as half a sentence; `undefined` if it fits. */
export function misfit(json: unknown, shape: AnswerShape): string | undefined {
  return isObject(json) ? misfitIn(json, shape, '') : 'it is no object';
}

/** @param place where the object stands in the answer, with a full stop at its end */
function misfitIn(
  object: Readonly<Record<string, unknown>>,
  shape: AnswerShape,
  place: string,
): string | undefined {
  for (const [field, expected] of Object.entries(shape)) {
    const wrong = misfitOf(object[field] ?? undefined, expected, place + field);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function misfitOf(value: unknown, shape: FieldShape, place: string): string | undefined {
  if (typeof shape === 'string') {
    const { expected, holds } = KINDS[shape.replace('?', '') as Kind];
    const fits = holds(value) || (value === undefined && shape.endsWith('?'));
    return fits ? undefined : `its "${place}" is not ${expected}`;
  }
  if (value === undefined && shape.optional) return undefined;
  if ('object' in shape) {
    if (!isObject(value)) return `its "${place}" is not an object`;
    return misfitIn(value, shape.object, `${place}.`);
  }
  if (!Array.isArray(value) || !value.every(isObject)) {
    return `its "${place}" is not a list of objects`;
  }
  for (const [index, item] of value.entries()) {
    const wrong = misfitIn(item, shape.list, `${place}[${index}].`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const METRICS = { list: { name: 'text', value: 'number?' }, optional: true } as const;

/** What is looked at of an author. */
export const AUTHOR_SHAPE: AnswerShape = {
  id: 'integer',
  source: 'text?',
  name: 'text?',
  username: 'text?',
  about: 'text?',
  metrics: METRICS,
};

/** What is looked at of a document, by reconciliation and by commands that show it. */
export const DOCUMENT_SHAPE: AnswerShape = {
  id: 'integer',
  source: 'text?',
  sourceId: 'text?',
  title: 'text?',
  text: 'text?',
  language: 'text?',
  sentiment: 'text?',
  published: 'text?',
  metrics: METRICS,
  author: { object: { name: 'text?', username: 'text?' }, optional: true },
};
