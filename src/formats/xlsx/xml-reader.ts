import type { SaxesParser } from 'saxes';
import { BrokenInput } from '../../input/broken-input.js';
import { onDemand } from '../../model/on-demand.js';

const saxes = onDemand<typeof import('saxes')>('saxes');

/** What is told of a part of a workbook as it is read. Names come without their prefix. */
export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

/** A cell holds at most 32,767 characters; so much without a tag is no part of a workbook. */
const MOST_WITHOUT_TAG = 16 * 1024 * 1024;

const REMEDY = 'Save the workbook again, or save the sheet as CSV.';

/**
 * Reads XML as it comes. Document type declarations are refused, so that there are no entities but
 * those of XML itself, and nothing is ever fetched.
 */
export class XmlReader {
  readonly #part: string;
  readonly #parser: SaxesParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #sinceTag = 0;

  /** @param part its name, for messages */
  constructor(part: string, handlers: XmlHandlers) {
    this.#part = part;
    this.#parser = new (saxes().SaxesParser)();
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#sinceTag = 0;
      handlers.open(withoutPrefix(name), attributes);
    });
    this.#parser.on('closetag', ({ name }) => {
      this.#sinceTag = 0;
      handlers.close(withoutPrefix(name));
    });
    this.#parser.on('text', (text) => handlers.text(text));
    this.#parser.on('cdata', (text) => handlers.text(text));
    this.#parser.on('doctype', () => {
      throw new BrokenInput(
        `its part ${part} has a document type declaration, which no workbook needs`,
        REMEDY,
      );
    });
  }

  /** @throws BrokenInput if it is not well-formed */
  write(bytes: Uint8Array): void {
    this.#attempt(() => this.#parser.write(this.#decoder.decode(bytes, { stream: true })));
    this.#sinceTag += bytes.length;
    if (this.#sinceTag <= MOST_WITHOUT_TAG) return;
    throw new BrokenInput(
      `its part ${this.#part} has more than ${MOST_WITHOUT_TAG} bytes without a tag`,
      REMEDY,
    );
  }

  /** @throws BrokenInput if it ends too early */
  end(): void {
    this.#attempt(() => this.#parser.write(this.#decoder.decode()).close());
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof BrokenInput) throw error;
      const { message } = error as Error;
      throw new BrokenInput(`its part ${this.#part} is no well-formed XML (${message})`, REMEDY);
    }
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads a part that is small. */
export async function readXml(
  part: string,
  pieces: AsyncIterable<Uint8Array>,
  handlers: Partial<XmlHandlers>,
): Promise<void> {
  const nothing = (): void => {};
  const reader = new XmlReader(part, { open: nothing, text: nothing, close: nothing, ...handlers });
  for await (const piece of pieces) reader.write(piece);
  reader.end();
}
