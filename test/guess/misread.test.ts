/** Columns that look like what they aren't: somebody else's words, persons, ids and numbers. */
import { describe, expect, it } from 'vitest';
import { guessMapping, type ImportedDocument, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { type Cells, day, guessed, LATER, PEOPLE, STAYS } from './guessed.js';

const STARS = ['1', '2', '3', '4', '5'];
const plain: Cells = { stars: STARS, date: day, review: STAYS };
const likes = ({ metrics }: ImportedDocument): number | undefined =>
  metrics?.find(({ name }) => name === 'likes')?.value;
const thanks = (n: number): string => `Dear guest, ${n} times thank you and see you again soon`;

describe('words of somebody else', () => {
  it.each([
    'agencyComment',
    'Staff notes',
    'Internal comment',
    'interne Notiz',
    'Hotel comment',
    'Kommentar des Vermieters',
    'комментарий магазина',
    'オーナーコメント',
  ])('by the name %s are a question, and no part of the text', async (name) => {
    const { documents, asks } = await guessed({ ...plain, [name]: thanks });
    expect(documents[1]?.text).toBe(STAYS[1]);
    expect(asks('text')).toContain(`check whether "${name}" belongs to the text`);
  });

  it.each(['hotel_comment', 'comment_to_seller'])('are the text in %s alone', async (name) => {
    const { documents } = await guessed({ stars: STARS, date: day, [name]: STAYS });
    expect(documents[1]?.text).toBe(STAYS[1]);
  });
});

it('notes of colleagues give way to a review that half of the records lack', async () => {
  const review = (n: number): string => (n % 2 ? '' : (STAYS[n] ?? ''));
  const { documents } = await guessed({ ...plain, review, 'internal note': thanks });
  expect(documents.map(({ text }) => text)).not.toContain(thanks(0));
});

it('notes of colleagues are never the text by themselves: the guess asks', async () => {
  const { guess } = await guessed({ stars: STARS, date: day, 'staff notes': thanks });
  expect(guess.fields.some(({ field }) => field === 'text')).toBe(false);
  expect(JSON.stringify(guess.questions)).toContain('no column holds texts');
});

it('“Handled by” is no town', async () => {
  const { documents } = await guessed({ ...plain, 'Handled by': ['Maria', 'Sven', 'Leo'] });
  expect(documents[0]?.detectedLocations).toEqual([]);
});

describe('answers', () => {
  it.each([
    ['comment_answers.love.value', 'comment_answers.hate.value'],
    ['answers.q1', 'answers.q2'],
  ])('of the author, in %s and %s, are the text', async (first, second) => {
    const { documents } = await guessed({
      stars: STARS,
      date: day,
      [first]: STAYS,
      [second]: LATER,
      review_source: (n) => `Written ${n % 2 ? 'with' : 'without'} any incentive at all, they say`,
    });
    expect(documents[1]?.text).toContain(STAYS[1]);
    expect(documents[1]?.text).toContain(LATER[1]);
    expect(documents[1]?.text).not.toContain('incentive');
  });

  it.each(['owner_answer', 'Antwort', 'answer.text'])('are replies in %s', async (name) => {
    const { documents } = await guessed({ ...plain, [name]: thanks });
    expect(documents[1]?.text).toBe(STAYS[1]);
  });
});

describe('a text', () => {
  const kinds = (n: number): string => ['Passport', 'Waste', 'Parking'][n % 3] ?? '';
  const remark = (n: number): string => `called back on ${n + 1} May and the matter is closed`;
  const many = (cells: Cells) => guessed(cells, 60);
  it.each(['Subject', 'Betreff', 'Asunto', 'Onderwerp van uw aanvraag'])(
    'has no category in it, for example %s',
    async (name) => {
      const { documents } = await many({ ...plain, [name]: kinds });
      expect(documents[1]?.text).toBe(STAYS[1]);
    },
  );

  it.each([
    ...['Opmerking medewerker', 'Clerk comment', 'Bemerkung Sachbearbeiter'],
    ...['Observaciones del agente', 'Commento del personale', 'Uwagi pracownika'],
  ])('has no remarks of staff in it, for example %s, which are asked about', async (name) => {
    const { documents, guess } = await guessed({ ...plain, [name]: remark });
    expect(documents[1]?.text).toBe(STAYS[1]);
    expect(JSON.stringify(guess.questions)).toContain(name);
  });
});

describe('ratings in two notations', () => {
  it.each([
    [
      ['3/5', '60%'],
      [3, 3.4],
    ],
    [
      ['3', '60%'],
      [3, 3.4],
    ],
    [
      ['4 stars', '60%'],
      [4, 3.4],
    ],
    [
      ['★★★', '80%'],
      [3, 4.2],
    ],
  ])('are both read: %j', async (stars, read) => {
    const { documents } = await guessed({ ...plain, stars });
    const scores = documents.map(({ metrics }) => metrics?.[0]?.value);
    expect(scores.slice(0, 2)).toEqual(read);
  });
});

it('an unknown word in a partial rating makes no record invalid', async () => {
  const ease = ['very satisfied', 'satisfied', 'neutral', 'dissatisfied', 'very dissatisfied'];
  const { guess } = await guessed({ ...plain, 'Service rating': ease });
  expect(guess.mapping).toContain('service rating: { from: Service rating, values:');
  expect(guess.mapping).not.toContain('unlisted: invalid');
});

describe('a person', () => {
  it.each(['professor_name', 'Trainer', 'Name des Fahrers', '講師名'])(
    'who is reviewed is nobody who wrote: %s',
    async (name) => {
      const { documents } = await guessed({ ...plain, [name]: PEOPLE });
      expect(documents[0]?.author?.username).toBeUndefined();
      expect(documents[0]?.tags).toEqual(['Ana']);
    },
  );

  it.each([
    ['Reviewer Type', ['verified_buyer', 'verified_reviewer']],
    ['customer_group_id', ['100200', '100300']],
    ['user_location_id', (n: number) => `${733100 + n * 7}`],
  ])('has no id in %s', async (name, values) => {
    const { documents } = await guessed({ ...plain, [name]: values });
    expect(documents[0]?.author?.sourceId).toBeUndefined();
  });

  it('has one that few people share', async () => {
    const { documents } = await guessed({ ...plain, reviewer_id: ['a81k20', 'b92k11', 'c73k99'] });
    expect(documents[0]?.author?.sourceId).toBe('a81k20');
  });
});

describe('counts', () => {
  it.each([
    [
      ['1.2K', '15', '1.1M', '3k'],
      [1200, 15, 1_100_000, 3000],
    ],
    [
      ['1万', '3.5萬', '20'],
      [10_000, 35_000, 20],
    ],
    [
      ['1,2 тыс.', '3 млн', '7'],
      [1200, 3_000_000, 7],
    ],
    [
      ['1,2K', '7', '1,234'],
      [1200, 7, 1234],
    ],
    [
      ['2,5 Tsd.', '14', '1.234'],
      [2500, 14, 1234],
    ],
    [
      ['1.2K people found this helpful', '3 people found this helpful'],
      [1200, 3],
    ],
  ])('with a word for thousands are read: %j', async (values, numbers) => {
    const { documents } = await guessed({ ...plain, likes: values });
    expect(documents.slice(0, numbers.length).map(likes)).toEqual(numbers);
  });
});

describe('a rating', () => {
  it.each([[['-1', '0', '1'], '[-1, 1]']])(
    'on both sides of 0 is offered whole: %j',
    async (values, from) => {
      const { asks } = await guessed({ date: day, Оценка: values, Отзыв: STAYS });
      expect(asks()).toContain(`scale: { from: ${from}, to: [1, 5] }`);
    },
  );
});

describe('the name of a film', () => {
  it.each(['Название', 'Bezeichnung'])('is no title: %s', async (name) => {
    const { documents } = await guessed({ ...plain, [name]: ['Stalker', 'Solaris'] });
    expect(documents[0]?.text).toBe(STAYS[0]);
    expect(documents[0]?.tags).toEqual(['Stalker']);
  });
});

describe('texts that say that there is none', () => {
  it.each([
    '(no text)',
    'Kein Kommentar',
    'Aucun commentaire',
    'Bez komentáře',
    'Без комментариев',
    'ei kommenttia',
    'コメントなし',
    '此用户没有填写评价',
    'ไม่มีความคิดเห็น',
    'لا يوجد تعليق',
  ])('are skipped: %s', async (none) => {
    const { guess } = await guessed({ ...plain, review: (n) => (n % 4 ? (STAYS[n] ?? '') : none) });
    expect(guess.records).toMatchObject({ valid: 7, skipped: 3 });
  });
});

describe('dates', () => {
  it('of which some count back keep the others, and how many count back is said', async () => {
    const { guess, asks } = await guessed({
      ...plain,
      date: (n) => (n < 2 ? `${n + 2} weeks ago` : day(n)),
    });
    expect(asks('published')).toContain(
      'the dates that count back from it, 2 in the sample, are left out',
    );
    const folder = newFolder();
    const input = put(folder, 'r.csv', `date,stars,review\n${day(3)},4,"${STAYS[3]}"\n`);
    const report = await validateDocuments({
      input,
      mapping: put(folder, 'm.yaml', guess.mapping),
    });
    expect(report.coverage?.published?.first).toMatch(/^2023-04-13/);
  });
});

describe('a tag', () => {
  it.each(['shop_id', 'Filiale Nr'])('is no number of a shop: %s', async (name) => {
    const { guess, documents } = await guessed({ ...plain, [name]: ['103249', '103250'] });
    expect(documents[0]?.tags ?? []).toEqual([]);
    expect(guess.mapping).toContain(`hash: ["{${name}}"`);
  });
});

describe('the rows of a matrix', () => {
  const WORDS = ['Very satisfied', 'Satisfied', 'Neutral', 'Dissatisfied', 'Very dissatisfied'];
  it.each([
    (row: string) => `How satisfied were you with the following? [${row}]`,
    (row: string) => `Please rate the following - ${row}`,
  ])('are all figures: %s', async (named) => {
    const rows = ['Room', 'Pond', 'Staff', 'Wi-Fi', 'Donkeys'];
    const cells = rows.map((row, at) => [named(row), (n: number) => WORDS[(n * 3 + at) % 5] ?? '']);
    const { guess } = await guessed({
      Overall: STARS,
      comment: STAYS,
      ...Object.fromEntries(cells),
    });
    const metrics = guess.fields.filter(({ field }) => field.startsWith('metrics.'));
    expect(metrics.map(({ columns }) => columns[0])).toEqual(['Overall', ...rows.map(named)]);
  });
});

describe('a record that does not fit its columns', () => {
  const rows = Array.from({ length: 40 }, (_, n) =>
    n % 19 === 7
      ? `r${n * 7},Quiet on day ${n}, but ${n} were loud and ${n} sang,${1 + (n % 5)},2024-03-1${n % 10}`
      : `r${n * 7},"${STAYS[n % 10]}, day ${n}",${1 + (n % 5)},2024-03-1${n % 10},en`,
  );
  const file = ['id,review,stars,date,lang', ...rows].join('\n');

  it('is named, and not imported without its rating', async () => {
    const guess = await guessMapping({ input: put(newFolder(), 'r.csv', file), ready: false });
    expect(guess.notices.join()).toMatch(
      /columns: 2 records of the sample \(8, 27\), for example "but 7 were loud and 7 sang" in "stars"/,
    );
    expect(guess.questions.filter(({ ask }) => /invalid/.test(ask))).toEqual([]);
    expect(guess.records).toMatchObject({ valid: 38, invalid: 2 });
    expect(guess.mapping).not.toContain('onError');
  });

  it('is none for two optional ratings that can’t be read, which are left out', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => {
      const [one, other] = n % 12 === 5 ? [`err${n}`, `e${n}x`] : [1 + (n % 5), 1 + ((n + 2) % 5)];
      return `r${n * 7},"${STAYS[n % 10]}, day ${n}",${1 + (n % 5)},${one},${other}`;
    });
    const csv = ['id,review,stars,Cleanliness rating,Service rating', ...lines].join('\n');
    const guess = await guessMapping({ input: put(newFolder(), 'r.csv', csv), ready: false });
    expect(guess.records).toMatchObject({ valid: 60, invalid: 0 });
  });
});
