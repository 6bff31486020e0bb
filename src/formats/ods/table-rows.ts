import { BrokenInput } from '../../input/broken-input.js';
import type { TextRow } from '../format.js';
import { clockText, type EmptiedCells, numberText, percentText } from '../sheets/cells.js';
import { REMEDY, type XmlHandlers } from '../sheets/parts.js';

/** A row that has cells. */
export interface TableRow extends TextRow {
  /** Index of its table, from 0. */
  readonly sheet: number;
}

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Cells and characters that repeating makes of one: a few bytes may tell of millions. */
const MAX_REPEATED = 64 * 1024 * 1024;

/** Gathers the rows of tables. */
export class TableRowGatherer implements XmlHandlers {
  /** Index of the table that is being read; behind its end, that of the next one. */
  sheet = 0;
  readonly #isWanted: (sheet: number) => boolean;
  readonly #emptied: EmptiedCells | undefined;
  readonly #text = new CellText((characters) => this.#repeat(characters));
  /** Tables may hold others. */
  #depth = 0;
  #rows: TableRow[] = [];
  /** Of the row that is being read, or the last one. */
  #number = 0;
  #row: Attributes | undefined;
  #cells: string[] = [];
  #column = 0;
  #cell: Attributes | undefined;
  #repeated = 0;

  constructor(isWanted: (sheet: number) => boolean, emptied?: EmptiedCells) {
    this.#isWanted = isWanted;
    this.#emptied = emptied;
  }

  take(): readonly TableRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#cell !== undefined) this.#text.open(name, attributes);
    else if (name === 'table') this.#depth += 1;
    else if (this.#depth !== 1 || !this.#isWanted(this.sheet)) return;
    else if (name === 'table-row') this.#openRow(attributes);
    else if (isCell(name) && this.#row !== undefined) this.#openCell(attributes);
  }

  text(text: string): void {
    if (this.#cell !== undefined) this.#text.text(text);
  }

  close(name: string): void {
    if (this.#cell !== undefined) {
      if (this.#text.close()) this.#closeCell(this.#cell);
    } else if (name === 'table') this.#closeTable();
    else if (name === 'table-row' && this.#depth === 1 && this.#row !== undefined) {
      this.#closeRow(this.#row);
    }
  }

  #closeTable(): void {
    this.#depth -= 1;
    if (this.#depth > 0) return;
    this.sheet += 1;
    this.#number = 0;
  }

  #openRow(attributes: Attributes): void {
    this.#row = attributes;
    this.#number += 1;
    this.#column = 0;
    this.#cells = [];
  }

  #openCell(attributes: Attributes): void {
    this.#cell = attributes;
    this.#column += 1;
    this.#text.start();
  }

  #closeCell(cell: Attributes): void {
    this.#cell = undefined;
    const text = this.#valueOf(cell);
    const times = this.#times(cell['table:number-columns-repeated']);
    const last = this.#column + times - 1;
    if (text !== '') {
      if (last > MAX_COLUMNS) throw this.#broken(`has a cell in column ${last}, which can't be`);
      this.#repeat((times - 1) * (1 + text.length));
      while (this.#cells.length < this.#column - 1) this.#cells.push('');
      while (this.#cells.length < last) this.#cells.push(text);
    }
    this.#column = last;
  }

  #valueOf(cell: Attributes): string {
    const text = this.#text.gathered();
    if (cell['calcext:value-type'] !== 'error') {
      const isOpen = cell['table:formula'] !== undefined && cell['office:value-type'] === undefined;
      if (isOpen && text === '') this.#emptied?.addFormula(this.#number, this.#column);
      return valueText(cell, text);
    }
    this.#emptied?.addError(text, this.#number, this.#column);
    return '';
  }

  #closeRow(row: Attributes): void {
    this.#row = undefined;
    const times = this.#times(row['table:number-rows-repeated']);
    const cells = this.#cells;
    const first = this.#number;
    this.#number += times - 1;
    if (cells.length === 0) return;
    if (this.#number > MAX_ROWS) throw this.#broken("can't be");
    this.#repeat((times - 1) * cells.reduce((sum, text) => sum + 1 + text.length, 0));
    for (let number = first; number <= this.#number; number += 1) {
      this.#rows.push({ sheet: this.sheet, number, cells });
    }
  }

  #times(stated = '1'): number {
    const times = Number(stated);
    if (Number.isInteger(times) && times >= 1) return times;
    throw this.#broken(`repeats "${stated}" times, which can't be`);
  }

  #repeat(size: number): void {
    this.#repeated += size;
    if (this.#repeated <= MAX_REPEATED) return;
    throw this.#broken(
      `and those before it repeat more than ${MAX_REPEATED} cells and characters, as if they were made to fill disks`,
    );
  }

  #broken(reason: string): BrokenInput {
    return new BrokenInput(`its row ${this.#number} ${reason}`, REMEDY);
  }
}

/** One that a merged cell covers may hold a value, too. */
function isCell(name: string): boolean {
  return name === 'table-cell' || name === 'covered-table-cell';
}

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
class CellText {
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
