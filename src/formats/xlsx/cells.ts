interface CellCount {
  count: number;
  readonly first: string;
}

/** Counts non-empty cells that are read as empty: errors, and formulas without a result. */
export class EmptiedCells {
  #errors: CellCount | undefined;
  #formulas: CellCount | undefined;

  /**
   * @param error for example `#N/A`
   * @param column from 1
   */
  addError(error: string, row: number, column: number): void {
    this.#errors ??= { count: 0, first: `${error} in ${columnLetters(column)}${row}` };
    this.#errors.count += 1;
  }

  /** For a formula without a stored result: some programs don't calculate any. */
  addFormula(row: number, column: number): void {
    this.#formulas ??= { count: 0, first: `in ${columnLetters(column)}${row}` };
    this.#formulas.count += 1;
  }

  /** Returns notices on what was counted. */
  remarks(name: string): readonly string[] {
    const remark = (cells: CellCount | undefined, what: string, remedy: string): string[] => {
      if (cells === undefined) return [];
      const number = cells.count === 1 ? '1 cell contains' : `${cells.count} cells contain`;
      return [`${name} ${number} ${what}, the first ${cells.first}: read as empty.${remedy}`];
    };
    return [
      ...remark(this.#errors, 'an error instead of a value', ''),
      ...remark(
        this.#formulas,
        'a formula without a stored result',
        ' Open the workbook in a spreadsheet and save it to store the results.',
      ),
    ];
  }
}

/** Converts a column number: 28 is `AB`. */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  return column <= 26 ? letter : columnLetters((column - 1 - rest) / 26) + letter;
}
