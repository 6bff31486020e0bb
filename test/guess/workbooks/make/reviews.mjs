/** The reviews that all workbooks hold: made up, with days above 12 and below, and texts of two lines. */
const AUTHORS = [
  'Anna Berg',
  'Tom Hughes',
  'Marie Lefort',
  'Jan Novák',
  'Lucía Ramos',
  'Peter Wolf',
];
const COUNTRIES = ['Germany', 'United Kingdom', 'France', 'Czechia', 'Spain', 'Austria'];
const OPENINGS = [
  'The room was clean and quiet',
  'Breakfast ran out of bread before nine',
  'We loved the view over the harbour',
  'The lift was broken for all of our stay',
  'Friendly people at the reception',
];
const CLOSINGS = [
  'and we would come back at any time.',
  'but the bathroom needs a new coat of paint.',
  'although the street can be noisy at night.',
  'which made up for the small beds.',
  'so the price was fair.\nParking costs extra.',
  'even if the Wi-Fi was slow in the evening.',
  'and check-in took only two minutes.',
];
const SCORES = [9, 6.5, 10, 3, 8, 7.5, 4];

/** Reviews 1 to 28: a serial day and time, as what workbooks hold, is made from `written`. */
export const REVIEWS = Array.from({ length: 28 }, (_, at) => ({
  id: `BK-${10_431 + at * 37}`,
  author: AUTHORS[at % 6],
  country: COUNTRIES[(at * 5 + 1) % 6],
  score: SCORES[at % 7],
  title: `${OPENINGS[at % 5].split(' ').slice(0, 2).join(' ')}, stay ${at + 1}`,
  text: `${OPENINGS[at % 5]} ${CLOSINGS[at % 7]}`,
  written: new Date(Date.UTC(2024, at % 9, 1 + ((at * 7) % 28), 8 + (at % 12), (at * 13) % 60)),
  url: `https://reviews.example.com/r/${10_431 + at * 37}`,
}));

const day = (at) => at.written.toISOString().slice(0, 10);

/** What the tests compare the imported documents with. */
export const TRUTH = REVIEWS.map((one) => ({
  id: one.id,
  author: one.author,
  country: one.country,
  score: one.score,
  title: one.title,
  text: one.text,
  moment: one.written.toISOString(),
  day: day(one),
  url: one.url,
}));
