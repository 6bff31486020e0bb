/** Questions that the records themselves answer, and answers that would lose what is there. */
import { describe, expect, it } from 'vitest';
import { guessMapping } from '../../src/index.js';
import { type Cells, day, guessed, PEOPLE, STAYS } from './guessed.js';

const STARS = ['1', '2', '3', '4', '5'];

/** The text of all questions, the remarks included. */
async function askedOf(cells: Cells): Promise<string> {
  const { guess } = await guessed(cells);
  return [...guess.questions.map(({ todo }) => todo), ...guess.notices].join('\n');
}

it('a language that detection may take for a different one is asked about', async () => {
  const parts = [
    'Kamarnya bersih sekali dan stafnya selalu ramah kepada kami',
    'sarapannya enak dan banyak pilihan untuk anak-anak',
    'kami pasti akan kembali lagi tahun depan bersama keluarga',
    'lokasinya dekat dengan pantai dan banyak rumah makan',
  ];
  const input = Array.from({ length: 24 }, (_, n) => ({
    guest: `${PEOPLE[n % 10]} ${n}`,
    review: `${parts[n % 4]}, ${parts[(n + 1 + (n % 3)) % 4]} ${n}`,
  }));
  const { questions } = await guessMapping({ input, ready: false });
  const asked = questions.map(({ ask }) => ask).join();
  expect(asked).toMatch(/check that the language is (?:ms, not id|id, not ms)/);
});

describe('an answer is not offered', () => {
  it('that replaces the review with a column that is nearly empty', async () => {
    const { guess, documents } = await guessed({
      guest: PEOPLE,
      stars: STARS,
      review: (n) => `${n + 3} reviews and ${n * 2} photos`,
      size: (n) => (n === 4 ? 'L or XL, if they have it' : ''),
    });
    expect(documents[0]?.text).toBe('3 reviews and 0 photos');
    expect(guess.questions.filter(({ field }) => field === 'text')).toEqual([]);
    expect(guess.notices.join()).toMatch(
      /Check that "review" is what the author wrote: .* counted/,
    );
  });

  it('of another rating that few records have', async () => {
    const ratings = { guest: PEOPLE, date: day, review: STAYS, stars: STARS };
    const full = await askedOf({ ...ratings, rating: (n) => String(5 - (n % 5)) });
    const few = await askedOf({ ...ratings, rating: (n) => (n < 3 ? String(n + 1) : '') });
    expect(full).toMatch(/could also be metrics.score/);
    expect(few).not.toMatch(/could also be metrics.score/);
  });

  it('that gives reviews with good ratings a bad sentiment', async () => {
    const asked = await askedOf({
      guest: PEOPLE,
      rating: STARS,
      positive: (n) => (n % 5 > 1 ? 'true' : 'false'),
      review: STAYS,
    });
    expect(asked).not.toMatch(/is the positive value/);
  });
});
