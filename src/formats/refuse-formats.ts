import { SourceError } from '../model/errors.js';

interface KnownFormat {
  readonly what: string;
  readonly remedy: string;
  readonly is: (bytes: Buffer) => boolean;
}

const DECOMPRESS = 'decompress it first; only gzip, zstd and zip are decompressed here';

/** What people take for an export, known by its first bytes. */
const KNOWN: readonly KnownFormat[] = [
  {
    what: 'an Excel workbook of the old kind (.xls), or one with a password',
    remedy: 'save it as .xlsx without a password',
    is: starts('\xd0\xcf\x11\xe0'),
  },
  { what: 'compressed with xz', remedy: DECOMPRESS, is: starts('\xfd7zXZ\0') },
  {
    what: 'compressed with bzip2',
    remedy: DECOMPRESS,
    is: (b) => /^BZh[1-9]1AY&SY/.test(b.toString('latin1', 0, 10)),
  },
  { what: 'compressed twice', remedy: 'decompress it once', is: starts('\x1f\x8b') },
  { what: 'compressed twice', remedy: 'decompress it once', is: starts('\x28\xb5\x2f\xfd') },
  { what: 'a 7z archive', remedy: 'extract it first', is: starts('7z\xbc\xaf\x27\x1c') },
  { what: 'an encrypted Parquet file', remedy: 'write it without encryption', is: starts('PARE') },
  { what: 'an Avro file', remedy: 'export it as JSON Lines', is: starts('Obj\x01') },
  {
    what: 'an SQLite database',
    remedy: 'export a table of it as CSV',
    is: starts('SQLite format 3\0'),
  },
  { what: 'a PDF document', remedy: 'get the export as CSV', is: starts('%PDF-') },
];

/**
 * Refuses what is known not to be CSV or JSON, judged by its (decompressed) bytes.
 * @throws SourceError that says what it is and what to do
 */
export function refuseKnownFormats(name: string, bytes: Buffer): void {
  refuseIfKnown(name, bytes, KNOWN);
}

/** Refuses web pages, XML and binary files, judged by the decoded text. */
export function refuseOtherText(name: string, text: Buffer): void {
  const start = startOf(text);
  const isPage = /^(?:<!doctype html|<html|<head|<body|<table|<meta)/i.test(start);
  // A login page may have a table, too.
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
  if (/^<\?xml/i.test(start)) {
    throw new SourceError(`${name} is XML, which can't be read: export it as CSV or JSON.`);
  }
  if (isBinary(text.subarray(0, ENOUGH_TO_TELL))) {
    throw new SourceError(
      `${name} is no text, so it holds no CSV or JSON: check that it is the right file.`,
    );
  }
}

/** In the HTML and XML that programs write for Excel. */
const EXCEL_NAMESPACE = /^<.{0,2000}urn:schemas-microsoft-com:office:(?:excel|spreadsheet)/is;

/** Text in which a delimiter may be found, but no table. */
const NO_TABLES: readonly KnownFormat[] = [
  {
    what: 'YAML',
    remedy: 'turn it into JSON, for example with yq -o json',
    is: (text) => /^(?:---\s|- )/.test(startOf(text)) && shareOfPairs(text) > 0.5,
  },
  {
    what: 'text with a key and a value on each line',
    remedy: 'write each record as an object in JSON, or export it as CSV',
    is: (text) => shareOfPairs(text) > 0.9,
  },
  {
    what: 'source code',
    remedy: 'keep only the data in it, as JSON',
    is: (text) => CODE.test(startOf(text)),
  },
];

/** A comment, a script, an assignment, a call with a value, or an object with bare keys. */
const CODE =
  /^(?:\/[/*]|#!|<\?php|(?:export default|[\w$ .[\]'"]{1,200}=|[\w$.]{1,100}\()\s*[[{]|[[{\s]*\{\s*(?:[\w$]+|'[^'\n]*')\s*:)/;

/**
 * Refuses text that nothing speaks for but that it is text, unless it is a table.
 * @throws SourceError
 */
export function refuseNoTable(name: string, text: Buffer): void {
  refuseIfKnown(name, text, NO_TABLES, '; if it is a table all the same, state the format csv');
}

/** The share of lines such as `author: Ann`, of a text that begins with one. */
function shareOfPairs(text: Buffer): number {
  const lines = startOf(text)
    .split(/[\r\n]+/)
    .filter((line) => !/^(?:---)?\s*$/.test(line));
  const keys = lines.map((line) => /^[\s-]*(["'\w][^:,;|\t]{0,40}):(?:\s|$)/.exec(line)?.[1]);
  const pairs = keys.filter((key) => key !== undefined);
  if (keys[0] === undefined || new Set(pairs).size < 2) return 0;
  return pairs.length / lines.length;
}

function refuseIfKnown(
  name: string,
  bytes: Buffer,
  formats: readonly KnownFormat[],
  otherwise: string = '',
): void {
  const known = formats.find(({ is }) => is(bytes));
  if (known === undefined) return;
  throw new SourceError(
    `${name} is ${known.what}, which can't be read: ${known.remedy}${otherwise}.`,
  );
}

function startOf(text: Buffer): string {
  const start = text.toString('latin1', 0, ENOUGH_TO_TELL);
  return start.replace(/^\xef\xbb\xbf/, '').trimStart();
}

const ENOUGH_TO_TELL = 64 * 1024;

/** Control characters but blanks, line ends, escape and those between texts of JSON (RFC 7464). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c\x1d\x1f]/g;

function isBinary(text: Buffer): boolean {
  const controls = text.toString('latin1').match(CONTROLS)?.length ?? 0;
  return controls > 16 && controls > text.length / 20;
}

function starts(mark: string): (bytes: Buffer) => boolean {
  return (bytes) => bytes.toString('latin1', 0, mark.length) === mark;
}
