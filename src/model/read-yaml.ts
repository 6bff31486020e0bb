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
import type { TextRange } from './errors.js';

export interface ReadYaml {
  readonly document: Document;
  /** In the text's order; only the first of those that cause others. */
  readonly errors: readonly YamlError[];
  readonly placed: (offset: number, end: number) => TextRange;
}

interface YamlError extends TextRange {
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
  const placed = (offset: number, end: number): TextRange => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { line, column, offset, end: Math.min(Math.max(offset, end), text.length) };
  };
  const found: FoundMistake[] = [...document.errors, ...document.warnings];
  found.push(...mistakesIn(document.contents));
  found.sort((a, b) => a.pos[0] - b.pos[0]);
  const [first] = found;
  const reported =
    first !== undefined && INDEPENDENT_ERRORS.has(first.code)
      ? found.filter(({ code }) => code === first.code)
      : found.slice(0, 1);
  const errors = reported.map((error) => ({ ...placed(...error.pos), message: explain(error) }));
  return { document, errors, placed };
}

interface FoundMistake {
  readonly pos: [number, number];
  readonly code: string;
  /** The parser's own words. */
  readonly message?: string;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key is a duplicate; each key may appear once',
  TAB_AS_INDENT: 'this line is indented with a tab; indent it with spaces',
  NON_STRING_KEY: 'a key has to be text; put it in quotes',
  TAG_RESOLVE_FAILED: 'this tag (!…) is not supported; write the value without it',
  BLOCK_AS_IMPLICIT_KEY:
    'this does not belong here; indent it like its neighbours, and quote text that has ": " in it',
  MULTILINE_IMPLICIT_KEY: 'this line has no value; a key is followed by a colon and a space',
  BAD_DIRECTIVE: 'a line that starts with % is an instruction; quote it, or indent it as text',
  BAD_SCALAR_START: 'text that starts with @, % or ` needs quotes',
  MULTIPLE_DOCS: 'a second document starts here; the file may have only one',
  NO_ANCHOR: 'this alias (*name) has no anchor (&name)',
  OWN_ANCHOR:
    'this alias (*name) refers to a node that contains it (&name); replace it with its value',
  TOO_MANY_ALIASES: `there are more than ${MAX_ALIASES} aliases (*name); replace them with their values`,
};

/** Codes of errors that don't cause others. */
const INDEPENDENT_ERRORS = new Set(['DUPLICATE_KEY', 'NO_ANCHOR', 'OWN_ANCHOR']);

/** Messages of the parser that share a code with others, in plain words. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^Missing closing (['"])quote.*/s, 'a text that starts with $1 has no $1 at its end; add it'],
  [/^Flow .* end with an? (.).*/s, 'a $1 is missing before this; add it'],
  [/^Unexpected flow-.*"(.)".*/s, 'there is one $1 too many; remove it'],
  [/^Unexpected , in flow.*/s, 'an extra comma: delete it, or put a value before it'],
  [/^Unexpected (\S) in flow.*/s, 'an extra $1: delete it, or put a value before it'],
  [/^Missing , .*/s, 'a comma or a colon is missing before this; add it'],
  [/^Block collections.*/s, 'add a comma before this, or put text with ": " in it in quotes'],
  [/^Block scalar header.*/s, 'text follows the | or > of a text; start it on the next line'],
  [/^Unexpected scalar at node end.*/s, 'text follows the value; quote all of it, or start a line'],
];

/** Stack overflow; V8 words it differently while it compiles a regular expression. */
const TOO_DEEP = /call stack|: Stack overflow$/;

function explain({ code, message = '' }: FoundMistake): string {
  if (TOO_DEEP.test(message)) return 'this is nested too deeply; a few levels are enough';
  for (const [pattern, words] of PATTERNS) {
    if (pattern.test(message)) return message.replace(pattern, words);
  }
  return EXPLANATIONS[code] ?? `this is not valid YAML or JSON: ${message}`;
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

type Ranged = Pick<Alias | Scalar, 'range'>;

function mistakeAt({ range }: Ranged, code: string): FoundMistake {
  return { pos: [range?.[0] ?? 0, range?.[1] ?? 0], code };
}

/** Checks an alias, which refers to the last node before it with that anchor. */
function aliasMistake(alias: Alias, node: Anchored | undefined): string | undefined {
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
