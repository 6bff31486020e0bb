/** Texts as a line of CSV, with its end. A single empty text is quoted: an empty line is no record. */
export function csvLine(texts: readonly string[]): string {
  const [only] = texts;
  return texts.length === 1 && only === '' ? '""\n' : `${texts.map(field).join(',')}\n`;
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
