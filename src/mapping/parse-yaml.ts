/** Reads YAML, of which JSON is a part, and keeps where everything stands. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from '#yaml';
import { MappingError } from '../errors.js';
import type { Mistake } from './mistake.js';

/** A file's content, and where things stand in it. */
export interface ParsedYaml {
  readonly value: unknown;
  readonly locate: Locate;
}

/** Where a value (or its key) stands: for a message, and to sort by. */
export type Locate = (path: Mistake['path'], key?: string) => Location;

/** A place in a file. */
interface Location {
  /** `name:line:column`, from 1. */
  readonly text: string;
  readonly offset: number;
}

/** @throws MappingError with everything that keeps the text from being read. */
export function parseYaml(text: string, name: string): ParsedYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  const at = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) {
    const lines = errors.map(
      ({ pos, code, message }) => `${at(pos[0])}: ${explain(code, message)}`,
    );
    throw new MappingError(lines.join('\n'));
  }
  if (document.contents === null) {
    throw new MappingError(`${name}: it is empty; a mapping needs at least document:`);
  }
  const locate: Locate = (path, key) => {
    const offset = offsetOf(document, path, key);
    return { text: at(offset), offset };
  };
  return { value: toValue(document, name), locate };
}

/** Aliases may multiply what a file holds; the parser refuses when they do so without measure. */
function toValue(document: Document, name: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const { message } = error as Error;
    const reason = /^Excessive alias count/.test(message)
      ? 'its aliases (*name) multiply what it holds beyond measure; write out what they stand for'
      : message;
    throw new MappingError(`${name}: ${reason}`);
  }
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands here for the second time; each may stand once',
  TAB_AS_INDENT: 'YAML is indented with spaces, and here is a tab',
  NON_STRING_KEY: 'a key has to be text; put it in quotes',
  MULTIPLE_DOCS: 'a second document starts here; a mapping file holds one',
};

function explain(code: string, message: string): string {
  if (/call stack/.test(message)) return 'this is nested too deep; a mapping has a few levels';
  return EXPLANATIONS[code] ?? `this is not valid YAML: ${message}`;
}

/** Offset of the value (or of its key) at the mistake's path, or of the nearest thing around it. */
function offsetOf(document: Document, path: Mistake['path'], key: string | undefined): number {
  let place: Place = { value: document.contents as Node | null, key: null };
  let offset = place.value?.range?.[0] ?? 0;
  for (const step of key === undefined ? path : [...path, key]) {
    const next = placeInside(
      isAlias(place.value) ? place.value.resolve(document) : place.value,
      step,
    );
    // An empty value has no place of its own: its key has.
    const range = next?.value?.range ?? next?.key?.range;
    if (next === undefined || range === undefined || range === null) return offset;
    place = next;
    offset = range[0];
  }
  return key === undefined ? offset : (place.key?.range?.[0] ?? offset);
}

/** A value and, in a map, its key. */
interface Place {
  readonly value: Node | null;
  readonly key: Node | null;
}

function placeInside(parent: unknown, step: string | number): Place | undefined {
  if (isSeq(parent))
    return { value: (parent.items[Number(step)] ?? null) as Node | null, key: null };
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  return pair && { value: pair.value as Node | null, key: pair.key as Node };
}
