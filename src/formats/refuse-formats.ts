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
  const known = KNOWN.find(({ is }) => is(bytes));
  if (known !== undefined) {
    throw new SourceError(`${name} is ${known.what}, which can't be read: ${known.remedy}.`);
  }
}

/** Refuses web pages, XML and binary files, judged by the decoded text. */
export function refuseOtherText(name: string, text: Buffer): void {
  const start = text
    .toString('latin1', 0, 1024)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^(<!doctype html|<html|<head|<body)/i.test(start)) {
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
