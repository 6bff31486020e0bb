/** Reads YAML, of which JSON is a part, in time that grows with the text and no faster. */
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

/** What a text says, or why it can't be read. */
export interface ReadYaml {
  readonly document: Document;
  /** In the order of the text. */
  readonly errors: readonly YamlError[];
  readonly placed: (offset: number, end: number) => PlaceInText;
}

interface YamlError {
  readonly place: PlaceInText;
  /** As the parser names it. */
  readonly code: string;
  readonly message: string;
}

/** Each is looked up among all anchors. */
const MAX_ALIASES = 1000;

/** Parses a text; duplicate keys are found here, as the parser compares each with all before it. */
export function readYaml(text: string): ReadYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
    // A set or binary data would be an instance of a class, whose methods look like keys.
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

function mistakesIn(root: unknown): readonly FoundMistake[] {
  const mistakes: FoundMistake[] = [];
  const aliases: Alias[] = [];
  const anchors = new Set<string>();
  for (const node of nodesOf(root)) {
    if (isMap(node)) mistakes.push(...repeatedKeys(node.items.map(({ key }) => key)));
    if (isAlias(node)) aliases.push(node);
    else if (hasAnchor(node)) anchors.add(node.anchor);
  }
  const tooMany = aliases[MAX_ALIASES];
  const dangling = aliases.filter(({ source }) => !anchors.has(source));
  return [
    ...mistakes,
    ...dangling.map((alias) => ({
      range: rangeOf(alias),
      code: 'NO_ANCHOR',
      message: NO_ANCHOR,
    })),
    ...(tooMany === undefined ? [] : [tooManyAliases(tooMany)]),
  ];
}

function rangeOf({ range }: Alias | Scalar): readonly [number, number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

/** Goes through nodes without calling itself, however deep they lie; keys are left out. */
function* nodesOf(root: unknown): Generator<unknown, void, undefined> {
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if (isSeq(node)) for (const item of node.items) open.push(item);
    if (isMap(node)) for (const { value } of node.items) open.push(value);
  }
}

const NO_ANCHOR = 'this alias (*name) has no anchor (&name)';

function hasAnchor(node: unknown): node is { readonly anchor: string } {
  return (isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined;
}

function repeatedKeys(keys: readonly unknown[]): readonly FoundMistake[] {
  const seen = new Set<unknown>();
  return keys.flatMap((key) => {
    if (!isScalar(key)) return [];
    if (!seen.has(key.value)) {
      seen.add(key.value);
      return [];
    }
    const message = 'Map keys must be unique';
    return [{ range: rangeOf(key), code: 'DUPLICATE_KEY', message }];
  });
}

function tooManyAliases(alias: Alias): FoundMistake {
  const message = `there are more than ${MAX_ALIASES} aliases (*name); write out what they stand for`;
  return { range: rangeOf(alias), code: 'TOO_MANY_ALIASES', message };
}
