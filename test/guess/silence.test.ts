/** What a guess must not pass over in silence: each kind of export with a small one of its own. */
import { describe, expect, it } from 'vitest';
import type { ImportedDocument } from '../../src/index.js';
import { type Cells, day, guessed, LATER, PEOPLE, STAYS } from './guessed.js';

const STARS = ['1', '2', '3', '4', '5'];
const plain: Cells = { guest: PEOPLE, stars: STARS, date: day };
const review = STAYS;
const score = ({ metrics }: ImportedDocument): number | undefined =>
  metrics?.find(({ name }) => name === 'score')?.value;

describe('the text', () => {
  it('is all columns of sentences, and a question where their names are unknown', async () => {
    const { documents, asks } = await guessed({
      ...plain,
      'upon arrival': review,
      'a week after': LATER,
    });
    expect(documents[1]?.text).toContain(STAYS[1]);
    expect(documents[1]?.text).toContain(LATER[1]);
    expect(asks('text')).toMatch(/"upon arrival" is part of the review.*"a week after" is part/);
  });

  it('is all open questions of a survey, in their order and below the questions, and no source or statement', async () => {
    const { documents, guess } = await guessed({
      Zeitstempel: (n) => `${day(n)} 10:0${n}:00`,
      'Wie haben Sie uns gefunden?': ['Website', 'Telefon'],
      'Wie zufrieden waren Sie insgesamt?': [
        'Sehr zufrieden',
        'Zufrieden',
        'Weder noch',
        'Unzufrieden',
        'Keine Angabe',
      ],
      'Was hat Ihnen gefallen?': review,
      'Was hat Sie gestört?': (n) => (n % 2 ? (LATER[n] ?? '') : ''),
      'Möchten Sie uns noch etwas sagen?': (n) => (n === 3 ? 'Bitte mehr Bänke am See' : ''),
      'Das Personal war freundlich': ['Stimme zu', 'Stimme nicht zu'],
    });
    expect(guess.records).toMatchObject({ valid: 10, skipped: 0 });
    expect(documents[3]?.text).toBe(
      `Was hat Ihnen gefallen?\n${STAYS[3]}\n\nWas hat Sie gestört?\n${LATER[3]}\n\nMöchten Sie uns noch etwas sagen?\nBitte mehr Bänke am See`,
    );
    expect(documents[2]?.text).toBe(`Was hat Ihnen gefallen?\n${STAYS[2]}`);
    expect(documents.map(score).slice(0, 5)).toEqual([5, 4, 3, 2, undefined]);
  });
});

describe('the score', () => {
  it('is a question if it is the same everywhere', async () => {
    const { asks } = await guessed({ ...plain, stars: ['5'], review });
    expect(asks('metrics.score')).toMatch(/all 10 scores are 5/);
  });

  it.each([
    ['Hebrew', ['5 מתוך 5', '3 מתוך 5', '1 מתוך 5']],
    ['Japanese', ['5つ星のうち5.0', '5つ星のうち3.0', '5つ星のうち1.0']],
    ['Arabic', ['ممتاز', 'مقبول', 'سيئ جدا']],
  ])('is read in %s', async (_, values) => {
    const { documents } = await guessed({ ...plain, stars: values, review });
    expect(documents.map(score).slice(0, 3)).toEqual([5, 3, 1]);
  });

  it('is on the scale that the name states, whatever the lowest vote', async () => {
    const { documents } = await guessed({
      date: day,
      review,
      'Note de 0 (très mauvaise) à 10': (n) => String(5 + (n % 6)),
    });
    expect(score(documents[0] ?? {})).toBe(3);
  });
});

describe('the sentiment', () => {
  it.each([
    ['signs under such a name', 'polarity', ['1.0', '-1.0', '0.0']],
    ['Turkish', 'Duygu', ['Olumlu', 'Olumsuz', 'Nötr']],
    ['Korean', '감정', ['긍정', '부정', '중립']],
  ])('is stated in %s', async (_, name, values) => {
    const { documents } = await guessed({ review, [name]: values });
    expect(documents.slice(0, 3).map(({ sentiment }) => sentiment)).toEqual(['B', 'R', 'N']);
  });

  it.each([[['recommends', "doesn't recommend"]], [['推荐', '不推荐']]])(
    'follows from %j',
    async (values) => {
      const { documents } = await guessed({ review, Recommendation: values });
      expect(documents.slice(0, 2).map(({ sentiment }) => sentiment)).toEqual(['B', 'R']);
    },
  );
});

describe('the date', () => {
  it.each([
    ['Korean', '2024. 9. 11. 오전 11:29', '2024. 9. 11. 오후 1:05', '2024-09-11T13:05'],
    ['Arabic', '٢٠٢٤-٠٩-١١', '٢٠٢٤-٠٩-١٣', '2024-09-13T00:00'],
    ['Thai', '11/09/2567', '13/09/2567', '2024-09-13T00:00'],
  ])('is read in %s', async (_, first, second, moment) => {
    const { documents } = await guessed({ ...plain, date: [first, second], review });
    expect(documents[1]?.published?.slice(0, 16)).toBe(moment);
  });

  it('that is the same everywhere is a question', async () => {
    const { asks } = await guessed({ ...plain, date: ['2024-02-03'], review });
    expect(asks('published')).toMatch(/10 of 10 dates are "2024-02-03"/);
  });
});

describe('every column', () => {
  it('is used by a field or left out', async () => {
    const { guess } = await guessed({
      ...plain,
      review,
      empty: [''],
      portal: ['example'],
      staff_mail: (n) => `p${n}@mail.example`,
      'Reply of the owner': (n) => (n % 2 ? 'Thank you, come again' : ''),
    });
    const used = guess.columns.filter(({ usedBy }) => usedBy.length > 0).map(({ name }) => name);
    expect([...used, ...guess.leftOut].toSorted()).toEqual(
      guess.columns.map(({ name }) => name).toSorted(),
    );
    expect(guess.mapping.replace(/\n# /g, ' ')).toContain(
      'Not used: "empty", "portal", "staff_mail", "Reply of the owner".',
    );
  });
});
