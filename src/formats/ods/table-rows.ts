import { BrokenInput } from '../../input/broken-input.js';
import type { TextRow } from '../format.js';
import type { EmptiedCells } from '../sheets/cells.js';
import { REMEDY, type XmlHandlers } from '../sheets/parts.js';
import { type Attributes, CellText, valueText } from './cell-values.js';

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
