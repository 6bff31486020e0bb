import { SourceError } from '../../model/errors.js';
import { nearestName } from '../../model/names.js';

/** A sheet, as it is chosen. */
interface Named {
  readonly name: string;
  readonly hidden: boolean;
}

/** Names of sheets in one message. */
const MAX_NAMED = 10;

/**
 * The sheet that is wanted, or the first that is not hidden; and what is to be said of the others.
 * @param wanted its name, or its number from 1; a name goes before a number
 * @throws SourceError if there is none
 */
export function chooseSheet<T extends Named>(
  name: string,
  sheets: readonly T[],
  wanted: string | number | undefined,
): { readonly sheet: T; readonly notices: readonly string[] } {
  if (sheets.length === 0) {
    throw new SourceError(`${name} has no sheet with cells: check that it is the right workbook.`);
  }
  const chosen = findSheet(sheets, wanted);
  if (chosen === undefined) throw new SourceError(noSheet(name, sheets, wanted ?? ''));
  const others = sheets.filter((sheet) => sheet !== chosen && !sheet.hidden);
  const notices =
    wanted !== undefined || others.length === 0
      ? []
      : [
          `${name} has ${others.length + 1} sheets, of which the first, "${chosen.name}", is read; state another one as its sheet: ${namesOf(others)}.`,
        ];
  return { sheet: chosen, notices };
}

/** The sheet that is wanted, or the first that is not hidden; nothing if it isn't there. */
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
  return `${name} has no sheet ${JSON.stringify(wanted)}; it has ${namesOf(sheets)}.${remedy}`;
}

/** The names of sheets, for a message. */
export function namesOf(sheets: readonly Named[]): string {
  const named = sheets.slice(0, MAX_NAMED).map(({ name }) => `"${name}"`);
  const more = sheets.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
