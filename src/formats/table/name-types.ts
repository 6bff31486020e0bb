/** Compares the names of columns with their values, to decide between two readings of a header. */
import type { CellType } from './compare-rows.js';
import { columnType, filledCells, type TableRow } from './compare-rows.js';

type Expected = 'date' | 'number' | 'link' | 'id' | 'words';

/** Words in names, in the languages of most exports; likelier ones first. */
const EXPECTED: readonly (readonly [Expected, RegExp])[] = [
  ['date', /^(?:date|datetime|datum|fecha)$/u],
  [
    'number',
    /^(?:rating|score|stars?|nps|qty|quantity|price|count|sterne|punkte|preis|estrellas|puntuación|nota|étoiles|prix|voto|stelle)$/u,
  ],
  ['link', /^(?:url|link|website|email)$/u],
  ['id', /^(?:id|uuid|nr|no|num|key|index|#)$/u],
  [
    'words',
    /^(?:text|comments?|content|body|title|subject|author|name|reviewer|reply|answer|country|city|titel|kommentar|autor|texto|comentario|titre|auteur|testo|commento|titolo)$/u,
  ],
];

const TYPES: Readonly<Record<Expected, readonly (CellType | undefined)[]>> = {
  date: ['date', 'time'],
  number: ['number', 'rating'],
  link: ['link'],
  id: ['number', 'code', undefined],
  words: ['code', undefined],
};

export interface NameFit {
  /** Columns with the only type that their names suggest. */
  readonly fitting: number;
  /** Columns with a type that their names exclude. */
  readonly contrary: number;
}

/** Counts the names that fit the values below them, and those that don't. */
export function fitOf(names: readonly string[], records: readonly TableRow[]): NameFit {
  let [fitting, contrary] = [0, 0];
  for (const [column, name] of names.entries()) {
    const expected = expectedOf(name);
    const texts = filledCells(records, column);
    if (expected === undefined || texts.length === 0) continue;
    const types = TYPES[expected];
    if (!types.includes(columnType(texts)) || (expected === 'id' && hasBlanks(texts))) {
      contrary += 1;
    } else if (!types.includes(undefined)) fitting += 1;
  }
  return { fitting, contrary };
}

/** Returns whether a name is that of a counter or an id. */
export function isIdName(name: string): boolean {
  return expectedOf(name) === 'id';
}

function expectedOf(name: string): Expected | undefined {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}#]+/u);
  return EXPECTED.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
}

function hasBlanks(texts: readonly string[]): boolean {
  return texts.filter((text) => /\s/u.test(text)).length > texts.length / 2;
}
