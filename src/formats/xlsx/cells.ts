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
