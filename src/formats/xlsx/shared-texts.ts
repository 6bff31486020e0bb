import { BrokenInput } from '../../input/broken-input.js';
import type { Parts } from './parts.js';
import { XmlReader } from './xml-reader.js';

/** Texts that cells name by number are kept in memory as long as a sheet is read. */
const MOST_CHARACTERS = 256 * 1024 * 1024;
const MOST_TEXTS = 16 * 1024 * 1024;

/**
 * The texts that a workbook's cells share, by their number.
 * @param wanted how many are needed; reading ends there
 * @throws BrokenInput if they are damaged or too many
 */
export async function readSharedTexts(
  part: string | undefined,
  parts: Parts,
  wanted: number = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const gathered = new SharedTexts();
  if (part === undefined || wanted === 0) return gathered.texts;
  const reader = new XmlReader(part, gathered);
  for await (const piece of parts.pieces(part)) {
    reader.write(piece);
    if (gathered.texts.length >= wanted) return gathered.texts;
  }
  reader.end();
  return gathered.texts;
}

class SharedTexts {
  readonly texts: string[] = [];
  readonly #gatherer = new TextGatherer();
  #characters = 0;

  open(name: string): void {
    if (name === 'si') this.#gatherer.start();
    else this.#gatherer.open(name);
  }

  text(text: string): void {
    this.#gatherer.text(text);
  }

  close(name: string): void {
    this.#gatherer.close(name);
    if (name !== 'si') return;
    const text = this.#gatherer.gathered();
    this.#characters += text.length;
    this.texts.push(text);
    if (this.#characters <= MOST_CHARACTERS && this.texts.length <= MOST_TEXTS) return;
    throw new BrokenInput(
      `its cells share more than ${MOST_TEXTS} texts, or ${MOST_CHARACTERS} characters of them`,
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
