import { clockText, numberText, percentText } from '../sheets/cells.js';

export type Attributes = Readonly<Record<string, string>>;

/**
 * What a cell holds, by its type.
 * @param text that it shows
 */
export function valueText(cell: Attributes, text: string): string {
  const value = cell['office:value'] ?? text;
  switch (cell['office:value-type']) {
    case 'float':
    case 'currency':
      // A format of zeros is shown: `00042`.
      return /^-?0\d+$/.test(text) && Number(text) === Number(value) ? text : numberText(value);
    case 'percentage':
      return percentText(value);
    case 'boolean':
      return cell['office:boolean-value'] ?? text;
    case 'date':
      return momentText(cell['office:date-value'] ?? text, text);
    case 'time':
      return timeText(cell['office:time-value'] ?? text);
    default:
      return text === '' ? (cell['office:string-value'] ?? '') : text;
  }
}

/**
 * Fractions are rounded to milliseconds: they hold what calculating with days adds. A duration that
 * is written as a moment after the day on which days begin is given as it is shown.
 */
function momentText(value: string, shown: string): string {
  if (/^(1899-12-3|1900-)/.test(value) && /^\d+:\d\d(:\d\d([.,]\d+)?)?$/.test(shown)) return shown;
  const [, second, fraction] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([.,]\d+)?$/.exec(value) ?? [];
  if (second === undefined || fraction === undefined) return value;
  const ms = Date.parse(`${second}Z`) + Math.round(Number(`0.${fraction.slice(1)}`) * 1000);
  return Number.isNaN(ms) ? value : new Date(ms).toISOString().replace(/(\.000)?Z$/, '');
}

function timeText(value: string): string {
  const [, ...parts] =
    /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d+)?)S)?)?$/.exec(
      value,
    ) ?? [];
  if (parts.every((part) => part === undefined)) return value;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number((part ?? '0').replace(',', '.')),
  );
  return clockText(Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000));
}

/** What is in a paragraph, but isn't its text. */
const BESIDE_THE_TEXT: readonly string[] = ['annotation', 'frame', 'note', 'ruby-text'];

/** Gathers the text that a cell shows: its paragraphs, but no comments and no pictures. */
export class CellText {
  readonly #repeats: (characters: number) => void;
  #text = '';
  #paragraphs = 0;
  /** How many elements are open in the cell, and the one from which on nothing is text. */
  #depth = 0;
  #passedFrom = Number.POSITIVE_INFINITY;

  /** @param repeats is told how many characters a few bytes stand for */
  constructor(repeats: (characters: number) => void) {
    this.#repeats = repeats;
  }

  start(): void {
    this.#text = '';
    this.#paragraphs = 0;
  }

  open(name: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth >= this.#passedFrom) return;
    const isBeside = this.#depth === 1 ? name !== 'p' : BESIDE_THE_TEXT.includes(name);
    if (isBeside) this.#passedFrom = this.#depth;
    else if (this.#depth === 1) this.#startParagraph();
    else if (name === 's') this.#addBlanks(Number(attributes['text:c'] ?? 1));
    else if (name === 'tab') this.#text += '\t';
    else if (name === 'line-break') this.#text += '\n';
  }

  /** Line ends only lay out the XML: those of the text are elements. */
  text(text: string): void {
    if (this.#depth === 0 || this.#depth >= this.#passedFrom) return;
    this.#text += text.replace(/ *[\t\r\n][ \t\r\n]*/g, ' ');
  }

  /** @returns whether that was the end of the cell */
  close(): boolean {
    if (this.#depth === 0) return true;
    if (this.#depth === this.#passedFrom) this.#passedFrom = Number.POSITIVE_INFINITY;
    this.#depth -= 1;
    return false;
  }

  gathered(): string {
    return this.#text;
  }

  #startParagraph(): void {
    if (this.#paragraphs > 0) this.#text += '\n';
    this.#paragraphs += 1;
  }

  #addBlanks(count: number): void {
    if (!(Number.isInteger(count) && count > 0)) return;
    this.#repeats(count - 1);
    this.#text += ' '.repeat(count);
  }
}
