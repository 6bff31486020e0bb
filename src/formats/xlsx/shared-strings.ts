import { BrokenInput } from '../../input/broken-input.js';
import type { Parts, XmlHandlers } from '../sheets/parts.js';

/** Texts that cells name by number are kept in memory as long as a sheet is read. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
const MAX_STRINGS = 16 * 1024 * 1024;

/**
 * The texts that a workbook's cells share, by their number.
 * @param wanted how many are needed; reading ends there
 * @throws BrokenInput if they are damaged or too many
 */
export async function readSharedStrings(
  part: string | undefined,
  parts: Parts,
  wanted: number = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  if (part === undefined || wanted === 0) return [];
  const gatherer = new SharedStrings();
  for await (const strings of parts.gather(part, gatherer)) {
    if (strings.length >= wanted) break;
  }
  return gatherer.take();
}

class SharedStrings implements XmlHandlers {
  readonly #strings: string[] = [];
  readonly #text = new TextGatherer();
  #characters = 0;

  take(): readonly string[] {
    return this.#strings;
  }

  open(name: string): void {
    if (name === 'si') this.#text.start();
    else this.#text.open(name);
  }

  text(text: string): void {
    this.#text.text(text);
  }

  close(name: string): void {
    this.#text.close(name);
    if (name !== 'si') return;
    const text = this.#text.gathered();
    this.#characters += text.length;
    this.#strings.push(text);
    if (this.#characters <= MAX_CHARACTERS && this.#strings.length <= MAX_STRINGS) return;
    throw new BrokenInput(
      `its cells share more than ${MAX_STRINGS} texts, or ${MAX_CHARACTERS} characters of them`,
      'Save the sheet as CSV.',
    );
  }
}

/** Gathers a text from its runs of one format each; how it is pronounced is no part of it. */
export class TextGatherer {
  #text = '';
  #inText = false;
  #inPronunciation = false;

  start(): void {
    this.#text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.#inPronunciation = true;
    if (name === 't') this.#inText = !this.#inPronunciation;
  }

  text(text: string): void {
    if (this.#inText) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#inPronunciation = false;
    if (name === 't') this.#inText = false;
  }

  gathered(): string {
    return unescaped(this.#text);
  }
}

/** Characters that XML can't hold are written as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
