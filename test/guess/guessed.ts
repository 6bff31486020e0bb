/** Guesses from tables of ten small records. */
import { type Guess, guessMapping, type ImportedDocument } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { documentsMade } from './documents-made.js';

export const STAYS = [
  'We had a quiet room at the back with a view of the orchard',
  'The heating failed on the second night and nobody came',
  'Our children loved the pond and the two old donkeys',
  'Soup, bread and cheese were all from the village',
  'The walls are thin and the bar is loud until two',
  'A kind host who lent us boots for the marsh',
  'The bed was too short and the shower ran cold',
  'We extended our stay twice and left with regret',
  'Parking costs more than the breakfast does',
  'Spotless bathroom, soft towels, and a strong coffee',
];
export const LATER = [
  'I wrote to them and got a friendly answer within a day',
  'They charged the minibar although it was empty',
  'Back home we still talk about the sunrise',
  'The bill was correct and came by mail',
  'Nothing of what we left there was ever found',
  'We have booked again for the autumn',
  'My back hurt for the whole week after it',
  'The photos on the site are of another house',
  'A fine came a month later for the parking',
  'The souvenir mug broke on the way home',
];
export const PEOPLE = ['Ana', 'Bo', 'Cy', 'Dora', 'Ed', 'Fe', 'Gus', 'Hana', 'Ivo', 'Jo'];
export const day = (n: number): string => `2023-0${1 + (n % 9)}-1${n % 10}`;

/** The cells of each column: a list that begins anew at its end, or what makes them. */
export type Cells = Readonly<Record<string, readonly string[] | ((n: number) => string)>>;

export const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A table of ten records, or more that repeat them. */
export function tableOf(cells: Cells, count: number = STAYS.length): string {
  const rows = Array.from({ length: count }, (_, n) =>
    Object.values(cells)
      .map((value) =>
        cell(typeof value === 'function' ? value(n) : (value[n % value.length] ?? '')),
      )
      .join(','),
  );
  return `${[Object.keys(cells).map(cell).join(','), ...rows].join('\n')}\n`;
}

interface Guessed {
  readonly guess: Guess;
  readonly documents: readonly ImportedDocument[];
  /** The questions about a field, or without one. */
  readonly asks: (field?: string) => string;
}

export async function guessed(cells: Cells, count?: number): Promise<Guessed> {
  const input = put(newFolder(), 'reviews.csv', tableOf(cells, count));
  const guess = await guessMapping({ input, ready: false });
  const made = await documentsMade(input, guess.mapping);
  const documents = made.filter((document) => document !== null);
  const asks = (field?: string): string =>
    field === undefined
      ? guess.todos.join('\n')
      : (guess.fields.find((one) => one.field === field)?.todo ?? '');
  return { guess, documents, asks };
}
