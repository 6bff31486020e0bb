/** What an answer must hold for the call that asked for it; everything else passes as it comes. */
export type AnswerShape = Readonly<Record<string, FieldKind>>;

type FieldKind = 'objects' | 'number' | 'text' | 'boolean';

interface Kind {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const KINDS: Readonly<Record<FieldKind, Kind>> = {
  objects: {
    expected: 'a list of objects',
    holds: (value) => Array.isArray(value) && value.every(isObject),
  },
  number: { expected: 'a number', holds: (value) => typeof value === 'number' },
  text: { expected: 'text', holds: (value) => typeof value === 'string' },
  boolean: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
};

/** What of an answer does not fit, as half a sentence; `undefined` if it fits. */
export function misfit(json: unknown, shape: AnswerShape): string | undefined {
  if (!isObject(json)) return 'it is no object';
  for (const [field, kind] of Object.entries(shape)) {
    const { expected, holds } = KINDS[kind];
    if (!holds(json[field])) return `its "${field}" is not ${expected}`;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
