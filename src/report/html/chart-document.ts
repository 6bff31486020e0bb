/** Minimal document for Plot to draw an SVG into: elements, attributes and texts. */
const SVG = 'http://www.w3.org/2000/svg';

export function chartDocument(): object {
  const document = { documentElement: { namespaceURI: 'html', ownerDocument: {} } };
  const createElementNS = (_: string, name: string): ChartElement =>
    new ChartElement(name, document);
  Object.assign(document, { createElementNS });
  document.documentElement.ownerDocument = document;
  return document;
}

/** Attributes for which the page has its own style and labels. */
const LEFT_OUT = new Set(['style', 'class', 'font-family', 'aria-label', 'aria-hidden']);
/** Shortens coordinates, as no screen shows so many decimals. */
const LONG_NUMBER = /-?\d+\.\d{2,}/g;

class ChartElement {
  readonly namespaceURI = SVG;
  readonly ownerDocument: object;
  readonly childNodes: (ChartElement | string)[] = [];
  readonly #name: string;
  readonly #attributes = new Map<string, string>();

  constructor(name: string, ownerDocument: object) {
    this.#name = name;
    this.ownerDocument = ownerDocument;
  }

  setAttribute(name: string, value: unknown): void {
    const text = String(value).replace(LONG_NUMBER, (number) => `${+(+number).toFixed(1)}`);
    if (!LEFT_OUT.has(name)) this.#attributes.set(name, text);
  }

  setAttributeNS(_: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  appendChild(child: ChartElement): ChartElement {
    return this.insertBefore(child, null);
  }

  insertBefore(child: ChartElement, next: ChartElement | null): ChartElement {
    const at = next === null ? this.childNodes.length : this.childNodes.indexOf(next);
    this.childNodes.splice(at, 0, child);
    return child;
  }

  set textContent(text: unknown) {
    this.childNodes.splice(0, this.childNodes.length, escaped(String(text)));
  }

  /** Serialises the element to HTML. */
  toString(): string {
    if (this.#name === 'style') return '';
    const attributes = [...this.#attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`);
    const start = `<${this.#name}${attributes.join('')}`;
    if (this.childNodes.length === 0) return `${start}/>`;
    return `${start}>${this.childNodes.join('')}</${this.#name}>`;
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
