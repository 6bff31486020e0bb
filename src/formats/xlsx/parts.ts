import { SaxesParser } from 'saxes';
import type { Member } from '../../input/archive.js';
import { BrokenInput } from '../../input/broken-input.js';

/** Events of an XML reader. Element names come without a prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Limit of text without a tag; a cell has at most 32,767 characters. */
const MAX_WITHOUT_TAG = 16 * 1024 * 1024;

export const REMEDY = 'Save the workbook again, or save the sheet as CSV.';

/** Files in a workbook's archive. */
export class Parts {
  readonly #members: ReadonlyMap<string, Member>;

  constructor(members: readonly Member[]) {
    this.#members = new Map(members.map((member) => [member.name.toLowerCase(), member]));
  }

  has(name: string): boolean {
    return this.#members.has(name.toLowerCase());
  }

  /** Bytes of all parts for each byte of this one, as they are stored. */
  sizeFor(name: string): number {
    const sizes = [...this.#members.values()].map(({ compressedBytes }) => compressedBytes);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    return all / Math.max(1, this.#members.get(name.toLowerCase())?.compressedBytes ?? all);
  }

  /**
   * Streams a part through an XML gatherer, yielding what it gathered from each piece.
   * @throws BrokenInput after all that could be gathered
   */
  async *gather<T>(
    name: string,
    gatherer: XmlHandlers & { take(): T },
    onBytes?: (bytes: number) => void,
  ): AsyncGenerator<T, void, undefined> {
    for await (const _ of this.#steps(name, gatherer, onBytes)) yield gatherer.take();
  }

  /**
   * Reads a small part, or one of which little is retained.
   * @throws BrokenInput
   */
  async read(name: string, handlers: XmlHandlers): Promise<void> {
    for await (const _ of this.#steps(name, handlers));
  }

  async *#steps(
    name: string,
    handlers: XmlHandlers,
    onBytes?: (bytes: number) => void,
  ): AsyncGenerator<void, void, undefined> {
    const member = this.#members.get(name.toLowerCase());
    if (member === undefined) throw new BrokenInput(`its part ${name} is missing`, REMEDY);
    const reader = new XmlReader(name, handlers);
    for await (const piece of member.pieces(onBytes)) {
      const failure = reader.write(piece);
      yield;
      if (failure !== undefined) throw failure;
    }
    const failure = reader.end();
    if (failure !== undefined) throw failure;
  }
}

/**
 * Streaming XML reader. Refuses document type declarations, so there are no custom entities and
 * nothing is ever fetched.
 */
class XmlReader {
  readonly #part: string;
  readonly #parser: SaxesParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #sinceTag = 0;

  constructor(part: string, handlers: XmlHandlers) {
    this.#part = part;
    this.#parser = new SaxesParser();
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#sinceTag = 0;
      handlers.open?.(withoutPrefix(name), attributes);
    });
    this.#parser.on('closetag', ({ name }) => {
      this.#sinceTag = 0;
      handlers.close?.(withoutPrefix(name));
    });
    this.#parser.on('text', (text) => handlers.text?.(text));
    this.#parser.on('cdata', (text) => handlers.text?.(text));
    this.#parser.on('doctype', () => {
      throw this.#broken('has a document type declaration, which no workbook needs');
    });
  }

  /** @returns an error, if any */
  write(bytes: Uint8Array): unknown {
    return this.#attempt(() => {
      this.#parser.write(this.#decoder.decode(bytes, { stream: true }));
      this.#sinceTag += bytes.length;
      if (this.#sinceTag <= MAX_WITHOUT_TAG) return;
      throw this.#broken(`has more than ${MAX_WITHOUT_TAG} bytes without a tag`);
    });
  }

  /** @returns an error if the document is incomplete */
  end(): unknown {
    return this.#attempt(() => this.#parser.write(this.#decoder.decode()).close());
  }

  #attempt(act: () => void): unknown {
    try {
      act();
      return undefined;
    } catch (error) {
      if (error instanceof BrokenInput) return error;
      return this.#broken(`isn't well-formed XML (${(error as Error).message})`);
    }
  }

  #broken(reason: string): BrokenInput {
    return new BrokenInput(`its part ${this.#part} ${reason}`, REMEDY);
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
