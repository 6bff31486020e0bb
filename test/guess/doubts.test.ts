import { describe, expect, it } from 'vitest';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { type Guess, guessMapping } from '../../src/operations/guess-mapping.js';
import { followEdits } from './printed-edits.js';

const TEXTS = ['The soup was cold', 'Great walk by the sea', 'Nobody answered the bell'];

/** A guess from forty reviews that have these columns besides. */
function guessWith(columns: Readonly<Record<string, (n: number) => string>>): Promise<Guess> {
  const input = Array.from({ length: 40 }, (_, n) => ({
    review_id: `rv-${1000 + n * 7}`,
    stars: String(1 + (n % 5)),
    review: `${TEXTS[n % 3]}, and on day ${n} it rained again over the old town and the harbour.`,
    ...Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value(n)])),
  }));
  return guessMapping({ input, ready: false });
}

const fieldOf = ({ fields }: Guess, wanted: string) => fields.find(({ field }) => field === wanted);

const pick =
  (...values: string[]) =>
  (n: number) =>
    values[(n * 7) % values.length] ?? '';

describe('a rating', () => {
  it('that follows from another column is a question that names the column', async () => {
    const guess = await guessWith({
      stars: (n) => String(1 + (n % 4)),
      boat: (n) => `Boat ${n % 4}`,
    });
    expect(fieldOf(guess, 'metrics.score')?.todo).toMatch(
      /it is the same wherever "boat" is the same/,
    );
  });

  it('that can not be read is one question for the score and the sentiment', async () => {
    const input = Array.from({ length: 40 }, (_, n) => ({
      stars: n === 7 ? '4 oder 5' : String(1 + (n % 5)),
      review: `${TEXTS[n % 3]}, and on day ${n} it rained again over the old town and the harbour.`,
    }));
    const { questions, mapping } = await guessMapping({ input, ready: false });
    const asked = questions.filter(({ ask }) => ask.includes('is invalid'));
    expect(asked.map(({ field }) => field)).toEqual(['metrics.score']);
    expect(asked[0]?.answers[0]?.label).toBe('Import it without sentiment and metrics.score');
    const { document } = parseMapping(followEdits(mapping), 'guessed.yaml');
    expect(document.sentiment).toMatchObject({ onError: 'else' });
    expect(document.metrics?.['score']).toMatchObject({ onError: 'else' });
  });
});

it('a rating in words with one that is unknown keeps its scale, and asks what that is', async () => {
  const words = ['Excellent', 'Good', 'Average', 'Poor', 'Good', 'Excellent', 'Poor', 'Average'];
  const guess = await guessWith({
    stars: (n) => (n % 11 === 5 ? 'Abysmal' : (words[n % words.length] ?? '')),
  });
  expect(guess.mapping).toContain('values: { Excellent: 5, Good: 4, Average: 3, Poor: 2,');
  expect(fieldOf(guess, 'metrics.score')?.todo).toMatch(
    /say what "Abysmal" is: it counts as no rating.* If it is 1 of 5, put .*Abysmal: 1/,
  );
});

it('the date of a stay is offered for the review’s before the day of the export', async () => {
  const guess = await guessWith({
    exported: (n) => `2026-11-${n % 2 ? 28 : 29} 08:00:00`,
    'visited on': (n) => `2026-0${1 + (n % 9)}-1${n % 10}`,
  });
  const asked = guess.questions.map((one) => JSON.stringify(one)).join('\n');
  expect(asked).toContain('visited on\\" is good enough');
});

describe('a web address', () => {
  const own = (n: number): string => `https://stays.example/reviews/rv-${1000 + n * 7}`;

  it('is the page that people open, of several', async () => {
    const guess = await guessWith({
      self: (n) => `https://api.stays.example/v2/reviews/${n}`,
      avatar: (n) => `https://img.stays.example/${n}`,
      user_link: (n) => `https://stays.example/users/${n}`,
      hotel_url: pick('https://stays.example/a', 'https://stays.example/b'),
      link: own,
    });
    expect(guess.mapping).toMatch(/url: \{ from: link/);
    expect(fieldOf(guess, 'url')?.todo).toBeNull();
  });

  it.each([
    ['that several reviews share', pick('https://stays.example/a', 'https://stays.example/b')],
    ['of an API', (n: number) => `https://stays.example/api/reviews/${n}`],
    ['of a profile', (n: number) => `https://stays.example/members/${n}`],
  ])('%s is left out, and told', async (_, address) => {
    const guess = await guessWith({ address });
    expect(fieldOf(guess, 'url')).toBeUndefined();
    expect(guess.mapping).toContain('# Not used: "address".');
  });
});

describe('a column called state', () => {
  it('is one where its values are states', async () => {
    const guess = await guessWith({ state: pick('Texas', 'Ohio', 'Utah') });
    expect(fieldOf(guess, 'detectedLocations.state')).toMatchObject({ confidence: 'high' });
  });

  it.each([
    ['published', 'pending', 'rejected'],
    ['Aprovado', 'Pendente'],
  ])('of %s, %s is none', async (...values) => {
    const guess = await guessWith({ state: pick(...values) });
    expect(fieldOf(guess, 'detectedLocations.state')).toBeUndefined();
    expect(guess.leftOut).toContain('state');
  });
});

describe('a rating', () => {
  it.each([
    ['up to 6', (n: number) => String(1 + (n % 6))],
    ['that is always even', (n: number) => String(2 + 2 * (n % 5))],
  ])('%s may lie on another scale than 1 to 10', async (_, stars) => {
    const guess = await guessWith({ stars });
    expect(fieldOf(guess, 'metrics.score')?.todo).toMatch(/check the scale/);
  });
});

it('a school mark is on its scale by its name', async () => {
  const guess = await guessWith({ stars: () => '', Schulnote: (n) => String(1 + (n % 6)) });
  expect(fieldOf(guess, 'metrics.score')).toMatchObject({
    confidence: 'high',
    todo: null,
    columns: ['Schulnote'],
  });
  expect(guess.mapping).toContain('from: [6, 1]');
  expect(guess.notices.join()).not.toContain('scale');
});
