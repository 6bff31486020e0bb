/** Parses YAML (and JSON) in linear time. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
} from 'yaml';
import type { PlaceInText } from './errors.js';

export interface ReadYaml {
  readonly document: Document;
  readonly errors: readonly YamlError[];
  readonly placed: (offset: number, end: number) => PlaceInText;
}

interface YamlError {
  readonly place: PlaceInText;
  readonly code: string;
  readonly message: string;
}

/** Limited because each alias is looked up among all anchors. */
const MAX_ALIASES = 1000;

/**
 * Parses a text. Duplicate keys are found here, because the parser compares each key with all
 * before it.
 */
export function readYaml(text: string): ReadYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
    // Sets and binary data would be class instances, whose methods look like keys.
    resolveKnownTags: false,
    uniqueKeys: false,
  });
  const placed = (offset: number, end: number): PlaceInText => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { line, column, offset, end: Math.min(Math.max(offset, end), text.length) };
  };
  const found = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    range: pos,
    code: code as string,
    message,
  }));
  const errors = [...found, ...mistakesIn(document.contents)]
    .toSorted((a, b) => a.range[0] - b.range[0])
    .map(({ range, code, message }) => ({ place: placed(range[0], range[1]), code, message }));
  return { document, errors, placed };
}

interface FoundMistake {
  readonly range: readonly [number, number];
  readonly code: string;
  readonly message: string;
}

function* mistakesIn(root: unknown): Generator<FoundMistake, void, undefined> {
  const anchored = new Map<string, Anchored>();
  let aliases = 0;
  for (const node of nodesOf(root)) {
    if (isMap(node)) yield* repeatedKeys(node.items.map(({ key }) => key));
    if (isAlias(node)) {
      const code = aliasMistake(node, anchored.get(node.source));
      if (code !== undefined) yield mistakeAt(node, code);
      aliases += 1;
      if (aliases === MAX_ALIASES + 1) yield mistakeAt(node, 'TOO_MANY_ALIASES');
    } else if (hasAnchor(node)) anchored.set(node.anchor, node);
  }
}

const MESSAGES = {
  DUPLICATE_KEY: 'Map keys must be unique',
  NO_ANCHOR: 'this alias (*name) has no anchor (&name)',
  OWN_ANCHOR:
    'this alias (*name) refers to a node that contains it (&name); replace it with its value',
  TOO_MANY_ALIASES: `there are more than ${MAX_ALIASES} aliases (*name); replace them with their values`,
} as const;

type Ranged = Pick<Alias | Scalar, 'range'>;

function mistakeAt({ range }: Ranged, code: keyof typeof MESSAGES): FoundMistake {
  return { range: [range?.[0] ?? 0, range?.[1] ?? 0], code, message: MESSAGES[code] };
}

/** Checks an alias, which refers to the last node before it with that anchor. */
function aliasMistake(alias: Alias, node: Anchored | undefined): keyof typeof MESSAGES | undefined {
  if (node === undefined) return 'NO_ANCHOR';
  const isInside = (alias.range?.[0] ?? 0) < (node.range?.[1] ?? 0);
  return isInside ? 'OWN_ANCHOR' : undefined;
}

/** Yields nodes in order, without recursion, so that depth doesn't matter; keys are left out. */
function* nodesOf(root: unknown): Generator<unknown, void, undefined> {
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if (isSeq(node)) for (const item of node.items.toReversed()) open.push(item);
    if (isMap(node)) for (const { value } of node.items.toReversed()) open.push(value);
  }
}

type Anchored = Ranged & { readonly anchor: string };

function hasAnchor(node: unknown): node is Anchored {
  return (isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined;
}

function* repeatedKeys(keys: readonly unknown[]): Generator<FoundMistake, void, undefined> {
  const seen = new Set<unknown>();
  for (const key of keys) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) yield mistakeAt(key, 'DUPLICATE_KEY');
    seen.add(key.value);
  }
}
