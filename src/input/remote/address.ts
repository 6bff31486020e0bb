import { SourceError } from '../../model/errors.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether an input is an address on the network, and no path. */
export function isAddress(input: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(input);
}

/**
 * An address that may be fetched: HTTPS, but for this machine itself, and without credentials.
 * @throws SourceError
 */
export function checkAddress(input: string): URL {
  const url = parse(input);
  const shown = shownAddress(url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    const remedy =
      url.protocol === 'file:'
        ? 'give the path of the file'
        : 'download the file, or give an https: link';
    throw new SourceError(`${shown} can't be read, as only https: addresses can: ${remedy}.`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new SourceError(
      `${shown} does not use HTTPS, so that anybody on the way could read and change the records: start it with https://, or download the file.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new SourceError(
      `${shown} is given with a user name or a password, which would be shown in lists of processes: use a link that needs none, or download the file.`,
    );
  }
  url.hash = '';
  return url;
}

/** Without its query, which often holds a signature, and without credentials. */
export function shownAddress({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** An input as it may be written down. */
export function shownInput(input: string): string {
  return isAddress(input) && URL.canParse(input) ? shownAddress(new URL(input)) : input;
}

function parse(input: string): URL {
  try {
    return new URL(input);
  } catch {
    const shown = input.replace(/[?#].*$/s, '').replace(/\/\/.*@/s, '//…@');
    throw new SourceError(
      `${shown} is no address; expected something like https://example.com/reviews.csv.`,
    );
  }
}
