import { BrokenInput } from '../../input/broken-input.js';
import { count } from '../../model/figures.js';
import { type NumberKind, numberText, percentText, serialText, withZeros } from './cell-formats.js';
import { type Parts, REMEDY, type XmlHandlers } from './parts.js';

/** Text, or the index of a shared string. */
export type Cell = string | number;

export interface SheetRow {
  /** From 1. */
  readonly number: number;
  /** From the first column on, with empty texts for missing cells. */
  readonly cells: readonly Cell[];
}

export interface CellContext {
  /** Meaning of numbers, per style. */
  readonly kinds: readonly NumberKind[];
  readonly from1904: boolean;
  readonly emptied?: EmptiedCells;
}

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

export class SheetRowGatherer implements XmlHandlers {
  readonly #context: CellContext;
  readonly #inline = new TextGatherer();
  #rows: SheetRow[] = [];
  #number = 0;
  #cells: Cell[] = [];
  #column = 0;
  #type = 'n';
  #kind: NumberKind = 'number';
  #value = '';
  #inValue = false;
  #hasFormula = false;
  #inData = false;

  constructor(context: CellContext) {
    this.#context = context;
  }

  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'sheetData') this.#inData = true;
    if (name === 'mergeCell') this.#context.emptied?.addMerged(attributes['ref'] ?? '');
    if (!this.#inData) return;
    if (name === 'row') this.#openRow(attributes['r']);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#inValue = true;
    else if (name === 'f') this.#hasFormula = true;
    else this.#inline.open(name);
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text;
    else this.#inline.text(text);
  }

  close(name: string): void {
    if (name === 'sheetData') this.#inData = false;
    if (name === 'v') this.#inValue = false;
    else this.#inline.close(name);
    if (!this.#inData) return;
    if (name === 'c') this.#closeCell();
    if (name === 'row' && this.#cells.length > 0) {
      this.#rows.push({ number: this.#number, cells: this.#cells });
      this.#cells = [];
    }
  }

  #openRow(given: string | undefined): void {
    const number = given === undefined ? this.#number + 1 : Number(given);
    if (!Number.isInteger(number) || number <= this.#number || number > MAX_ROWS) {
      throw new BrokenInput(
        `it has a row "${given ?? number}" after row ${this.#number}, which is impossible`,
        REMEDY,
      );
    }
    this.#number = number;
    this.#column = 0;
    this.#cells = [];
  }

  #openCell({
    r: reference,
    t: type = 'n',
    s: style = '0',
  }: Readonly<Record<string, string>>): void {
    this.#column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (this.#column < 1 || this.#column > MAX_COLUMNS) {
      throw new BrokenInput(
        `row ${this.#number} has a cell "${reference ?? this.#column}", which is impossible`,
        REMEDY,
      );
    }
    this.#type = type;
    this.#kind = this.#context.kinds[Number(style)] ?? 'number';
    this.#value = '';
    this.#hasFormula = false;
    this.#inline.start();
  }

  #closeCell(): void {
    const cell = this.#cell();
    // A formula's result may be an empty text.
    if (cell === '' && this.#hasFormula && this.#value === '' && this.#type !== 'str') {
      this.#context.emptied?.add('a formula', this.#number, this.#column);
    }
    if (cell === '') return;
    while (this.#cells.length < this.#column - 1) this.#cells.push('');
    this.#cells[this.#column - 1] = cell;
  }

  #cell(): Cell {
    const value = this.#value;
    switch (this.#type) {
      case 's':
        return value === '' ? '' : Number(value);
      case 'inlineStr':
        return this.#inline.gathered();
      case 'str':
        return unescaped(value);
      case 'b':
        return value === '' ? '' : String(value === '1' || value === 'true');
      case 'n':
        return this.#numberText(value);
      case 'e':
        this.#context.emptied?.add(value, this.#number, this.#column);
        return '';
      default:
        // Includes dates stored as text.
        return value;
    }
  }

  #numberText(value: string): string {
    if (this.#kind === 'number' || value === '') return numberText(value);
    if (this.#kind === 'percent') return percentText(value);
    if (typeof this.#kind === 'number') return withZeros(value, this.#kind);
    return serialText(Number(value), this.#kind, this.#context.from1904) ?? numberText(value);
  }
}

/** Column number from 1: 3 for `C12`. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^\$?([A-Z]{1,3})\$?\d+$/i.exec(reference)?.[1]?.toUpperCase() ?? '') {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column;
}

/** Limit of shared strings, which stay in memory while a sheet is read. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
const MAX_STRINGS = 16 * 1024 * 1024;

/**
 * Reads the shared strings, by index.
 * @param wanted number of strings to read
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
      `its cells share more than ${MAX_STRINGS} strings, or ${MAX_CHARACTERS} characters of them`,
      'Save the sheet as CSV.',
    );
  }
}

/** Gathers a text from its formatted runs, without phonetic hints. */
class TextGatherer {
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

/** Decodes `_x000D_`, the notation for characters that XML can't contain. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Counts non-empty cells that are read as empty: errors, formulas without a result, merged cells. */
export class EmptiedCells {
  readonly #firstRow: number;
  #count = 0;
  #first = '';
  #merged = 0;
  #firstMerged = '';

  /** @param firstRow of the table's records, from 1: titles above it may be merged */
  constructor(firstRow = 1) {
    this.#firstRow = firstRow;
  }

  /**
   * @param what for example `#N/A`
   * @param column from 1
   */
  add(what: string, row: number, column: number): void {
    if (this.#count === 0) this.#first = `${what} in ${columnLetters(column)}${row}`;
    this.#count += 1;
  }

  /** @param range for example `A2:A4`; cells merged within a row are of no other record */
  addMerged(range: string): void {
    const [first, last] = range.match(/\d+/gu) ?? [];
    if (first === last || Number(last) <= this.#firstRow) return;
    if (this.#merged === 0) this.#firstMerged = range;
    this.#merged += 1;
  }

  /** Returns notices, if there are any. */
  remarks(name: string): readonly string[] {
    const places = count(this.#merged, 'place');
    const merged = `${name} cells are merged over several rows in ${places}, the first ${this.#firstMerged}: only the first record of each has their value. Unmerge them, and fill in the value in each row.`;
    return [...this.#emptiedRemarks(name), ...(this.#merged === 0 ? [] : [merged])];
  }

  #emptiedRemarks(name: string): readonly string[] {
    if (this.#count === 0) return [];
    return [
      `${name} ${count(this.#count, 'cell')} with an error, or a formula without a stored result, ${this.#count === 1 ? 'is' : 'are'} read as empty; the first is ${this.#first}. Correct the errors in the workbook; saving it in a spreadsheet stores the results.`,
    ];
  }
}

/** Converts a column number: 28 is `AB`. */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  return column <= 26 ? letter : columnLetters((column - 1 - rest) / 26) + letter;
}
