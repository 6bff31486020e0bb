/** A version that npm takes, without build metadata: `1.2.0`, `1.2.0-rc.0`. */
const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?<prerelease>-[a-z]+\.(?:0|[1-9]\d*))?$/;

export function isVersion(text) {
  return VERSION.test(text);
}

/** The tag under which npm offers a version: whoever names none gets `latest`. */
export function distTag(version) {
  return VERSION.exec(version)?.groups?.prerelease === undefined ? 'latest' : 'next';
}
