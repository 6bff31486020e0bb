import { SourceError } from '../model/errors.js';

interface KnownFormat {
  readonly what: string;
  readonly remedy: string;
  /** First bytes, as Latin-1. */
  readonly magic: string;
}

const DECOMPRESS = 'decompress it first; only gzip and zip are decompressed here';

/** Other file formats that people may pass, by their magic numbers. */
const UNSUPPORTED_FORMATS: readonly KnownFormat[] = [
  {
    what: 'an old Excel workbook (.xls), or one with a password',
    remedy: 'save it as .xlsx without a password',
    magic: '\xd0\xcf\x11\xe0',
  },
  { what: 'compressed with xz', remedy: DECOMPRESS, magic: '\xfd7zXZ\0' },
  ...Array.from('123456789', (level) => ({
    what: 'compressed with bzip2',
    remedy: DECOMPRESS,
    magic: `BZh${level}1AY&SY`,
  })),
  {
    what: 'compressed with zstd',
    remedy: 'decompress it first (zstd -d FILE)',
    magic: '\x28\xb5\x2f\xfd',
  },
  { what: 'compressed twice', remedy: 'decompress it once', magic: '\x1f\x8b' },
  { what: 'a 7z archive', remedy: 'extract it first', magic: '7z\xbc\xaf\x27\x1c' },
  { what: 'an encrypted Parquet file', remedy: 'write it without encryption', magic: 'PARE' },
  { what: 'an Avro file', remedy: 'export it as JSON Lines', magic: 'Obj\x01' },
  {
    what: 'an SQLite database',
    remedy: 'export a table of it as CSV',
    magic: 'SQLite format 3\0',
  },
  { what: 'a PDF document', remedy: 'get the export as CSV', magic: '%PDF-' },
];

/**
 * Refuses known unsupported formats, by the first (decompressed) bytes.
 * @throws SourceError with the format and a remedy
 */
export function refuseKnownFormats(name: string, bytes: Buffer): void {
  const start = bytes.toString('latin1', 0, 64);
  const known = UNSUPPORTED_FORMATS.find(({ magic }) => start.startsWith(magic));
  if (known === undefined) return;
  throw new SourceError(`${name} is ${known.what}, which can't be read: ${known.remedy}.`);
}

/** Refuses web pages and binary files, by the decoded text. */
export function assertSupportedText(name: string, text: Buffer): void {
  const start = leadingText(text);
  const isPage = /^(?:<!doctype html|<html|<head|<body|<table|<meta)/i.test(start);
  // Not every page with a table: a login page may have one.
  if ((isPage && /<table/i.test(start) && /\.xls$/i.test(name)) || EXCEL_NAMESPACE.test(start)) {
    throw new SourceError(
      `${name} is a table in ${isPage ? 'HTML' : 'XML'}, not a workbook: open it in a spreadsheet program and save it as .xlsx.`,
    );
  }
  if (isPage) {
    throw new SourceError(
      `${name} is a web page, not an export (perhaps a login or error page was saved): download the export again.`,
    );
  }
  const controls = start.match(CONTROL_CHARACTERS) ?? [];
  const isDelimited = start.includes('\n') && controls.every((one) => DELIMITERS.has(one));
  if (!isDelimited && controls.length > 16 && controls.length > start.length / 20) {
    throw new SourceError(
      `${name} isn't text, so it can't be CSV or JSON: check that it is the right file.`,
    );
  }
}

/** In the HTML and XML that programs write for Excel. */
const EXCEL_NAMESPACE = /^<.{0,2000}urn:schemas-microsoft-com:office:(?:excel|spreadsheet)/is;

/** A comment, a script, an assignment, a call with a value, or an object with unquoted keys. */
const SOURCE_CODE =
  /^(?:\/[/*]|#!|<\?php|(?:export default|[\w$ .[\]'"]{1,200}=|[\w$.]{1,100}\()\s*[[{]|[[{\s]*\{\s*(?:[\w$]+|'[^'\n]*')\s*:)/;

/**
 * Refuses text that isn't a table although it may contain a delimiter.
 * @throws SourceError with what it looks like and a remedy
 */
export function refuseNoTable(name: string, text: Buffer): void {
  const start = leadingText(text);
  const pairs = shareOfPairs(start);
  const refuse = (what: string, remedy: string): never => {
    throw new SourceError(
      `${name} is ${what}, which can't be read: ${remedy}; if it is a table after all, set the format to csv.`,
    );
  };
  if (/^(?:---\s|- )/.test(start) && pairs > 0.5) {
    refuse('YAML', 'turn it into JSON, for example with yq -o json');
  }
  if (pairs > 0.9) {
    refuse(
      'text with a key and a value on each line',
      'write each record as an object in JSON, or export it as CSV',
    );
  }
  if (hasQuotedRows(text)) {
    refuse(
      'a table with quotes around each whole row',
      'open it in a spreadsheet, divide its only column at the delimiter, and save it again',
    );
  }
  if (hasFixedWidths(text)) {
    refuse('a table with fixed-width columns', 'open it in a spreadsheet and save it as CSV');
  }
  if (SOURCE_CODE.test(start)) refuse('source code', 'keep only the data in it, as JSON');
}

/** Share of lines like `author: Ann`, if the text starts with one. */
function shareOfPairs(start: string): number {
  const lines = start.split(/[\r\n]+/).filter((line) => !/^(?:---)?\s*$/.test(line));
  const keys = lines.map((line) => /^[\s-]*(["'\w][^:,;|\t]{0,40}):(?:\s|$)/.exec(line)?.[1]);
  const pairs = keys.filter((key) => key !== undefined);
  if (keys[0] === undefined || new Set(pairs).size < 2) return 0;
  return pairs.length / lines.length;
}

/** Returns whether most lines are in quotes, as Excel writes a table that it opened as one column. */
function hasQuotedRows(text: Buffer): boolean {
  const [header = '', ...lines] = sampleLines(text);
  const columns = header.split(/[,;\t|]/).length;
  const isQuotedRow = (line: string): boolean =>
    /^"(?:[^"]|"")*"$/.test(line) && line.split(/[,;\t|]/).length >= columns;
  return columns > 2 && lines.filter(isQuotedRow).length > lines.length / 2;
}

/** Returns whether words begin at the same places in all lines, behind two or more blanks in most. */
function hasFixedWidths(text: Buffer): boolean {
  const lines = sampleLines(text);
  const starts = [...(lines[0] ?? '').matchAll(/(?<= )[\p{L}\d]/gu)].filter(({ index }) => {
    // A cell behind a delimiter and blanks belongs to a CSV with aligned columns.
    const isStart = (line: string): boolean =>
      line[index - 1] === ' ' && line[index] !== ' ' && !/[,;|\t] *$/.test(line.slice(0, index));
    const isPadded = (line: string): boolean => isStart(line) && line[index - 2] === ' ';
    return lines.every(isStart) && lines.filter(isPadded).length > lines.length / 2;
  });
  return lines.length > 2 && starts.length > 1;
}

/** The first lines with text, without one that may be cut off. */
function sampleLines(text: Buffer): readonly string[] {
  const lines = text.toString('utf8', 0, SAMPLE_BYTES).split(/\r\n|\n|\r/);
  const whole = text.length > SAMPLE_BYTES ? lines.slice(0, -1) : lines;
  return whole.slice(0, 100).filter((line) => line.trim() !== '');
}

function leadingText(text: Buffer): string {
  const start = text.toString('latin1', 0, SAMPLE_BYTES);
  return start.replace(/^\xef\xbb\xbf/, '').trimStart();
}

const SAMPLE_BYTES = 64 * 1024;

/** Control characters that may separate fields. */
const DELIMITERS = new Set(['\u0001', '\u001f']);

/** Control characters but blanks, line ends, escape and those between texts of JSON (RFC 7464). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_CHARACTERS = /[\0-\x08\x0e-\x1a\x1c\x1d\x1f]/g;

interface Mismatch {
  /** The input, and what it is. */
  readonly what: string;
  readonly stated: string;
  /** Besides leaving the format out. */
  readonly remedy: string;
}

/** An input isn't in the format that a mapping or an option states. */
export class StatedFormatError extends SourceError {
  readonly mismatch: Mismatch;

  /** @param by where the format is stated */
  constructor(mismatch: Mismatch, by = 'the option format (--format)') {
    const { what, stated, remedy } = mismatch;
    super(`${what}, but ${by} states ${stated}: leave the format out there, or ${remedy}.`);
    this.mismatch = mismatch;
  }
}
