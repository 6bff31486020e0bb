/** A positive whole number in plain decimal digits; `null` for anything else. */
export function readId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
