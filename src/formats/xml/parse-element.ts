import { createRequire } from 'node:module';
import type { SaxesParser } from 'saxes';
import { isObject, type Problem } from '../../model/record.js';
import { localName } from './element-path.js';

/** Loaded lazily: other formats need none of it. */
const nodeRequire = createRequire(import.meta.url);

type Fields = Readonly<Record<string, unknown>>;

/** An element that isn't closed yet. */
interface OpenElement {
  readonly name: string;
  /** Attributes and child elements; several of a name are a list. */
  readonly fields: Map<string, unknown>;
  ownText: string;
  /** Text of the element and of its children. */
  allText: string;
}

/** Field of an element's text next to its attributes, as xmltodict and others name it. */
const TEXT = '#text';

/** Absent while it is in use, as an error or a time-out leaves it in the middle of an element. */
let idleParser: ElementParser | undefined;

/**
 * Parses an element to an object.
 * @param line of its start, for messages
 */
export function parseElement(
  element: Buffer,
  line: number,
): { readonly value: Fields } | { readonly problem: Problem } {
  try {
    const parser = idleParser ?? new ElementParser(true);
    idleParser = undefined;
    const [value] = Object.values(parser.parse(element));
    idleParser = parser;
    return { value: isObject(value) ? value : { [TEXT]: value } };
  } catch (error) {
    const [, at = '1', reason = 'it is malformed'] =
      /^(\d+):\d+: (.*?)\.?$/s.exec((error as Error).message) ?? [];
    const message = `is not well-formed XML: ${reason}, on line ${line + Number(at) - 1}; fix it, for example by writing & as &amp; and < as &lt;, or remove it`;
    return { problem: { kind: 'not-xml', field: null, message } };
  }
}

export class ElementParser {
  readonly #parser: SaxesParser;
  readonly #open: OpenElement[] = [];

  /** @param isStrict whether mistakes are thrown */
  constructor(isStrict: boolean) {
    const { SaxesParser: Parser } = nodeRequire('saxes') as typeof import('saxes');
    this.#parser = new Parser();
    if (!isStrict) this.#parser.on('error', () => {});
    this.#parser.on('opentag', ({ name, attributes }) => this.#enter(name, attributes));
    for (const kind of ['text', 'cdata'] as const) this.#parser.on(kind, (text) => this.#add(text));
    this.#parser.on('closetag', () => this.#leave());
  }

  /** Returns an object whose one field is the root element. Elements left open are closed at the end. */
  parse(bytes: Buffer): Fields {
    this.#enter('', {});
    this.#parser.write(bytes.toString('utf8')).close();
    while (this.#open.length > 1) this.#leave();
    return Object.fromEntries((this.#open.pop() as OpenElement).fields);
  }

  #enter(name: string, attributes: Readonly<Record<string, string>>): void {
    const fields = new Map<string, unknown>();
    for (const [key, value] of Object.entries(attributes)) {
      if (!/^xmlns(?:$|:)/.test(key)) addChild(fields, `@${localName(key)}`, value);
    }
    this.#open.push({ name: localName(name), fields, ownText: '', allText: '' });
  }

  #add(text: string): void {
    const element = this.#open.at(-1) as OpenElement;
    element.ownText += text;
    element.allText += text;
  }

  #leave(): void {
    const element = this.#open.pop() as OpenElement;
    const parent = this.#open.at(-1) as OpenElement;
    addChild(parent.fields, element.name, valueOfElement(element));
    // An element without text, such as <br/>, divides the words around it.
    parent.allText += element.allText || '\n';
  }
}

/** An element with attributes or children is an object, any other its text. */
function valueOfElement({ fields, ownText, allText }: OpenElement): string | Fields {
  if (fields.size === 0) return allText;
  const isLeaf = [...fields.keys()].every((key) => key.startsWith('@'));
  if (isLeaf || ownText.trim() !== '') fields.set(TEXT, allText);
  return Object.fromEntries(fields);
}

function addChild(fields: Map<string, unknown>, name: string, value: unknown): void {
  const known = fields.get(name);
  if (known === undefined) fields.set(name, value);
  else if (Array.isArray(known)) known.push(value);
  else fields.set(name, [known, value]);
}
