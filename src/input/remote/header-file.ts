import { OptionError } from '../../model/errors.js';
import { readSmallText } from '../../model/small-file.js';

/** Headers of a request, by their names in small letters. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Headers that every request sets, or that a resumed download needs. */
const OWN =
  /^(accept-encoding|connection|content-length|expect|host|if-range|range|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Reads headers for requests, a `Name: value` on each line. They may hold a token: messages name
 * lines, and never show them.
 * @throws OptionError
 */
export async function readHeaderFile(file: string): Promise<RequestHeaders> {
  const text = await readSmallText(
    file,
    (reason) => new OptionError(`The file of request headers, ${file}, ${reason}.`),
  );
  const headers = new Map<string, string>();
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.trim() === '') continue;
    const [, name = '', value] =
      /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]+)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (value === undefined) throw unusable(file, index, 'is not a header; expected "Name: value"');
    if (OWN.test(key))
      throw unusable(file, index, `sets ${key}, which docferry sets itself; remove it`);
    if (headers.has(key))
      throw unusable(file, index, 'repeats the name of an earlier line; remove one');
    headers.set(key, value.trim());
  }
  if (headers.size > 0) return Object.fromEntries(headers);
  throw new OptionError(`The file of request headers, ${file}, is empty; expected "Name: value".`);
}

function unusable(file: string, index: number, reason: string): OptionError {
  return new OptionError(`The file of request headers, ${file}, line ${index + 1} ${reason}.`);
}
