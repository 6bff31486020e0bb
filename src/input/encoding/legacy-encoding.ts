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

const LOANED = 'fr de es it pt nl sv no da';
const WESTERN = `en ${LOANED} ca eu fi is et sq`;
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

/** Letters beyond ASCII that a language is written with. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ fr: 'àâæçèéêëîïôœùûüÿ', de: 'àäçéèêñöüß', es: 'áéíñóúü', it: 'àèéìíîòóùú' },
  ...{ pt: 'áâãàçéêíóôõúü', ca: 'àçèéíïòóúü', eu: 'ñü', nl: 'áäèéêëïóöü', sv: 'àäåéöü' },
  ...{ no: 'æåéêòóôø', da: 'æåéöø', fi: 'äåöšž', is: 'áæéíðóöúýþ', et: 'äõöüšž' },
  ...{ lv: 'āčēģīķļņšūž', lt: 'ąčęėįšųūž', pl: 'ąćęłńóśźż', cs: 'áčďéěíňóřšťúůýž' },
  ...{ sk: 'áäčďéíĺľňóôŕšťúýž', hu: 'áéíóöőúüű', ro: 'âăîșşțţ', hr: 'čćđšž', sl: 'čšž' },
  ...{ sq: 'çë', tr: 'âçğıİîöşûü', az: 'çəğıİöşü', vi: 'àáâãăèéêìíòóôơùúưýđ\\p{M}' },
  ...{ ru: 'а-яё', bg: 'а-ъьюя', uk: 'а-щьюяґєії', be: 'а-зй-шыьэюяёіў', sr: 'а-ик-шјљњћђџ' },
  ...{ el: '\\p{Script=Greek}', he: '\\p{Script=Hebrew}', ar: '\\u0621-\\u0652' },
  ...{ fa: '\\p{Script=Arabic}', ur: '\\p{Script=Arabic}', th: '\\p{Script=Thai}' },
  ...{ ko: '\\p{Script=Hangul}', zh: '\\p{Script=Han}' },
  ja: '\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}ー\\uff66-\\uff9f',
};
const WRITTEN_IN = new Map(
  Object.entries(LETTERS).map(([language, all]) => [language, new RegExp(`^[${all}]+$`, 'iu')]),
);

const EAST_ASIAN =
  '\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\uff66-\\uff9f';
/** What may stand beside a letter of ASCII within a word. */
const ANY_SCRIPT = `${EAST_ASIAN}\\p{Script=Latin}\\u0300-\\u036f`;
const LETTER = '[\\p{L}\\p{M}]';
/** What may stand between two letters. */
const JOINING = '’‘·\\u00ad\\u200c\\u200d\\u3000-\\u303f\\uff00-\\uffef・…“”（）';
/** A sign beyond ASCII that may not follow a letter, or come before one. */
const NOT_BEHIND = '(?![™®©°ªº²³])[^\\0-\\x7f\\P{S}]|[‚„¿¡§]';
const NOT_BEFORE = '(?![©™])[^\\0-\\x7f\\P{S}]|[§²³¹]';

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
  // A paragraph mark or a currency at a word, a closing quote before one in another script.
  [
    new RegExp(
      `¶(?=${LETTER})|(?<=${LETTER})¶|[£¥¢](?=${LETTER})|(?<=${LETTER}{3})[²³¹]|(?<!${LETTER})[’”](?=${LETTER})(?!\\p{Script=Latin})`,
      'gu',
    ),
    4,
  ],
  // A single character of East Asia at a word, or within it.
  [
    new RegExp(
      `(?<=[a-z])[${EAST_ASIAN}](?![${EAST_ASIAN}])|(?<![${EAST_ASIAN}])[${EAST_ASIAN}](?=[a-z])`,
      'gu',
    ),
    4,
  ],
  // Signs one behind another, as words in another script and accents of UTF-8 give them.
  [/[^\0-\x7f\p{L}\p{M}\p{Z}‘-”«»…–—\u3000-\u303f\uff00-\uffef]{2}/gu, 4],
  [/(?<=[^\0-\x7f\P{L}])[™®©°ªº²³]/gu, 2],
  // A dash within a word, a letter at a number.
  [new RegExp(`(?<=${LETTER})[–—](?=${LETTER})`, 'gu'), 1],
  [/(?<=\d)(?![a-z])[\p{Lu}\p{Ll}]|(?![a-z])[\p{Lu}\p{Ll}](?=\d)/giu, 2],
];
/** For a word of another language, and for each letter of one that is of none. */
const FOREIGN = 2.5;
/** For each character, up to some, of a text that is like no language. */
const NO_LANGUAGE = 3;
const MAX_FOR_LANGUAGE = 40;
const SURE_LETTERS = 20;
/** What the detector gives for a text that is clearly of a language. */
const CLEAR_SCORE = 0.78;
/** Chinese has more characters than the detector knows. */
const CLEAR_CHINESE = 0.5;
/** For encodings that are rarer than windows-1252: others of Windows, standards, DOS and old Macs. */
const RARITY: readonly (readonly [RegExp, number])[] = [
  [/^windows-1252$/, 0],
  [/^windows/, 1.1],
  [/^(cp|mac)/, 3],
  [/./, 1.5],
];

/** By so much, the next reading has to cost more than one that is taken for right. */
const MARGIN = 3.5;
/** Readings that cost more than the best by less than this are shown. */
const MAX_BEHIND = 8;
const MAX_SHOWN = 6;

/**
 * Readings of a text that fit best, in this order; texts that several encodings share count once.
 * One alone is sure.
 */
export function likelyReadings(bytes: Buffer): readonly LikelyEncoding[] {
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
  const near = others.filter((one) => rank(one) < rank(best) + (isClear ? MARGIN : MAX_BEHIND));
  if (near.length === 0 && isClear) return withLines([best]);
  const shown = others.filter((one, at) => at === 0 || rank(one) < rank(best) + MAX_BEHIND);
  return withLines([best, ...shown.slice(0, MAX_SHOWN - 1)]);
}

const BEYOND_ASCII = /[^\0-\x7f]/gu;

function fitOf(text: string, encoding: string): Omit<LikelyEncoding, 'line'> {
  const characters = text.match(BEYOND_ASCII)?.length ?? 0;
  const odd = ODDITIES.reduce((sum, [one, cost]) => sum + cost * (text.match(one)?.length ?? 0), 0);
  const words = wordsOf(text);
  const scores = languageDetector()
    .detect(text.replace(/[^\p{L}\p{M}\s'’]/gu, ' '))
    .getScores();
  const likeness = (LANGUAGES[encoding] ?? '').split(' ').map((language) => {
    const clear = language === 'zh' ? CLEAR_CHINESE : CLEAR_SCORE;
    return [language, Math.min(1, (scores[language] ?? 0) / clear)] as const;
  });
  // A few words are of no language for sure.
  const weight = Math.min(1, (text.match(/\p{L}/gu)?.length ?? 0) / SURE_LETTERS);
  const most = Math.min(Math.max(characters, 3), MAX_FOR_LANGUAGE);
  const languages = likeness.map(([language, like]) => {
    const foreign = words.reduce(
      (sum, [word, n]) => sum + n * foreignness(word, language, likeness),
      0,
    );
    return { language, cost: FOREIGN * foreign + NO_LANGUAGE * most * weight * (1 - like) };
  });
  const [{ language, cost } = { language: 'en', cost: 0 }] = languages.sort(
    (a, b) => a.cost - b.cost,
  );
  return { encoding, language, cost: odd + cost, characters };
}

function rank({ encoding, cost }: LikelyEncoding): number {
  return cost + (RARITY.find(([those]) => those.test(encoding))?.[1] ?? 0);
}

/** Words with letters beyond ASCII, without the others, and how often each occurs. */
function wordsOf(text: string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const letters = word.replace(/[A-Za-zªº]+/g, '');
    if (letters !== '') counts.set(letters, (counts.get(letters) ?? 0) + 1);
  }
  return [...counts];
}

/** What a word costs in a text; in English, names and loanwords of some languages are at home. */
function foreignness(
  letters: string,
  language: string,
  likeness: readonly (readonly [language: string, likeness: number])[],
): number {
  const isIn = (one: string): boolean => WRITTEN_IN.get(one)?.test(letters) === true;
  if (language === 'en' ? LOANED.split(' ').some(isIn) : isIn(language)) return 0;
  const others = likeness.filter(([one]) => isIn(one)).map(([, like]) => 1 - like ** 2 / 2);
  return others.length > 0 ? Math.min(...others) : 1 + letters.length;
}

const USUAL_BYTES = 4 * 1024;
const MAX_BYTES = 12 * 1024;
const LONG_PIECE = 300;
const LF = 0x0a;
const CR = 0x0d;
/** In all of these encodings, a byte below this is a character of its own. */
const ALONE = 0x30;

/** Lines, or parts of long ones, that are more than ASCII: some, and all with a byte that is new. */
export function tellingLines(sample: Buffer): Buffer {
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
    pieces.push(piece, Buffer.from('\n'));
    length += piece.length;
  }
  return Buffer.concat(pieces);
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
