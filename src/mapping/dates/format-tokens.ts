/** Takes a luxon format apart, to say what is wrong with it and to compile the common ones. */

/** A token such as `yyyy`, or text that stands for itself. */
export interface FormatToken {
  readonly literal: boolean;
  readonly text: string;
}

/** Splits a format as luxon does: runs of one letter are tokens, quotes make text literal. */
export function formatTokens(format: string): readonly FormatToken[] {
  const tokens: FormatToken[] = [];
  const piece = /'([^']*)(?:'|$)|([a-zA-Z])\2*|[^'a-zA-Z]+/gu;
  for (const [whole, quoted, letter] of format.matchAll(piece)) {
    if (quoted !== undefined) tokens.push({ literal: true, text: quoted === '' ? "'" : quoted });
    else tokens.push({ literal: letter === undefined, text: whole });
  }
  return tokens;
}

const READABLE = new Set(
  (
    'G GG y yy yyyy yyyyy yyyyyy M MM MMM MMMM L LL LLL LLLL d dd o ooo H HH h hh m mm q qq ' +
    's ss S SSS u uu uuu a kk kkkk W WW E EEE EEEE c ccc cccc Z ZZ ZZZ z ' +
    'D DD DDD DDDD f ff fff ffff F FF FFF FFFF'
  ).split(' '),
);

/** Letters that other tools use, and what luxon has for them. */
const OTHER_TOOLS: Readonly<Record<string, string>> = {
  Y: 'the year is yyyy (or yy)',
  YY: 'the year is yyyy (or yy)',
  YYYY: 'the year is yyyy (or yy)',
  A: 'AM and PM are a',
  tt: 'AM and PM are a',
  ZZZZ: 'a zone by its name is z and an offset ZZ; abbreviations such as CEST say too little to be read',
  ZZZZZ: 'a zone by its name is z and an offset ZZ',
  X: 'timestamps are epoch-seconds or epoch-millis',
  x: 'timestamps are epoch-seconds or epoch-millis',
};

/** What is wrong with a date format, as a sentence; nothing when dates can be read with it. */
export function formatMistake(format: string): string | undefined {
  const tokens = formatTokens(format).filter((token) => !token.literal);
  for (const { text } of tokens) {
    if (READABLE.has(text)) continue;
    const remedy = OTHER_TOOLS[text] ?? `text that stands for itself goes in quotes: '${text}'`;
    return `the date format ${JSON.stringify(format)} has the unknown token ${text}; ${remedy}`;
  }
  if (!tokens.some(({ text }) => /^(?:y|kk|D|f|F)/u.test(text))) {
    return `the date format ${JSON.stringify(format)} has no year (yyyy), and the current year is never assumed`;
  }
  const names = tokens.map(({ text }) => text);
  if (names.includes('a') && names.some((name) => name.startsWith('H'))) {
    return `the date format ${JSON.stringify(format)} mixes the 24-hour clock (H) with AM and PM (a); the 12-hour clock is h`;
  }
  return undefined;
}
