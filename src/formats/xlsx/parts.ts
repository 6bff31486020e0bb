import { SaxesParser } from 'saxes';
import type { Member } from '../../input/archive.js';
import { BrokenInput } from '../../input/raw-input.js';

/** What is told of a part as it is read. Names of elements come without their prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** A cell holds at most 32,767 characters; so much without a tag is no part of a workbook. */
const MAX_WITHOUT_TAG = 16 * 1024 * 1024;

export const REMEDY = 'Save the workbook again, or save the sheet as CSV.';

/** The parts of a workbook: the files in its archive. */
export class Parts {
  readonly #members: ReadonlyMap<string, Member>;

  constructor(members: readonly Member[]) {
    this.#members = new Map(members.map((member) => [member.name.toLowerCase(), member]));
  }

  has(name: string): boolean {
    return this.#members.has(name.toLowerCase());
  }

  /**
   * Reads a part as XML, and gives what has been gathered from each piece of it.
   * @throws BrokenInput after all that could be gathered
   */
  async *gather<T>(
    name: string,
    gatherer: XmlHandlers & { take(): T },
    counted?: (bytes: number) => void,
  ): AsyncGenerator<T, void, undefined> {
    for await (const _ of this.#steps(name, gatherer, counted)) yield gatherer.take();
  }

  /**
   * Reads a part that is small, or of which little is kept.
   * @throws BrokenInput
   */
  async read(name: string, handlers: XmlHandlers): Promise<void> {
    for await (const _ of this.#steps(name, handlers));
  }

  async *#steps(
    name: string,
    handlers: XmlHandlers,
    counted?: (bytes: number) => void,
  ): AsyncGenerator<void, void, undefined> {
    const member = this.#members.get(name.toLowerCase());
    if (member === undefined) throw new BrokenInput(`its part ${name} is missing`, REMEDY);
    const reader = new XmlReader(name, handlers);
    for await (const piece of member.pieces(counted)) {
      const failure = reader.write(piece);
      yield;
      if (failure !== undefined) throw failure;
    }
    const failure = reader.end();
    if (failure !== undefined) throw failure;
  }
}

/**
 * Reads XML as it comes. Document type declarations are refused, so that there are no entities but
 * those of XML itself, and nothing is ever fetched.
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

  /** @returns why it can't be read on */
  write(bytes: Uint8Array): unknown {
    return this.#attempt(() => {
      this.#parser.write(this.#decoder.decode(bytes, { stream: true }));
      this.#sinceTag += bytes.length;
      if (this.#sinceTag <= MAX_WITHOUT_TAG) return;
      throw this.#broken(`has more than ${MAX_WITHOUT_TAG} bytes without a tag`);
    });
  }

  /** @returns why it is not whole */
  end(): unknown {
    return this.#attempt(() => this.#parser.write(this.#decoder.decode()).close());
  }

  #attempt(act: () => void): unknown {
    try {
      act();
      return undefined;
    } catch (error) {
      if (error instanceof BrokenInput) return error;
      return this.#broken(`is no well-formed XML (${(error as Error).message})`);
    }
  }

  #broken(reason: string): BrokenInput {
    return new BrokenInput(`its part ${this.#part} ${reason}`, REMEDY);
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
