const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** Every month has this many days. */
const FEWEST_DAYS = 28;

/** Whether a text is a timestamp after RFC 3339 that names a day of the calendar. */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME.test(text)) return false;
  const day = twoDigits(text, 8);
  if (day <= FEWEST_DAYS) return true;
  return day <= daysIn(Number(text.slice(0, 4)), twoDigits(text, 5));
}

/** Reads two digits without cutting a piece out of the text: this runs for every document. */
function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

const ZERO = 48;

/** @param month from 1 to 12 */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
