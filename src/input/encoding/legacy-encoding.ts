/** Finds the encoding of a text that isn't Unicode, by what each encoding would make of it. */
import iconv from 'iconv-lite';
import { languageDetector } from '../../model/language-detector.js';

/** An encoding, and what it makes of a text. */
export interface LikelyEncoding {
  readonly encoding: string;
  /** ISO 639-1 code of the language that its text looks most like. */
  readonly language: string;
  /** What speaks against it; 0 if nothing does. */
  readonly cost: number;
  /** Characters beyond ASCII. */
  readonly characters: number;
  /** A part of its text in which it differs from the next one. */
  readonly line: string;
}

const WESTERN = 'en fr de es it pt ca eu nl sv no da fi is et sq';
const CENTRAL = 'en pl cs sk hu ro hr sl sq de';
const CYRILLIC = 'en ru uk be bg sr';

/** The languages that each encoding is used for. Of encodings that give the same text, the first is named. */
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

/** Letters beyond ASCII that a language is written with; in English, those of names and loanwords. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  ...{ en: /[àáâäåæçèéêëíîïñóôöøœßúûü]/iu, fr: /[àâæçèéêëîïôœùûüÿ]/iu, de: /[àäçéèêñöüß]/iu },
  ...{ es: /[áéíñóúü]/iu, it: /[àèéìíîòóùú]/iu, pt: /[àáâãçéêíóôõúü]/iu, ca: /[àçèéíïòóúü]/iu },
  ...{ eu: /[ñü]/iu, nl: /[áäèéêëïóöü]/iu, sv: /[àäåéöü]/iu, no: /[æåéêòóôø]/iu, da: /[æåéöø]/iu },
  ...{ fi: /[äåöšž]/iu, is: /[áæéíðóöúýþ]/iu, et: /[äõöüšž]/iu, lv: /[āčēģīķļņšūž]/iu },
  ...{ lt: /[ąčęėįšųūž]/iu, pl: /[ąćęłńóśźż]/iu, cs: /[áčďéěíňóřšťúůýž]/iu, sq: /[çë]/iu },
  ...{ sk: /[áäčďéíĺľňóôŕšťúýž]/iu, hu: /[áéíóöőúüű]/iu, ro: /[âăîșşțţ]/iu, hr: /[čćđšž]/iu },
  ...{ sl: /[čšž]/iu, tr: /[âçğıİîöşûü]/iu, az: /[çəğıİöşü]/iu },
  vi: /[àáâãăèéêìíòóôơùúưýđ]|\p{M}/iu,
  ...{ ru: /[а-яё]/iu, bg: /[а-ъьюя]/iu, uk: /[а-щьюяґєії]/iu, be: /[а-зй-шыьэюяёіў]/iu },
  ...{ sr: /[а-ик-шјљњћђџ]/iu, el: /\p{Script=Greek}/u, he: /\p{Script=Hebrew}/u },
  ...{ ar: /[\u0621-\u0652]/u, fa: /\p{Script=Arabic}/u, ur: /\p{Script=Arabic}/u },
  ...{ th: /\p{Script=Thai}/u, ko: /\p{Script=Hangul}/u, zh: /\p{Script=Han}/u },
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u,
};

/** What may stand beside a letter of ASCII within a word. */
const ANY_SCRIPT =
  '\\p{Script=Latin}\\u0300-\\u036f\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const LETTER = '[\\p{L}\\p{M}]';
/** What may stand between two letters. */
const JOINING = '’‘·\\u00ad\\u200c\\u200d\\u3000-\\u303f\\uff00-\\uffef・…“”（）';
/** A sign beyond ASCII that may not follow a letter, or come before one. */
const NOT_BEHIND = '(?![™®©°ªº²³])[^\\0-\\x7f\\P{S}]|[‚„¿¡§]';
const NOT_BEFORE = '(?![©™])[^\\0-\\x7f\\P{S}]|§';

/** What hardly occurs in text, and what it costs where it does. */
const ODDITIES: readonly (readonly [pattern: RegExp, cost: number])[] = [
  // A control character; no character at all, or a part of a frame.
  [/[\x80-\x9f]/gu, 6],
  [/[\ufffd\p{Co}\p{Cn}\u2500-\u25ff]/gu, 4],
  // A capital within a word, or a small letter among capitals.
  [/(?<=\p{Ll})(?![A-Z])\p{Lu}|(?<=\p{Lu})(?![a-zß])\p{Ll}(?=\p{Lu})/gu, 4],
  // A word in two scripts.
  [
    new RegExp(
      `(?<=[A-Za-z])(?![${ANY_SCRIPT}])${LETTER}|(?![${ANY_SCRIPT}])${LETTER}(?=[A-Za-z])`,
      'gu',
    ),
    4,
  ],
  // A mark without its letter; in Thai a vowel without its consonant, or a letter out of use.
  [/(?<![\p{L}\p{M}])\p{M}|[เ-ไ](?![ก-ฮ])|[ฃฅ๏๚๛]/gu, 4],
  [new RegExp(`(?<=${LETTER})(?![${JOINING}–—])[^\\0-\\x7f\\p{L}\\p{M}](?=${LETTER})`, 'gu'), 4],
  [new RegExp(`(?<=${LETTER})(?:${NOT_BEHIND})(?!${LETTER})`, 'gu'), 2],
  [new RegExp(`(?<!${LETTER})(?:${NOT_BEFORE})(?=${LETTER})`, 'gu'), 2],
  // A paragraph mark at a word, a closing quote before one in another script.
  [
    new RegExp(
      `¶(?=${LETTER})|(?<=${LETTER})¶|(?<!${LETTER})[’”](?=${LETTER})(?!\\p{Script=Latin})`,
      'gu',
    ),
    4,
  ],
  // Signs one behind another, as accents of UTF-8 give them.
  [/(?<=[^\0-\x7f\P{L}])[™®©°ªº²³]|[^\0-\x7f\P{S}]{2}/gu, 2],
  // A dash within a word, a letter at a number.
  [new RegExp(`(?<=${LETTER})[–—](?=${LETTER})`, 'gu'), 1],
  [/(?<=\d)(?![a-z])[\p{Lu}\p{Ll}]|(?![a-z])[\p{Lu}\p{Ll}](?=\d)/giu, 2],
];
const FOREIGN = 2.5;
/** For each character, up to some, of a text that is like no language. */
const NO_LANGUAGE = 3;
const MAX_FOR_LANGUAGE = 40;
/** What the detector gives for a text that is clearly of a language. */
const CLEAR_SCORE = 0.78;
/** Chinese has more characters than the detector knows. */
const CLEAR_CHINESE = 0.5;
/** For encodings that are rarer than windows-1252, and for those that are rarer than all of Windows. */
const RARE = 1;
const RARER = 1.5;

/** By so much, the next reading has to cost more than one that is taken for right. */
const MARGIN = 3.5;
/** Readings that cost more than the best by less than this are shown. */
const MAX_BEHIND = 8;
const MAX_SHOWN = 4;

/**
 * Readings of a text that fit best, in this order; texts that several encodings share count once.
 * One alone is sure.
 */
export function likelyReadings(sample: Buffer): readonly LikelyEncoding[] {
  const pieces = tellingPieces(sample);
  const readings = new Map<string, LikelyEncoding>();
  for (const encoding of Object.keys(LANGUAGES)) {
    const texts = pieces.map((piece) => iconv.decode(piece, encoding, { stripBOM: false }));
    const text = texts.join('\n');
    const reading = { ...fitOf(text, encoding), line: text };
    const same = readings.get(text);
    if (same === undefined) readings.set(text, reading);
    else if (reading.cost < same.cost) readings.set(text, { ...reading, encoding: same.encoding });
  }
  const [best, ...others] = [...readings.values()].sort((a, b) => a.cost - b.cost);
  if (best === undefined) return [];
  const isClear = best.cost <= 1.5 * best.characters + 2;
  const near = others.filter(({ cost }) => cost < best.cost + (isClear ? MARGIN : MAX_BEHIND));
  if (near.length === 0 && isClear) return withLines([best]);
  const shown = others.filter(({ cost }, at) => at === 0 || cost < best.cost + MAX_BEHIND);
  return withLines([best, ...shown.slice(0, MAX_SHOWN - 1)]);
}

/** Whether a text may be in an encoding: that gives what a sure one gives, or else only characters. */
export function mayBe(sample: Buffer, encoding: string, sure: string | undefined): boolean {
  const text = iconv.decode(sample, encoding);
  if (sure !== undefined) return text === iconv.decode(sample, sure);
  return !/[\ufffd\x80-\x9f]/u.test(text);
}

const BEYOND_ASCII = /[^\0-\x7f]/gu;

function fitOf(text: string, encoding: string): Omit<LikelyEncoding, 'line'> {
  const characters = text.match(BEYOND_ASCII)?.length ?? 0;
  const odd = ODDITIES.reduce((sum, [one, cost]) => sum + cost * (text.match(one)?.length ?? 0), 0);
  const letters = countsOf(text.match(/(?![A-Za-zªº])[\p{L}\p{M}]/gu) ?? []);
  const scores = languageDetector()
    .detect(text.replace(/[^\p{L}\p{M}\s'’]/gu, ' '))
    .getScores();
  const languages = (LANGUAGES[encoding] ?? '').split(' ').map((language) => {
    const foreign = letters.reduce(
      (sum, [letter, count]) => sum + (LETTERS[language]?.test(letter) ? 0 : count),
      0,
    );
    const unlike = Math.max(
      0,
      1 - (scores[language] ?? 0) / (language === 'zh' ? CLEAR_CHINESE : CLEAR_SCORE),
    );
    const none = NO_LANGUAGE * Math.min(characters, MAX_FOR_LANGUAGE) * unlike;
    return { language, cost: FOREIGN * foreign + none };
  });
  const [{ language, cost } = { language: 'en', cost: 0 }] = languages.sort(
    (a, b) => a.cost - b.cost,
  );
  return { encoding, language, cost: odd + cost + rarity(encoding), characters };
}

function rarity(encoding: string): number {
  if (encoding === 'windows-1252') return 0;
  return encoding.startsWith('windows') ? RARE : RARER;
}

function countsOf(characters: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const one of characters) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts];
}

const USUAL_BYTES = 8 * 1024;
const MAX_BYTES = 32 * 1024;
const LONG_PIECE = 300;
const LF = 0x0a;
const CR = 0x0d;
/** In all of these encodings, a byte below this is a character of its own. */
const ALONE = 0x30;

/** Lines, or parts of long ones, that are more than ASCII: some, and all with a byte that is new. */
function tellingPieces(sample: Buffer): readonly Buffer[] {
  const seen = new Set<number>();
  const pieces: Buffer[] = [];
  let length = 0;
  let start = 0;
  for (let at = 0; at <= sample.length && length < MAX_BYTES; at += 1) {
    const byte = sample[at] ?? LF;
    const isEnd = byte === LF || byte === CR || (at - start > LONG_PIECE && byte < ALONE);
    if (!isEnd) continue;
    const piece = sample.subarray(start, at);
    start = at + 1;
    const high = piece.filter((one) => one >= 0x80);
    if (high.length === 0 || (length >= USUAL_BYTES && high.every((one) => seen.has(one))))
      continue;
    for (const one of high) seen.add(one);
    pieces.push(piece);
    length += piece.length;
  }
  return pieces;
}

const SHOWN_LENGTH = 60;

/** Shows of each reading the first line in which the first two differ. */
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
