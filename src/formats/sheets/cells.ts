/** Cells of any format of workbooks: how their values come as texts, and what errors they hold. */

/**
 * A number with at most 15 significant digits, as the CSV that Excel saves: those behind them are
 * rounding errors. Whole numbers keep all of their digits, as they may be ids.
 */
export function numberText(value: string): string {
  if (value === '' || /^-?\d+$/.test(value)) return value;
  const number = Number(Number(value).toPrecision(15));
  return Number.isFinite(number) ? String(number) : value;
}

/** A share as the sheet shows it. */
export function percentText(value: string): string {
  const percent = Number((Number(value) * 100).toPrecision(15));
  return Number.isFinite(percent) ? `${percent}%` : value;
}

/** A time of day, or an elapsed time, whose hours may be more than a day has. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return ms % 1000 === 0 ? text : `${text}.${String(ms % 1000).padStart(3, '0')}`;
}

/** Cells of a kind, counted with the first place. */
interface CellCount {
  count: number;
  readonly first: string;
}

/** Counts cells that are read as empty although they hold something: errors, and open formulas. */
export class EmptiedCells {
  #errors: CellCount | undefined;
  #formulas: CellCount | undefined;
  #ended = false;

  /** Passes on the rows of a sheet, which is read from its start. */
  async *counted<T>(rows: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    this.#errors = undefined;
    this.#formulas = undefined;
    this.#ended = false;
    try {
      yield* rows;
    } finally {
      this.#ended = true;
    }
  }

  /**
   * A formula gave an error, such as `#N/A`.
   * @param column from 1
   */
  addError(error: string, row: number, column: number): void {
    this.#errors ??= { count: 0, first: `${error} in ${columnLetters(column)}${row}` };
    this.#errors.count += 1;
  }

  /** A formula has no stored result: programs that write workbooks don't calculate. */
  addFormula(row: number, column: number): void {
    this.#formulas ??= { count: 0, first: `in ${columnLetters(column)}${row}` };
    this.#formulas.count += 1;
  }

  /** What a person should know once the sheet has been read. */
  remarks(name: string): readonly string[] {
    if (!this.#ended) return [];
    const remark = (cells: CellCount | undefined, what: string, remedy: string): string[] => {
      if (cells === undefined) return [];
      const number = cells.count === 1 ? '1 cell holds' : `${cells.count} cells hold`;
      return [`${name} ${number} ${what}, the first ${cells.first}: read as empty.${remedy}`];
    };
    return [
      ...remark(this.#errors, 'an error instead of a value', ''),
      ...remark(
        this.#formulas,
        'a formula without a stored result',
        ' Open the workbook in a spreadsheet and save it, so that it holds the results.',
      ),
    ];
  }
}

/** 28 is `AB`. */
function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  return column <= 26 ? letter : columnLetters((column - 1 - rest) / 26) + letter;
}
