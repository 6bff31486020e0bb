import { nearestName, SourceError } from '../../model/errors.js';
import { thousands } from '../../model/figures.js';
import type { SourceOptions } from '../options.js';

interface Named {
  readonly name: string;
  readonly hidden: boolean;
}

const MAX_NAMED = 10;

interface Chosen<T> {
  readonly sheets: readonly T[];
  readonly notices: readonly string[];
}

type StatedSheets = SourceOptions['sheet'];

/** Returns whether `all` was stated and no sheet has that name. */
export function wantsAll(sheets: readonly Named[], stated: StatedSheets): boolean {
  const [first, ...others] = [stated].flat();
  return first === 'all' && others.length === 0 && findSheet(sheets, first) === undefined;
}

/**
 * Selects the stated sheets, or the first visible one.
 * @throws SourceError if one doesn't exist
 */
export function chooseSheets<T extends Named>(
  name: string,
  sheets: readonly T[],
  stated: StatedSheets,
): Chosen<T> {
  if (sheets.length === 0) {
    throw new SourceError(`${name} has no sheet with cells: check that it is the right workbook.`);
  }
  const shown = sheets.filter(({ hidden }) => !hidden);
  if (wantsAll(sheets, stated) && shown.length > 0) {
    return { sheets: notTooMany(name, shown), notices: [] };
  }
  if (stated === undefined) return chooseFirstSheet(name, sheets, shown);
  const wanted = [stated].flat() as readonly (string | number)[];
  const chosen = wanted.map((one) => {
    const sheet = findSheet(sheets, one);
    if (sheet === undefined) throw new SourceError(noSheet(name, sheets, one));
    return sheet;
  });
  return { sheets: [...new Set(chosen)], notices: [] };
}

/** Each is opened to find its table. */
const MAX_SHEETS = 1000;

/** @throws SourceError */
function notTooMany<T extends Named>(name: string, sheets: readonly T[]): readonly T[] {
  if (sheets.length <= MAX_SHEETS) return sheets;
  throw new SourceError(
    `${name} has ${thousands(sheets.length)} sheets, and at most ${thousands(MAX_SHEETS)} are read at a time: name the ones to read (--sheet, repeated; sheet under input in the mapping).`,
  );
}

function chooseFirstSheet<T extends Named>(
  name: string,
  sheets: readonly T[],
  shown: readonly T[],
): Chosen<T> {
  const [first, ...others] = shown.length > 0 ? shown : sheets.slice(0, 1);
  const notices =
    others.length === 0
      ? []
      : [
          `${name} has ${others.length + 1} sheets. The first, "${first?.name}", is read; choose others with --sheet (repeat it, or all): ${sheetNames(others)}.`,
        ];
  return { sheets: first === undefined ? [] : [first], notices };
}

/** Finds the stated sheet, or the first visible one. */
export function findSheet<T extends Named>(
  sheets: readonly T[],
  wanted: string | number | undefined,
): T | undefined {
  if (wanted === undefined) return sheets.find(({ hidden }) => !hidden) ?? sheets[0];
  const named = sheets.find(({ name }) => name === wanted);
  if (named !== undefined) return named;
  return /^\d+$/.test(String(wanted)) ? sheets[Number(wanted) - 1] : undefined;
}

function noSheet(name: string, sheets: readonly Named[], wanted: string | number): string {
  const nearest = nearestName(
    String(wanted),
    sheets.map((sheet) => sheet.name),
  );
  const remedy = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `${name} has no sheet ${JSON.stringify(wanted)}; it has ${sheetNames(sheets)}.${remedy}`;
}

export function sheetNames(sheets: readonly Named[]): string {
  const named = sheets.slice(0, MAX_NAMED).map(({ name }) => `"${name}"`);
  const more = sheets.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
