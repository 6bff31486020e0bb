/**
 * Step `repair: encoding`: restores text in UTF-8 that was read as windows-1252 or latin1, once or
 * several times: `cafÃ©` is `café`. Other text, also beside it, stays as it is.
 */
import { blankToUndefined, type Step } from './value.js';

/**
 * Characters of the bytes 0x80 to 0x9f in windows-1252. The five that it leaves open are control
 * characters, as in latin1.
 */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
/** A byte that follows the first of a character in UTF-8, as either encoding shows it. */
const NEXT = `[\\x80-\\xbf${WINDOWS}]`;
const CHARACTER = `(?:[Â-ß]${NEXT}|[à-ï]${NEXT}{2}|[ð-ô]${NEXT}{3})`;
const MISREAD = new RegExp(`${CHARACTER}+`, 'gu');

/**
 * Signs that text is misread: a mark that doesn't follow such a capital (`É”` may be the end of a
 * quotation, but no text has `É‰`), or two characters in a row.
 */
const UNMISTAKABLE = new RegExp(
  `(?<!\\xa0)[\\x80-\\x9fƒˆ†‡‰Œ˜œŸ¢-¨¬¯±-¶¸¹¼-¾]|[ÃÄÅÈ][ŠŽšž]|[ÂÃ][ªº]|Ã[€¡©\\xad]|â€|${CHARACTER}{2}`,
  'u',
);
/** Punctuation that may join two words, and letters that stand beside `É` in capitals. */
const JOINING = '’–—…·•«ŠŽšž\\xa0\\xad';
/**
 * Such signs with the adjacent characters: a capital after a small letter, a capital that is no word
 * by itself, or punctuation inside a word.
 */
const MISPLACED = new RegExp(
  `\\p{Ll}[Â-Þ]|(?<!\\p{L})(?:Ä°|[ÂÃ](?![’”…»](?!\\p{L})))|(?:\\p{L}[Â-ô]|[ÃÄÅ])(?![${JOINING}]+\\p{L})${NEXT}{1,3}\\p{L}`,
  'u',
);

/** Characters that no text is restored to: no UTF-8, unassigned, private, or of no living language. */
const UNUSED = /[\u0340-\u036f\u0800-\u086f\p{Cn}\p{Co}\ufffd]/u;
/** A letter or accent of another script than Latin, next to a Latin letter. */
const FOREIGN = '(?![\\p{Script=Latin}\\p{Script=Common}\\u02b0-\\u033f])[\\p{L}\\p{M}]';
const MIXED = new RegExp(`\\p{Script=Latin}${FOREIGN}|${FOREIGN}\\p{Script=Latin}`, 'u');
/** A small letter among capitals. */
const LOWERED = /^\p{Lu}{2}\p{Ll}(?!\p{Ll})|(?<!\p{Ll})\p{Ll}\p{Lu}$/u;

export function compileRepairEncoding(trimmed: boolean): Step {
  return (value) =>
    typeof value === 'string' ? blankToUndefined(repairEncoding(value), trimmed) : value;
}

/** Most times that a text is misread; a chain of such characters loses one with each pass. */
const MAX_PASSES = 8;

/** Restores misread text, also if it was misread several times. */
export function repairEncoding(text: string): string {
  let repaired = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = repaired;
    repaired = restoreOnce(before);
    if (repaired === before) return repaired;
  }
  return text;
}

/** Restores all that reads as UTF-8, if some of it can't be anything else. */
function restoreOnce(text: string): string {
  let isMisread = false;
  const restored = text.replace(MISREAD, (part, start: number) => {
    const before = text.slice(Math.max(0, start - 2), start);
    const after = text.charAt(start + part.length);
    const characters = Buffer.from([...part].map(byteOf)).toString();
    if (!isPlausible(before, characters, after)) return part;
    isMisread ||= UNMISTAKABLE.test(part) || MISPLACED.test(before.slice(-1) + part + after);
    return characters;
  });
  return isMisread ? restored : text;
}

/** Byte that a character stands for. */
function byteOf(character: string): number {
  const code = character.charCodeAt(0);
  return code < 0x100 ? code : 0x80 + WINDOWS.indexOf(character);
}

function isPlausible(before: string, characters: string, after: string): boolean {
  // Control characters are part of text that was misread twice.
  if (UNUSED.test(characters) || /\p{Cc}/u.test(characters.replace(MISREAD, ''))) return false;
  if ([...characters].length > 1) return true;
  const word = before + characters + after;
  return !MIXED.test(word) && !LOWERED.test(word);
}
