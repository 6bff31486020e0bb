/** Detects a legacy encoding by scoring the text that each candidate yields. */
import { languageDetector } from '../../model/language-detector.js';
import { iconvLite } from './decode.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import LETTERS from './letters.json' with { type: 'json' };

export interface LikelyEncoding {
  readonly encoding: string;
  /** ISO 639-1 code of the most likely language. */
  readonly language: string;
  /** Penalties for implausible text; 0 is best. */
  readonly cost: number;
  /** Number of non-ASCII characters. */
  readonly characters: number;
  /** Excerpt in which it differs from the next candidate. */
  readonly line: string;
}

const LOAN_LANGUAGES = 'fr de es it pt nl sv no da';
const WESTERN = `en ${LOAN_LANGUAGES} ca eu fi is et sq`;
const CENTRAL = 'en pl cs sk hu ro hr sl sq de';
const CYRILLIC = 'en ru uk be bg sr';

/** Languages written in each encoding. If encodings yield the same text, the first is reported. */
const LANGUAGES: Readonly<Record<string, string>> = {
  'windows-1252': WESTERN,
  'windows-1250': CENTRAL,
  'windows-1251': CYRILLIC,
  'windows-1253': 'en el',
  'windows-1254': 'en tr az',
  'windows-1255': 'en he',
  'windows-1256': 'en ar fa ur',
  'windows-1257': 'en lt lv et',
  'windows-1258': 'vi',
  'windows-874': 'en th',
  'iso-8859-15': WESTERN,
  'iso-8859-2': CENTRAL,
  'iso-8859-5': CYRILLIC,
  'iso-8859-6': 'en ar',
  'iso-8859-7': 'en el',
  'iso-8859-8': 'en he',
  'iso-8859-9': 'en tr',
  'iso-8859-13': 'en lt lv et',
  'koi8-r': 'en ru bg',
  'koi8-u': CYRILLIC,
  cp850: WESTERN,
  cp437: WESTERN,
  cp852: CENTRAL,
  cp737: 'en el',
  cp857: 'en tr az',
  cp866: CYRILLIC,
  macroman: WESTERN,
  maccenteuro: CENTRAL,
  maccyrillic: CYRILLIC,
  shift_jis: 'en ja',
  'euc-jp': 'en ja',
  gb18030: 'en zh',
  big5: 'en zh',
  'euc-kr': 'en ko',
};

/** Matches texts of a language's non-ASCII letters alone. */
const ALPHABETS = new Map(
  Object.entries(LETTERS).map(([language, all]) => [language, new RegExp(`^[${all}]+$`, 'iu')]),
);

const EAST_ASIAN =
  '\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\uff66-\\uff9f';
/** Characters that may be adjacent to an ASCII letter within a word. */
const ANY_SCRIPT = `${EAST_ASIAN}\\p{Script=Latin}\\u0300-\\u036f`;
const LETTER = '[\\p{L}\\p{M}]';
/** Characters that may occur between two letters. */
const JOINING = '’‘·\\u00ad\\u200c\\u200d\\u3000-\\u303f\\uff00-\\uffef・…“”（）';
/** A sign beyond ASCII that may not follow a letter, or come before one. */
const NOT_AFTER_LETTER = '(?![™®©°ªº²³])[^\\0-\\x7f\\P{S}]|[‚„¿¡§]';
const NOT_BEFORE_LETTER = '(?![©™])[^\\0-\\x7f\\P{S}]|[§²³¹]';

/** Patterns that are rare in text, with the cost of each occurrence. */
const IMPLAUSIBLE: readonly (readonly [pattern: RegExp, cost: number])[] = [
  // A control character; an unassigned, private or replacement character, or box drawing.
  [/[\x80-\x9f]/gu, 6],
  [/[\ufffd\p{Co}\p{Cn}\u2500-\u25ff]/gu, 4],
  // A capital inside a word, or a small letter among capitals.
  [/(?<=\p{Ll})(?![A-Z])\p{Lu}|(?<=\p{Lu})(?![a-zß])\p{Ll}(?=\p{Lu})/gu, 4],
  // A word that mixes two scripts.
  [
    new RegExp(
      `(?<=[A-Za-z])(?![${ANY_SCRIPT}])${LETTER}|(?![${ANY_SCRIPT}])${LETTER}(?=[A-Za-z])`,
      'gu',
    ),
    4,
  ],
  // A combining mark without a letter; in Thai, a vowel without its consonant or an obsolete
  // letter.
  [/(?<![\p{L}\p{M}])\p{M}|[เ-ไ](?![ก-ฮ])|[ฃฅ๏๚๛]/gu, 4],
  [new RegExp(`(?<=${LETTER})(?![${JOINING}–—])[^\\0-\\x7f\\p{L}\\p{M}](?=${LETTER})`, 'gu'), 4],
  [new RegExp(`(?<=${LETTER})(?:${NOT_AFTER_LETTER})(?!${LETTER})`, 'gu'), 2],
  [new RegExp(`(?<!${LETTER})(?:${NOT_BEFORE_LETTER})(?=${LETTER})`, 'gu'), 2],
  // A paragraph or currency sign adjacent to a word, or a closing quote before a letter of another
  // script.
  [
    new RegExp(
      `¶(?=${LETTER})|(?<=${LETTER})¶|[£¥¢](?=${LETTER})|(?<=${LETTER}{3})[²³¹]|(?<!${LETTER})[’”](?=${LETTER})(?!\\p{Script=Latin})`,
      'gu',
    ),
    4,
  ],
  // A single East Asian character adjacent to or inside a word.
  [
    new RegExp(
      `(?<=[a-z])[${EAST_ASIAN}](?![${EAST_ASIAN}])|(?<![${EAST_ASIAN}])[${EAST_ASIAN}](?=[a-z])`,
      'gu',
    ),
    4,
  ],
  // Adjacent symbols, as words in another script or UTF-8 accents yield when misread.
  [/[^\0-\x7f\p{L}\p{M}\p{Z}‘-”«»…–—\u3000-\u303f\uff00-\uffef]{2}/gu, 4],
  [/(?<=[^\0-\x7f\P{L}])[™®©°ªº²³]/gu, 2],
  // A dash inside a word, or a letter adjacent to a number.
  [new RegExp(`(?<=${LETTER})[–—](?=${LETTER})`, 'gu'), 1],
  [/(?<=\d)(?![a-z])[\p{Lu}\p{Ll}]|(?![a-z])[\p{Lu}\p{Ll}](?=\d)/giu, 2],
];
/** Penalty for a word of another language, and for each letter that belongs to none. */
const FOREIGN_COST = 2.5;
/** Penalty per character, up to a maximum, for text in no known language. */
const NO_LANGUAGE_COST = 3;
const MAX_FOR_LANGUAGE = 40;
const CERTAIN_LETTERS = 20;
/** Detector score of text that is clearly in a language. */
const CERTAIN_SCORE = 0.78;
/** Lower for Chinese, which has more characters than the detector knows. */
const CERTAIN_CHINESE_SCORE = 0.5;
/**
 * Penalties for encodings rarer than windows-1252: other Windows code pages, ISO, DOS and old Macs.
 */
const RARITY_COST: readonly (readonly [RegExp, number])[] = [
  [/^windows-1252$/, 0],
  [/^windows/, 1.1],
  [/^(cp|mac)/, 3],
  [/./, 1.5],
];

/** Least distance in cost to the next candidate for a result to be certain. */
const MARGIN = 3.5;
/** Candidates within this distance in cost of the best are shown. */
const MAX_DISTANCE = 8;
const MAX_SHOWN = 6;

/**
 * Ranks candidate encodings by how well their text reads; encodings with the same text count once.
 * A single result is certain.
 */
export function likelyReadings(bytes: Buffer): readonly LikelyEncoding[] {
  const iconv = iconvLite();
  const readings = new Map<string, LikelyEncoding>();
  for (const encoding of Object.keys(LANGUAGES)) {
    const text = iconv.decode(bytes, encoding, { stripBOM: false });
    const reading = { ...fitOf(text, encoding), line: text };
    const same = readings.get(text);
    if (same === undefined) readings.set(text, reading);
    else if (reading.cost < same.cost) readings.set(text, { ...reading, encoding: same.encoding });
  }
  const [best, ...others] = [...readings.values()].sort((a, b) => rank(a) - rank(b));
  if (best === undefined) return [];
  const isClear = best.cost <= 1.5 * best.characters + 2;
  const near = others.filter((one) => rank(one) < rank(best) + (isClear ? MARGIN : MAX_DISTANCE));
  if (near.length === 0 && isClear) return withLines([best]);
  const shown = others.filter((one, at) => at === 0 || rank(one) < rank(best) + MAX_DISTANCE);
  return withLines([best, ...shown.slice(0, MAX_SHOWN - 1)]);
}

const BEYOND_ASCII = /[^\0-\x7f]/gu;

/** Signs of drawn ratings, such as ★★★☆☆ or ◎○△×, at different places in each East Asian encoding. */
const RATING_SIGNS = /[★☆●○◎◉◯◆◇■□▲△▼▽♥♡♪※×→]+/gu;
const EAST_ASIAN_ENCODINGS = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']);

function fitOf(decoded: string, encoding: string): Omit<LikelyEncoding, 'line'> {
  const text = EAST_ASIAN_ENCODINGS.has(encoding) ? decoded.replace(RATING_SIGNS, ' ') : decoded;
  const characters = text.match(BEYOND_ASCII)?.length ?? 0;
  const odd = IMPLAUSIBLE.reduce(
    (sum, [one, cost]) => sum + cost * (text.match(one)?.length ?? 0),
    0,
  );
  const words = nonAsciiWords(text);
  const scores = languageDetector()
    .detect(text.replace(/[^\p{L}\p{M}\s'’]/gu, ' '))
    .getScores();
  const likeness = (LANGUAGES[encoding] ?? '').split(' ').map((language) => {
    const clear = language === 'zh' ? CERTAIN_CHINESE_SCORE : CERTAIN_SCORE;
    return [language, Math.min(1, (scores[language] ?? 0) / clear)] as const;
  });
  // The language of a few words is never certain.
  const weight = Math.min(1, (text.match(/\p{L}/gu)?.length ?? 0) / CERTAIN_LETTERS);
  const most = Math.min(Math.max(characters, 3), MAX_FOR_LANGUAGE);
  const languages = likeness.map(([language, like]) => {
    const foreign = words.reduce(
      (sum, [word, n]) => sum + n * foreignCost(word, language, likeness),
      0,
    );
    return {
      language,
      cost: FOREIGN_COST * foreign + NO_LANGUAGE_COST * most * weight * (1 - like),
    };
  });
  const [{ language, cost } = { language: 'en', cost: 0 }] = languages.sort(
    (a, b) => a.cost - b.cost,
  );
  return { encoding, language, cost: odd + cost, characters };
}

function rank({ encoding, cost }: LikelyEncoding): number {
  return cost + (RARITY_COST.find(([those]) => those.test(encoding))?.[1] ?? 0);
}

/** Words with non-ASCII letters (only those letters), and how often each occurs. */
function nonAsciiWords(text: string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const letters = word.replace(/[A-Za-zªº]+/g, '');
    if (letters !== '') counts.set(letters, (counts.get(letters) ?? 0) + 1);
  }
  return [...counts];
}

/**
 * Penalty of a word in a language; in English, names and loanwords of some languages are accepted.
 */
function foreignCost(
  letters: string,
  language: string,
  likeness: readonly (readonly [language: string, likeness: number])[],
): number {
  const isIn = (one: string): boolean => ALPHABETS.get(one)?.test(letters) === true;
  if (language === 'en' ? LOAN_LANGUAGES.split(' ').some(isIn) : isIn(language)) return 0;
  const others = likeness.filter(([one]) => isIn(one)).map(([, like]) => 1 - like ** 2 / 2);
  return others.length > 0 ? Math.min(...others) : 1 + letters.length;
}

const USUAL_BYTES = 4 * 1024;
const MAX_BYTES = 12 * 1024;
const LONG_PIECE = 300;
const LF = 0x0a;
const CR = 0x0d;
/** A byte below this is a character of its own in all of these encodings. */
const MIN_TRAIL_BYTE = 0x30;

/**
 * Selects lines (or parts of long ones) with non-ASCII bytes: some, and every one with a byte not
 * seen before.
 */
export function tellingLines(sample: Buffer): Buffer {
  const seen = new Set<number>();
  const pieces: Buffer[] = [];
  let length = 0;
  let start = 0;
  for (let at = 0; at <= sample.length && length < MAX_BYTES; at += 1) {
    const byte = sample[at] ?? LF;
    const isEnd = byte === LF || byte === CR || (at - start > LONG_PIECE && byte < MIN_TRAIL_BYTE);
    if (!isEnd) continue;
    const piece = sample.subarray(start, at);
    start = at + 1;
    const high = piece.filter((one) => one >= 0x80);
    if (high.length === 0 || (length >= USUAL_BYTES && high.every((one) => seen.has(one))))
      continue;
    for (const one of high) seen.add(one);
    pieces.push(piece, Buffer.from('\n'));
    length += piece.length;
  }
  return Buffer.concat(pieces);
}

const SHOWN_LENGTH = 60;

/** Sets each candidate's excerpt to the first line in which the best two differ. */
function withLines(readings: readonly LikelyEncoding[]): readonly LikelyEncoding[] {
  const lines = readings.map(({ line }) => line.split('\n'));
  const [first = [], second] = lines;
  const differing = first.findIndex((line, at) => second === undefined || line !== second[at]);
  const [line = '', other = ''] = lines.map((all) => all[differing] ?? '');
  const same = [...line].findIndex((character, at) => character !== [...other][at]);
  const from = Math.max(0, same - SHOWN_LENGTH / 2);
  return readings.map((reading, n) => {
    const shown = [...(lines[n]?.[differing] ?? '')].slice(from, from + SHOWN_LENGTH).join('');
    return { ...reading, line: from === 0 ? shown : shown.replace(/^\S*\s/u, '…') };
  });
}
