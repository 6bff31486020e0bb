import { transcode } from 'node:buffer';

/** Later ones decode as quickly as they transcode, or more so. */
const DECODES_SLOWLY = Number.parseInt(process.versions.node, 10) < 24;

/**
 * A chunk's text, of well-formed UTF-8. V8 keeps a text with a character beyond Latin-1 in UTF-16,
 * and before Node 24 it is there in two thirds of the time by way of a buffer of that. Other texts
 * take half as much memory, and less of all that is done with them: they are left to V8.
 */
export function utf8Text(bytes: Buffer): string {
  return DECODES_SLOWLY && isBeyondLatin1(bytes)
    ? transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
    : bytes.toString('utf8');
}

/** Whether there is an emoji, or one of the dashes, quotes and dots that most other texts have. */
function isBeyondLatin1(bytes: Buffer): boolean {
  return bytes.includes(FOUR_BYTES) || bytes.includes(PUNCTUATION);
}

/** The first byte of the characters from U+10000 on, and of those from U+2000 to U+2FFF. */
const FOUR_BYTES = 0xf0;
const PUNCTUATION = 0xe2;
