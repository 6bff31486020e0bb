/** Cells whose formula gave an error, such as `#N/A`: counted, as they are read as empty. */
export class CellErrors {
  #count = 0;
  #first: string | undefined;
  #ended = false;

  /** The sheet is read from its start. */
  start(): void {
    this.#count = 0;
    this.#first = undefined;
    this.#ended = false;
  }

  /** @param column from 1 */
  add(error: string, row: number, column: number): void {
    this.#count += 1;
    this.#first ??= `${error} in ${columnLetters(column)}${row}`;
  }

  end(): void {
    this.#ended = true;
  }

  /** What a person should know once the sheet has been read. */
  remarks(name: string): readonly string[] {
    if (!this.#ended || this.#first === undefined) return [];
    const cells = this.#count === 1 ? '1 cell holds' : `${this.#count} cells hold`;
    return [
      `${name} ${cells} an error instead of a value, the first ${this.#first}: read as empty.`,
    ];
  }
}

/** 28 is `AB`. */
function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  return column <= 26 ? letter : columnLetters((column - 1 - rest) / 26) + letter;
}
