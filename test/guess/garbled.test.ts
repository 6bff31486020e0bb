/** Exports whose text was garbled on its way into them. */
import { describe, expect, it } from 'vitest';
import { conceptsOf } from '../../src/guess/lexicon/name-concepts.js';
import { editMapping, type ImportedDocument } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import type { Mapping } from '../../src/mapping/mapping.js';
import { guessMapping } from '../../src/operations/guess-mapping.js';
import { newFolder, put } from '../helpers/files.js';
import { asWindows1252 } from '../helpers/garbled.js';
import { workbookOfTexts } from '../helpers/workbook.js';
import { documentsMade } from './documents-made.js';

const NAMES = ['Zoë', 'Jérôme', 'Anaïs', 'Françoise', 'Noémie', 'Paul', 'Léa', 'Inès'];
const PLACES = ['l’hôtel', 'le café', 'la plage', 'l’île', 'le musée'];
const VERDICTS = ['très agréable', 'trop bruyant', 'à éviter', 'bien tenu', 'un peu cher'];
const MONTHS = ['janvier', 'février', 'août', 'décembre'];
const HEADER = ['Numéro', 'Prénom', 'Note', 'Publié le', 'Commentaire', 'État'];

const pick = (list: readonly string[], n: number): string => list[n % list.length] ?? '';

/** The header and forty reviews, as their authors wrote them. */
const ROWS = [
  HEADER,
  ...Array.from({ length: 40 }, (_, n) => [
    `rv-${1000 + n * 7}`,
    pick(NAMES, n * 3),
    String(1 + ((n * 3) % 5)),
    `${1 + ((n * 5) % 28)} ${pick(MONTHS, n)} 2023`,
    n % 9 === 4
      ? 'néant'
      : `Séjour n° ${n} : ${pick(PLACES, n)} était ${pick(VERDICTS, n >> 1)}, voilà`,
    n % 10 === 3 ? 'supprimé' : 'publié',
  ]),
];

type Damage = (text: string) => string;

const garbled = (damage: Damage): readonly (readonly string[])[] =>
  ROWS.map((row) => row.map(damage));

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\n');

/** JSON Lines in ASCII: `\u00c3\u00a9`. */
function jsonLines([header = [], ...rows]: readonly (readonly string[])[]): string {
  const objects = rows.map((row) => Object.fromEntries(row.map((cell, at) => [header[at], cell])));
  const lines = objects.map((one) => JSON.stringify(one));
  return lines
    .join('\n')
    .replace(/[^\0-\x7f]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const twice: Damage = (text) => asWindows1252(asWindows1252(text));

describe('garbled text', () => {
  it.each([
    ['twice, in CSV', 'reviews.csv', csv(garbled(twice))],
    ['in JSON Lines', 'reviews.jsonl', jsonLines(garbled(asWindows1252))],
    ['in a workbook', 'reviews.xlsx', workbookOfTexts(garbled(asWindows1252))],
  ])('%s, makes the documents of the text before', async (_, name, content) => {
    const folder = await newFolder();
    const right = await put(folder, 'right.csv', csv(ROWS));
    const input = await put(folder, name, await content);
    const [wanted, guess] = [await guessMapping({ input: right }), await guessMapping({ input })];
    const made = await documentsMade(input, guess.mapping);
    const before = await documentsMade(right, wanted.mapping);
    expect(made.map(withoutMade)).toEqual(before.map(withoutMade));
    expect(guess.questions[0]).toMatchObject({
      field: null,
      ask: expect.stringMatching(/^"Pr.*: garbled text is repaired, .*to "Zoë".* and .*to "Léa"$/u),
    });
  });

  it('is one question, whose answer takes away every repair of a text', async () => {
    const input = await put(await newFolder(), 'reviews.csv', csv(garbled(asWindows1252)));
    const { mapping, questions } = await guessMapping({ input });
    const [asked, ...others] = questions.filter(({ ask }) => ask.includes('garbled'));
    expect(others).toEqual([]);
    expect(asked?.answers).toHaveLength(1);
    const changes = asked?.answers[0]?.changes ?? [];
    const edited = changes.reduce((text, change) => editMapping(text, change), mapping);
    expect(mapping.match(/^ +\w+: .*repair: encoding/gmu)).toHaveLength(4);
    // A date whose month isn't repaired may be none.
    expect(edited.match(/^ +\w+: .*repair: encoding/gmu)).toEqual([
      expect.stringMatching(/^ *published:/),
    ]);
    const text = ({ document }: Mapping) => document.text;
    expect(text(parseMapping(mapping, NAME))).toEqual({ from: 'Commentaire', repair: 'encoding' });
    expect(text(parseMapping(edited, NAME))).toEqual({ from: 'Commentaire' });
  });

  it('in names of columns is understood, and not written into annotations', async () => {
    expect([...conceptsOf(asWindows1252('ニックネーム').trim())]).toEqual(['author', 'name']);
    const rows = garbled(asWindows1252).map((row, n) => [
      ...row,
      n === 0 ? asWindows1252('Date du séjour') : `2023-05-${10 + (n % 9)}`,
    ]);
    const input = await put(await newFolder(), 'reviews.csv', csv(rows));
    const { mapping } = await guessMapping({ input });
    const { author } = parseMapping(mapping, NAME).document;
    expect(author?.annotations).toEqual({ 'Date du séjour': '{Date du sÃ©jour}' });
  });

  it('in a stray value among many is no question, nor is text that is right', async () => {
    const rows = Array.from({ length: 10 }, () => ROWS.slice(1)).flat();
    const stray = [HEADER, ...rows.with(20, rows[20]?.with(4, 'TrÃ¨s bien, trÃ¨s calme') ?? [])];
    for (const table of [ROWS, stray]) {
      const input = await put(await newFolder(), 'reviews.csv', csv(table));
      const { mapping } = await guessMapping({ input });
      expect(mapping).not.toMatch(/repair|garbled/u);
    }
  });
});

const NAME = 'guessed.yaml';

/** A document without what differs between the files. */
function withoutMade(document: ImportedDocument | null): object | null {
  return document && { ...document, downloaded: '', sourceId: '' };
}
