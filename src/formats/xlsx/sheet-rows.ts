import { BrokenInput } from '../../input/broken-input.js';
import type { CellErrors } from './cell-errors.js';
import type { NumberKind } from './cell-formats.js';
import { serialText } from './serial-date.js';
import { TextGatherer, unescaped } from './shared-texts.js';
import { XmlReader } from './xml-reader.js';

/** A cell's text, or the number of a shared one. */
export type Cell = string | number;

/** A row that has cells. */
export interface Row {
  /** Its number in the sheet, from 1. */
  readonly number: number;
  /** From the first column on; where there is no cell, an empty text. */
  readonly cells: readonly Cell[];
}

/** What it takes to tell what cells hold. */
export interface Reading {
  /** For each style, what its numbers stand for. */
  readonly kinds: readonly NumberKind[];
  readonly from1904: boolean;
}

const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
const REMEDY = 'Save the workbook again, or save the sheet as CSV.';

/**
 * The rows of a sheet, as they are read.
 * @param errors is told of cells that hold one
 * @throws BrokenInput
 */
export async function* sheetRows(
  part: string,
  pieces: AsyncIterable<Uint8Array>,
  reading: Reading,
  errors?: CellErrors,
): AsyncGenerator<Row, void, undefined> {
  const rows = new RowGatherer(reading, errors);
  const reader = new XmlReader(part, rows);
  for await (const piece of pieces) {
    const failure = failureOf(() => reader.write(piece));
    yield* rows.take();
    if (failure !== undefined) throw failure;
  }
  reader.end();
}

/** What stands before the damage is handed on first. */
function failureOf(act: () => void): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Gathers rows from what the reader of the XML tells. */
class RowGatherer {
  readonly #reading: Reading;
  readonly #errors: CellErrors | undefined;
  readonly #inline = new TextGatherer();
  #rows: Row[] = [];
  #number = 0;
  #cells: Cell[] = [];
  #column = 0;
  #type = 'n';
  #kind: NumberKind = 'number';
  #value = '';
  #inValue = false;
  #inData = false;

  constructor(reading: Reading, errors: CellErrors | undefined) {
    this.#reading = reading;
    this.#errors = errors;
  }

  take(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'sheetData') this.#inData = true;
    if (!this.#inData) return;
    if (name === 'row') this.#openRow(attributes['r']);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#inValue = true;
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
    if (!Number.isInteger(number) || number <= this.#number || number > MOST_ROWS) {
      throw new BrokenInput(
        `it has a row "${given ?? number}" behind row ${this.#number}, which can't be`,
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
    if (this.#column < 1 || this.#column > MOST_COLUMNS) {
      throw new BrokenInput(
        `row ${this.#number} has a cell "${reference ?? this.#column}", which can't be`,
        REMEDY,
      );
    }
    this.#type = type;
    this.#kind = this.#reading.kinds[Number(style)] ?? 'number';
    this.#value = '';
    this.#inline.start();
  }

  #closeCell(): void {
    const cell = this.#cell();
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
        this.#errors?.add(value, this.#number, this.#column);
        return '';
      default:
        // Dates that are written as such.
        return value;
    }
  }

  #numberText(value: string): string {
    if (this.#kind === 'number' || value === '') return numberText(value);
    if (this.#kind === 'percent') return percentText(value);
    return serialText(Number(value), this.#kind, this.#reading.from1904) ?? numberText(value);
  }
}

/** Number of a column, from 1: `C` in `C12` is 3. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^\$?([A-Z]{1,3})\$?\d+$/i.exec(reference)?.[1]?.toUpperCase() ?? '') {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column;
}

/** A share as the sheet shows it; of 17 digits, the last two hold what multiplying adds. */
function percentText(value: string): string {
  const percent = Number((Number(value) * 100).toPrecision(15));
  return Number.isFinite(percent) ? `${percent}%` : value;
}

/** A number in as few digits as tell it from others; whole ones keep all of theirs. */
function numberText(value: string): string {
  if (value === '' || /^-?\d+$/.test(value)) return value;
  const number = Number(value);
  return Number.isFinite(number) ? String(number) : value;
}
