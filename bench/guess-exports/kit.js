// @ts-check
/** What the exports are made with: chance that repeats itself, reviews put together from phrases, tables, dates. */
import { randomFrom } from '../random.js';
import { elsewhere } from './phrases/elsewhere.js';
import { english } from './phrases/english.js';
import { european } from './phrases/european.js';

/**
 * @typedef {Record<'good' | 'bad' | 'neither' | 'wish' | 'minus' | 'goodTitle' | 'badTitle' | 'goodShort' | 'badShort' | 'names', string[]>} Phrases
 * @typedef {ReturnType<typeof kit>} Kit
 * @typedef {object} Review one that some site, tool or program has
 * @property {number} at its place in the export, from 0
 * @property {number} stars 1 to 5, what its author thinks
 * @property {string} text
 * @property {string} title
 * @property {string} praise
 * @property {string} complaint
 * @property {string} name
 * @property {Date} when
 */

/** @type {Record<string, keyof Phrases>} */
const KINDS = {
  '+': 'good',
  '-': 'bad',
  '=': 'neither',
  '~': 'wish',
  '^': 'minus',
  '*+': 'goodTitle',
  '*-': 'badTitle',
  '!+': 'goodShort',
  '!-': 'badShort',
};
/** Languages that put no blank between sentences. */
const UNSPACED = new Set(['ja', 'zh', 'zhGame']);
const SETS = phraseSets();

/** @returns {Record<string, Phrases>} by name: `stay`, `goods` … are English, the others named by their language */
function phraseSets() {
  const named = Object.entries({ ...english, ...european, ...elsewhere });
  return Object.fromEntries(named.map(([name, text]) => [name, phrasesOf(text)]));
}

/** @param {string} text */
function phrasesOf(text) {
  const phrases = /** @type {any} */ (
    Object.fromEntries([...Object.values(KINDS), 'names'].map((kind) => [kind, []]))
  );
  for (const line of text.split('\n').filter(Boolean)) {
    const [mark = '', ...words] = line.split(' ');
    if (mark === '@') phrases.names.push(...words.join(' ').split(', '));
    else phrases[/** @type {keyof Phrases} */ (KINDS[mark])].push(words.join(' '));
  }
  return phrases;
}

/** @param {number} seed */
export function kit(seed) {
  const random = randomFrom(seed);
  /** @type {(low: number, high: number) => number} */
  const int = (low, high) => low + Math.floor(random() * (high - low + 1));
  /** @type {<T>(list: readonly T[]) => T} */
  const pick = (list) => /** @type {any} */ (list[int(0, list.length - 1)]);
  /** @type {(share: number) => boolean} */
  const chance = (share) => random() < share;
  /** @type {<T>(list: readonly T[], count: number) => T[]} */
  const some = (list, count) => {
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () => {
      return /** @type {any} */ (left.splice(int(0, left.length - 1), 1)[0]);
    });
  };
  /** @type {(alphabet: string, length: number) => string} */
  const code = (alphabet, length) => Array.from({ length }, () => pick([...alphabet])).join('');
  /** @type {<T>(share: number, value: T) => T | undefined} */
  const maybe = (share, value) => (chance(share) ? value : undefined);

  /** @type {(set: Phrases) => (sentence: string) => string} */
  const filled = (set) => (sentence) =>
    sentence
      .replaceAll('{n}', String(int(2, 9)))
      .replaceAll('{name}', pick(set.names).split(' ')[0] ?? '');

  /** @type {(set: Phrases, good: number, bad: number, neither: number) => string[]} */
  const sentences = (set, good, bad, neither) => {
    const all = [...some(set.good, good), ...some(set.bad, bad), ...some(set.neither, neither)];
    return (chance(0.3) ? some(all, all.length) : all).map(filled(set));
  };

  /** How many sentences of praise, of complaint and of neither, by stars. */
  const mixes = [
    () => [0, int(1, 3), 0],
    () => [int(0, 9) < 4 ? 1 : 0, int(1, 2), int(0, 9) < 3 ? 1 : 0],
    () => [int(0, 1), int(0, 1), 1],
    () => [int(1, 2), int(0, 9) < 4 ? 1 : 0, int(0, 9) < 2 ? 1 : 0],
    () => [int(1, 3), 0, 0],
  ];
  /** @type {(set: Phrases, stars: number) => string[]} */
  const thoughts = (set, stars) => {
    if (stars !== 3 && chance(0.08)) return [pick(stars > 3 ? set.goodShort : set.badShort)];
    const [good = 0, bad = 0, neither = 0] = mixes[stars - 1]?.() ?? [];
    const more = chance(0.1) ? 4 : 0;
    return sentences(set, good && good + more, bad && (good ? bad : bad + more), neither);
  };
  /** @type {(set: Phrases, topic: string, stars: number) => string} */
  const textOf = (set, topic, stars) => {
    const parts = thoughts(set, stars);
    if (UNSPACED.has(topic)) return parts.join('');
    return parts.join(parts.length > 4 && chance(0.5) ? '\n' : ' ');
  };
  /** @type {(set: Phrases, stars: number) => string} */
  const titleOf = ({ goodTitle, badTitle }, stars) => {
    const titles = [...(stars >= 3 ? goodTitle : []), ...(stars <= 3 ? badTitle : [])];
    return titles.length > 0 ? pick(titles) : '';
  };

  /**
   * Reviews in the language or about the things that `topic` names, newest first, no text twice.
   * @param {number} count
   * @param {string} topic
   * @param {{ weights?: readonly number[], from?: string, to?: string }} [options] `weights`: how often 1, 2, … 5 stars come
   * @returns {Review[]}
   */
  const reviews = (count, topic, options = {}) => {
    const set = /** @type {Phrases} */ (SETS[topic]);
    const votes = (options.weights ?? [2, 1, 2, 4, 6]).flatMap((often, at) =>
      Array(often).fill(at + 1),
    );
    const [first, last] = [
      Date.parse(options.from ?? '2022-03-01'),
      Date.parse(options.to ?? '2024-10-20'),
    ];
    const seen = new Set();
    const made = Array.from({ length: count }, () => {
      const stars = pick(votes);
      let text = textOf(set, topic, stars);
      while (seen.has(text)) text = textOf(set, topic, stars);
      seen.add(text);
      return {
        stars,
        text,
        title: titleOf(set, stars),
        praise: sentences(set, stars > 3 ? int(1, 2) : 1, 0, 0).join(' '),
        complaint: sentences(set, 0, stars < 3 ? int(1, 2) : 1, 0).join(' '),
        name: pick(set.names),
        when: new Date(Math.floor((first + random() * (last - first)) / 1000) * 1000),
      };
    });
    const sorted = made.sort((one, other) => other.when.getTime() - one.when.getTime());
    return sorted.map((review, at) => ({ at, ...review }));
  };

  /** @type {(topic: string, kind: keyof Phrases, count: number) => string[]} */
  const phrases = (topic, kind, count) => {
    const set = /** @type {Phrases} */ (SETS[topic]);
    return some(set[kind], count).map(filled(set));
  };
  /** Sentence by sentence, to what stands at the same place of another list. */
  /** @type {(text: string, from: string, to: string) => string} */
  const translated = (text, from, to) => {
    const [source, target] = [/** @type {any} */ (SETS[from]), /** @type {any} */ (SETS[to])];
    const kinds = ['good', 'bad', 'neither', 'goodShort', 'badShort'];
    return kinds.reduce(
      (all, kind) =>
        source[kind].reduce(
          (/** @type {string} */ left, /** @type {string} */ phrase, /** @type {number} */ at) => {
            const said = phrase
              .replace(/[.?()]/gu, '\\$&')
              .replace('{n}', '\\d')
              .replace('{name}', '\\S+');
            return left.replace(
              new RegExp(said, 'u'),
              filled(target)(target[kind][at % target[kind].length]),
            );
          },
          all,
        ),
      text,
    );
  };

  return {
    int,
    pick,
    chance,
    translated,
    some,
    maybe,
    reviews,
    phrases,
    random,
    hex: (/** @type {number} */ length) => code('0123456789abcdef', length),
    digits: (/** @type {number} */ length) => code('123456789', 1) + code('0123456789', length - 1),
    letters: (/** @type {number} */ length) => code('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length),
    later: (/** @type {Date} */ when, /** @type {number} */ days) =>
      new Date(when.getTime() + Math.round(days * 86_400) * 1000),
  };
}

/** @param {unknown} number */
export const two = (number) => String(number).padStart(2, '0');

/**
 * Writes a moment of UTC: YYYY, M, MM, D, DD, H, HH, mm and ss stand for its parts, all else for itself.
 * @param {Date} when
 * @param {string} form
 */
export function date(when, form) {
  /** @type {Record<string, string>} */
  const parts = {
    YYYY: String(when.getUTCFullYear()),
    MM: two(when.getUTCMonth() + 1),
    M: String(when.getUTCMonth() + 1),
    DD: two(when.getUTCDate()),
    D: String(when.getUTCDate()),
    HH: two(when.getUTCHours()),
    H: String(when.getUTCHours()),
    mm: two(when.getUTCMinutes()),
    ss: two(when.getUTCSeconds()),
  };
  return form.replace(/YYYY|MM?|DD?|HH?|mm|ss/gu, (part) => parts[part] ?? part);
}

/** @param {Date} when */
export const day = (when) => date(when, 'YYYY-MM-DD');
/** @param {Date} when */
export const moment = (when) => when.toISOString();
/** @param {Date} when */
export const minute = (when) => date(when, 'YYYY-MM-DDTHH:mm:00.000Z');
/** @param {Date} when */
export const seconds = (when) => Math.floor(when.getTime() / 1000);

/**
 * The time of day as clocks with twelve hours show it.
 * @param {Date} when
 * @param {readonly [string, string]} halves
 * @param {boolean} [withSeconds]
 */
export function clock(when, [am, pm], withSeconds = false) {
  const hour = when.getUTCHours();
  const shown = `${hour % 12 || 12}:${two(when.getUTCMinutes())}${withSeconds ? `:${two(when.getUTCSeconds())}` : ''}`;
  return `${shown} ${hour < 12 ? am : pm}`;
}

/**
 * @param {Date} when
 * @param {string} names of the months, separated by blanks
 */
export const month = (when, names) => names.split(' ')[when.getUTCMonth()] ?? '';

/**
 * @param {readonly (readonly unknown[])[]} rows
 * @param {{ delimiter?: string, eol?: string, quoted?: boolean, bom?: boolean }} [options] `quoted`: every cell is
 */
export function table(rows, { delimiter = ',', eol = '\n', quoted = false, bom = false } = {}) {
  const special = new RegExp(`["\\r\\n${delimiter}]`, 'u');
  /** @param {unknown} value */
  const cell = (value) => {
    const text = value === undefined || value === null ? '' : String(value);
    return quoted || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return (bom ? '\uFEFF' : '') + rows.map((row) => row.map(cell).join(delimiter) + eol).join('');
}

/** @param {readonly unknown[]} values */
export const lines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
