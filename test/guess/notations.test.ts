import { describe, expect, it } from 'vitest';
import { conceptsOf } from '../../src/guess/lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../../src/guess/lexicon/words.json' with { type: 'json' };
import { dateColumn } from '../../src/guess/notations/date-column.js';
import { findDate } from '../../src/guess/notations/dates.js';
import { ratingColumn, scaleOf } from '../../src/guess/notations/rating-column.js';
import { readRating, readVerdicts } from '../../src/guess/notations/ratings.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WEIGHTS from '../../src/guess/propose/weights.json' with { type: 'json' };

describe('a rating is read', () => {
  it.each([
    ['4.0 of 5 bubbles', 4],
    ['5 étoiles sur 5', 5],
    ['80 %', 80],
    ['★★★½☆', 3.5],
    ['<span class="ui_bubble_rating bubble_45"></span>', 45],
  ])('from %s', (text, value) => {
    expect(readRating(text)?.value).toBe(value);
  });

  it.each(['a room with 2 beds, 3 windows and a view', '2024-05-06', 'The best'])(
    'not from %s',
    (text) => {
      expect(readRating(text)).toBeUndefined();
    },
  );

  it('on the least scale that holds the values, whatever two slips say', () => {
    const values = Array.from({ length: 1000 }, (_, n) => (n < 2 ? '45' : String(1 + (n % 5))));
    const [group] = ratingColumn(values)?.groups ?? [];
    expect(group && scaleOf(group, { nps: false })).toMatchObject({ lowest: 1, highest: 5 });
  });
});

describe('a scale', () => {
  it.each([
    [6, [1, 6]],
    [7, [1, 7]],
    [9, undefined],
  ])('of 100 ratings up to %i may be another: %j', (most, other) => {
    const [group] = ratingColumn(
      Array.from({ length: 100 }, (_, n) => String(1 + (n % most))),
    )!.groups;
    const scale = group && scaleOf(group, { nps: false });
    expect(scale).toMatchObject({ highest: 10 });
    expect(scale?.other).toEqual(other);
  });
});

describe('a date is found', () => {
  it.each([
    ['2024-06-03T18:30:00+02:00', 'iso'],
    ['1718824699000', 'epoch-millis'],
    ['03.06.2024 18:30', 'A.B.yyyy H:mm'],
    ['16.5.2024 kl. 11.01.30', "A.B.yyyy' kl. 'H.mm.ss"],
    ['3 de junio de 2024', "d' de 'MMMM' de 'yyyy"],
    ['June 3rd, 2024', 'MMM d, yyyy'],
    ['Reviewed in the United States on January 5, 2021', 'MMMM d, yyyy'],
    ['Wed Oct 10 20:19:24 +0000 2018', 'MMM d H:mm:ss ZZZ yyyy'],
    ['09 13, 2009', 'A B, yyyy'],
    ['Bewertet vor 2 Wochen', 'relative'],
  ])('in %s', (text, form) => {
    expect(findDate(text)?.form).toBe(form);
  });

  it.each(['10.2.15.3', 'Room 12', 'it was a long day', '99999', '4.5'])(
    'but not in %s',
    (text) => {
      expect(findDate(text)).toBeUndefined();
    },
  );

  it('with day and month in the order that the whole column shows', () => {
    expect(dateColumn(['03/04/2024', '25/04/2024'])).toMatchObject({
      forms: ['d/M/yyyy'],
      order: { decided: true },
    });
    expect(dateColumn(['03/04/2024', '04/25/2024'])).toMatchObject({
      forms: ['M/d/yyyy'],
      order: { decided: true },
    });
    expect(dateColumn(['03/04/2024', '04/05/2024'])?.order).toMatchObject({ decided: false });
  });

  it.each([
    ['either, with few dates', ['24/06/03', '24/06/04'], 'yy/M/d', false],
    ['the year, as it would be in the future', ['24/05/03', '24/05/31'], 'yy/M/d', true],
    ['the day, as the year would be in the future', ['14/05/24', '31/05/24'], 'd/M/yy', true],
    ['either, with a stay in the next year', ['12/03/25', '20/05/27', '13/05/25'], 'd/M/yy', false],
    ['the day or the month', ['03/04/05', '04/05/05'], 'd/M/yy', false],
  ])('and the year of two digits: first comes %s', (_, values, form, decided) => {
    expect(dateColumn(values)).toMatchObject({ forms: [form], order: { decided } });
  });
});

describe('a value that no order can read', () => {
  it('is no date, and makes no format', () => {
    for (const odd of ['31/31/2024', '13.13.2024', '30/02/2024', '00/05/2024', '2024-13-05']) {
      const dates = Array.from({ length: 9 }, (_, n) => `2024-06-0${1 + n}`);
      expect(dateColumn([...dates, odd]), odd).toMatchObject({
        ...{ share: 0.9, forms: ['iso'], order: undefined, absent: [] },
      });
    }
  });
});

describe('verdicts in words are read', () => {
  it.each([
    [
      ['Terrible', 'Poor', 'Average', 'Very good', 'Excellent'],
      [1, 2, 3, 4, 5],
    ],
    [
      ['Velmi nespokojen', 'Nespokojen', 'Neutrální', 'Spokojen', 'Velmi spokojen'],
      [1, 2, 3, 4, 5],
    ],
    ['😠 🙁 😐 😃 🤩'.split(' '), [1, 2, 3, 4, 5]],
  ])('%j', (verdicts, ratings) => {
    const read = readVerdicts(verdicts)?.ratings;
    expect(verdicts.map((verdict) => read?.[verdict])).toEqual(ratings);
  });

  it('as a side where there are two, and not at all where one word is unknown', () => {
    expect(readVerdicts(['👎', '👍'])?.sides?.get('👍')).toBe(true);
    expect(readVerdicts(['Rotten', 'Fresh'])?.sides?.get('Rotten')).toBe(false);
    expect(readVerdicts(['Good', 'Bad', 'Blue'])).toBeUndefined();
    expect(readVerdicts(['Good', 'Very good'])?.sides).toBeUndefined();
  });
});

describe('a name speaks of', () => {
  it.each([
    ['reviewDate', ['review', 'date']],
    ['Bewertungsdatum', ['review', 'date']],
    ["Nombre d'avis", ['count', 'review']],
    ['Nombre del huésped', ['author', 'name']],
    ['What did you not like?', ['negative']],
  ] as const)('%s: %j', (name, concepts) => {
    expect([...conceptsOf(name)]).toEqual(expect.arrayContaining([...concepts]));
  });
});

it.each([...Object.entries(WORDS), ...Object.entries(WEIGHTS)])(
  'the words and weights of %s are of concepts that there are',
  (_, words) => {
    expect(Object.keys(words).filter((name) => !Object.hasOwn(WORDS.en, name))).toEqual([]);
  },
);
