import { DocumentScanner } from '../boundaries/document-scanner.js';
import type { BoundaryScanner, Found } from '../format.js';
import { localName } from './element-path.js';

/** Groups: slash, name and rest of a tag; opener of a section; another declaration. */
const MARKUP =
  /<(?:(\/?)([a-z_:\x80-\xff][^\s/<>]*)(?=[\s/>])([^<>"']*(?:"[^<"]*"[^<>"']*|'[^<']*'[^<>"']*)*)>|(!--|!\[CDATA\[|\?)|(![^[-]))/iy;

/** End of a comment, CDATA section or instruction, by its opener. */
const SECTION_ENDS = new Map(Object.entries({ '!--': '-->', '![CDATA[': ']]>', '?': '?>' }));

/** As in libxml2. */
const MAX_DEPTH = 256;
const HAS_DECLARATION =
  'it has a document type declaration, which may define entities that expand without end';
const WITHOUT_DECLARATION =
  'Remove it, and write entities other than &amp; and &lt; as characters.';
const TOO_DEEP = `its elements are nested more than ${MAX_DEPTH} levels deep`;

/**
 * Finds the elements at a path by the tags of a document; what is between them is `nothing`. The
 * bytes are read as Latin-1, so that offsets are theirs. All but tags is left to the parser.
 */
export class XmlScanner extends DocumentScanner implements BoundaryScanner {
  readonly startsAtRecords = true;
  /** Names of the open elements, the root first. */
  readonly open: string[];

  readonly #path: readonly string[];
  readonly #maxBytes: number;
  #isOver = false;
  /** End of the section that was entered. */
  #sectionEnd = '';
  #text = '';

  /**
   * @param path names from the root to the elements
   * @param isInside whether the scan starts among the elements, with those around them open
   * @param maxBytes of an element; by default no limit
   */
  constructor(path: readonly string[], isInside: boolean, maxBytes?: number) {
    super();
    this.#path = path.map((name) => Buffer.from(name).toString('latin1'));
    this.#maxBytes = maxBytes ?? Number.POSITIVE_INFINITY;
    this.open = isInside ? this.#path.slice(0, -1) : [];
  }

  override load(bytes: Buffer, last: boolean): void {
    super.load(bytes, last);
    this.#text = bytes.toString('latin1');
  }

  scan(start: number): Found {
    if (this.#isElement(start)) return this.#element(start);
    const at = this.withoutHalfLineEnd(this.#walk(start, (at) => this.#isElement(at)));
    return at > start ? this.pass(start, at, 'blank') : this.#needMore(at);
  }

  skip(from: number): boolean {
    // Behind the last element, everything was passed.
    const at = this.#isOver ? this.#follow(from) : from;
    const isPast = this.#isOver && this.#isPast(from, at);
    if (isPast) this.#isOver = false;
    else if (this.open.length > 0) this.#needMore(at);
    this.pass(from, isPast ? at : this.withoutHalfLineEnd(at), 'blank');
    return isPast || this.last;
  }

  #element(start: number): Found {
    const at = this.#follow(start);
    this.#isOver = at - start > this.#maxBytes;
    if (this.#isPast(start, at) && !this.#isOver) {
      this.end = at;
      return this.pass(start, at, 'record');
    }
    const found = this.#isOver ? 'too-long' : this.#needMore(at);
    if (this.fault !== undefined) return 'fault';
    // The element is scanned again from its start.
    this.open.length = this.#path.length - 1;
    this.#sectionEnd = '';
    return found;
  }

  /** Returns whether an element at the path starts here. */
  #isElement(at: number): boolean {
    if (this.open.length !== this.#path.length - 1 || this.#sectionEnd !== '') return false;
    const [, slash, name = ''] = this.#markup(at);
    const names = [...this.open, name];
    return slash === '' && names.every((one, depth) => localName(one) === this.#path[depth]);
  }

  /** Passes an element, or what is loaded of it. */
  #follow(from: number): number {
    return this.#walk(from, (at) => this.#isPast(from, at));
  }

  #isPast(from: number, at: number): boolean {
    return at > from && this.open.length < this.#path.length;
  }

  #walk(from: number, isDone: (at: number) => boolean): number {
    let at = from;
    while (at < this.bytes.length && !isDone(at)) {
      const next = this.#step(at);
      if (next === at) break;
      at = next;
    }
    return at;
  }

  /**
   * Passes a tag, the text before the next one, or a part of a section. Returns the offset after
   * it, or the same one if more bytes are needed or there is a fault.
   */
  #step(at: number): number {
    if (this.#sectionEnd !== '') return this.#passSection(at);
    const [markup, slash, name = '', rest = '', section, declaration] = this.#markup(at);
    if (markup === undefined) return this.#passText(at);
    if (declaration !== undefined) this.fail(at, HAS_DECLARATION, WITHOUT_DECLARATION);
    else if (section !== undefined) this.#sectionEnd = SECTION_ENDS.get(section) ?? '';
    else if (slash !== '') this.#close(at, name);
    else if (!rest.endsWith('/') && this.open.push(name) > MAX_DEPTH) this.fail(at, TOO_DEEP);
    return this.fault === undefined ? at + markup.length : at;
  }

  #markup(at: number): readonly (string | undefined)[] {
    MARKUP.lastIndex = at;
    return MARKUP.exec(this.#text) ?? [];
  }

  #passSection(at: number): number {
    const end = this.#text.indexOf(this.#sectionEnd, at);
    const { length } = this.#sectionEnd;
    if (end < 0) return Math.max(at, this.#text.length - length + 1);
    this.#sectionEnd = '';
    return end + length;
  }

  /** Also passes a `<` that starts no tag, which the parser reports. */
  #passText(at: number): number {
    const tag = this.#text.indexOf('<', at + 1);
    if (tag >= 0) return tag;
    return this.#text[at] === '<' ? at : this.#text.length;
  }

  #close(at: number, name: string): void {
    const due = this.open.pop() ?? '';
    if (localName(due) === localName(name)) return;
    const tags = Buffer.from(`</${name}> where </${due}> is expected`, 'latin1');
    this.fail(at, `its tags do not match: it has ${tags}`);
  }

  #needMore(at: number): Found {
    if (this.last) return this.fail(this.bytes.length, 'it ends before its last closing tag');
    const isLong = this.bytes.length - at > this.#maxBytes;
    if (isLong) return this.fail(at, `it has a tag of more than ${this.#maxBytes} bytes`);
    return this.fault === undefined ? 'need-more-data' : 'fault';
  }
}
