/** A guessed mapping makes no record invalid for the sake of a field that a document may lack. */
import { describe, expect, it } from 'vitest';
import { guessMapping } from '../../src/index.js';

const TEXTS = ['The soup was cold', 'Great walk by the sea', 'Nobody answered the bell'];
const COUNT = 40;

/** Whether the value of a record is the one that can't be read. */
const isOdd = (n: number): boolean => n % 8 === 3;

const reviewsWith = (columns: (n: number) => object): readonly object[] =>
  Array.from({ length: COUNT }, (_, n) => ({
    review_id: `rv-${1000 + n * 7}`,
    stars: 1 + (n % 5),
    review: `${TEXTS[n % 3]}, and on day ${n} it rained again over the old town and the harbour.`,
    ...columns(n),
  }));

describe('an optional field that some records have otherwise', () => {
  it.each([
    ['a city', 'detectedLocations.city', (n: number) => ({ city: isOdd(n) ? { a: 1 } : 'Leeds' })],
    ['tags', 'tags.0', (n: number) => ({ tags: isOdd(n) ? { a: 1 } : ['solo', 'duo'][n % 2] })],
    [
      'where the author lives',
      'author.annotations.reviewer_location',
      (n: number) => ({ reviewer_location: isOdd(n) ? { a: 1 } : `Town ${n % 4}, UK` }),
    ],
  ])('is filled where it can be read: %s', async (_, wanted, columns) => {
    const guess = await guessMapping({ input: reviewsWith(columns), ready: false });
    expect(guess.records).toMatchObject({ valid: COUNT, invalid: 0 });
    const field = guess.fields.find((one) => one.field === wanted);
    expect(field?.evidence).toMatch(/left out of 5 of 40 records: column "/u);
    expect(guess.mapping).toContain('else: "", onError: else');
    expect(guess.mapping).not.toMatch(/TODO: 5 of 40 records/u);
  });

  it('is left out, and said, where its rule makes records invalid all the same', async () => {
    const input = reviewsWith((n) => ({ likes: isOdd(n) ? [1, 2] : n % 9 }));
    const guess = await guessMapping({ input, ready: false });
    expect(guess.records).toMatchObject({ valid: COUNT, invalid: 0 });
    expect(guess.leftOut).toEqual(['likes']);
    expect(guess.notices.join('\n')).toMatch(
      /No metrics\.likes, which would make records invalid: .* left out of 5 of 40 records: column "likes"/u,
    );
  });
});

const MONTHS = {
  en: 'January February March April May June July August September October November December',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  fi: 'tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta',
} as const;

it.each(['fr', 'fi'] as const)('reads dates in English, and one in %s', async (other) => {
  const monthOf = (language: keyof typeof MONTHS, n: number): string =>
    MONTHS[language].split(' ')[n % 12] ?? '';
  const dateOf = (n: number): string =>
    n === 11 ? `5 ${monthOf(other, n)} 2018` : `${monthOf('en', n)} ${1 + (n % 28)}, 2018`;
  const input = reviewsWith((n) => ({ date: dateOf(n) }));
  const { records, mapping } = await guessMapping({ input, ready: false });
  expect(records).toMatchObject({ valid: COUNT, invalid: 0 });
  expect(mapping).toContain(`locale: [en, ${other}]`);
});
