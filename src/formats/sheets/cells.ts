/** Cells of any format of workbooks: how their values come as texts, and what errors they hold. */

/** A number in as few digits as tell it from others; whole ones keep all of theirs. */
export function numberText(value: string): string {
  if (value === '' || /^-?\d+$/.test(value)) return value;
  const number = Number(value);
  return Number.isFinite(number) ? String(number) : value;
}

/** A share as the sheet shows it; of 17 digits, the last two hold what multiplying adds. */
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
