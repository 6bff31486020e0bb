import { type Stated, type TableRow, usualWidth } from './compare-rows.js';

export interface Uneven {
  readonly lacking?: string;
  readonly notices: readonly string[];
}

/** Uneven rows are invalid records; where they are many, their common cause is named. */
const MIN_UNEVEN_SHARE = 0.05;

/** @param whole whether the rows are all of the source */
export function unevenRows(
  all: readonly TableRow[],
  width: number,
  { ragged }: Stated,
  whole: boolean,
): Uneven {
  const records = all.filter(({ isBroken }) => !isBroken);
  const short = records.filter(({ cells }) => cells.length < width);
  const long = records.filter(({ cells }) => cells.length > width);
  const uneven = short.length + long.length;
  if (uneven === 0 || width < 2 || ragged !== undefined) return { notices: [] };
  const least = width - Math.max(1, Math.floor(width / 4));
  const looked = `${whole ? '' : 'the first '}${records.length} records`;
  const number = `${uneven} of ${looked}`;
  if (long.length === 0 && short.every(({ cells }) => cells.length >= least)) {
    const lacking = `${number} lack their last fields`;
    const cure = 'if those are empty, set `ragged: pad` under input';
    return { lacking, notices: [`${lacking} and are invalid; ${cure}`] };
  }
  const isEmpty = (cell: string): boolean => cell.trim() === '';
  if (short.length === 0 && long.every(({ cells }) => cells.slice(width).every(isEmpty))) {
    const surplus = `${number} have empty fields after the last column and are invalid`;
    return { notices: [`${surplus}; set \`ragged: pad\` under input to ignore them`] };
  }
  if (uneven < Math.max(2, MIN_UNEVEN_SHARE * records.length)) return { notices: [] };
  const split = short.filter(({ cells, number: line }, at) => {
    const next = short[at + 1];
    return next?.number === line + 1 && cells.length + next.cells.length - 1 === width;
  });
  const isEven = records.every(({ cells }) => cells.length === long[0]?.cells.length);
  const cause =
    split.length * 2 > uneven - 1
      ? `${split.length} texts with a line break in ${looked} aren't quoted, and their parts are invalid records`
      : isEven
        ? `${number} have ${usualWidth(long)} fields where the header has ${width} names, and are invalid: it lacks a name, or a field contains the delimiter and isn't quoted`
        : long.length > short.length
          ? `${number} have too many fields and are invalid, as their texts contain the delimiter and aren't quoted`
          : `${number} don't have as many fields as the header and are invalid`;
  const cure = isEven ? 'name all columns under header, or ' : '';
  return { notices: [`${cause}; ${cure}export it again with quotes around texts`] };
}
