// @ts-check
/** Numbers that are nobody's rating: zeros for "not rated", averages of a place or company in each record. */
import { date, day, lines, moment, month, seconds, table } from './kit.js';

const MONTHS =
  'January February March April May June July August September October November December';
/** @type {(number: number) => string} */
const ordinal = (number) =>
  `${number}${number % 10 === 1 && number !== 11 ? 'st' : number % 10 === 2 && number !== 12 ? 'nd' : number % 10 === 3 && number !== 13 ? 'rd' : 'th'}`;

/** Where texts of several languages follow each other, a word or two may be either's. */
/** @type {(topic: string, text: string) => import('./truth.js').Expected} */
function languageOf(topic, text) {
  const language = topic === 'stay' ? 'en' : topic;
  return text.split(' ').length > 3 ? language : { oneOf: [language, null] };
}

/** @type {import('./truth.js').Export[]} */
export const zeros = [
  {
    file: 'interactions.csv',
    about:
      'Comments on recipes: users and recipes by number, a zero where somebody only commented.',
    language: 'en',
    make(k) {
      const reviews = k
        .reviews(60, 'recipe', { weights: [1, 1, 2, 4, 9] })
        .map((one) => ({ ...one, rated: k.chance(0.85) }));
      const recipes = Array.from({ length: 14 }, () => k.digits(k.int(4, 6)));
      const rows = reviews.map((one) => [
        k.digits(k.int(5, 9)),
        k.pick(recipes),
        date(one.when, 'YYYY-MM-DD'),
        one.rated ? one.stars : 0,
        one.text,
      ]);
      return {
        content: table([['user_id', 'recipe_id', 'date', 'rating', 'review'], ...rows]),
        fields: {
          text: { columns: ['review'] },
          score: { columns: ['rating'], scale: [1, 5], note: 'zero is "not rated"' },
          published: { columns: ['date'] },
          author: { none: true, note: 'only a number' },
          sentiment: { derived: 'score', columns: ['rating'] },
        },
        records: reviews.map((one) => ({
          text: [one.text],
          rating: one.rated ? one.stars : undefined,
          published: day(one.when),
        })),
      };
    },
  },
  {
    file: 'maps_reviews.csv',
    about:
      "A crawler of maps: the place's name, rating and number of reviews first, then the author and the author's stars, the owner's answer.",
    make(k) {
      const places = {
        'Pension am Markt': ['de', 4.7, 312],
        'Gasthof Linde': ['de', 4.1, 890],
        'The Mill House': ['stay', 4.4, 96],
        'Old Forge Inn': ['stay', 3.9, 1408],
      };
      const names = /** @type {(keyof typeof places)[]} */ (Object.keys(places));
      const reviews = names.flatMap((place) =>
        k
          .reviews(14, String(places[place][0]))
          .map((one) => ({ ...one, place, id: `ChdDSUhN${k.letters(20)}`, silent: k.chance(0.1) })),
      );
      const ids = Object.fromEntries(
        names.map((place) => [place, `0x47a84e${k.hex(6)}:0x${k.hex(10)}`]),
      );
      const rows = reviews.map((one) => {
        const [, rating, count] = places[one.place];
        return [
          one.place.toLowerCase(),
          one.place,
          ids[one.place],
          rating,
          count,
          `https://www.google.com/maps/place/?q=${encodeURIComponent(one.place)}`,
          one.id,
          `https://www.google.com/maps/reviews/data=!4m6!${one.id}`,
          one.name,
          k.digits(21),
          k.int(1, 90),
          one.silent ? '' : one.text,
          k.chance(0.3) ? 'Vielen Dank! / Thank you!' : '',
          k.chance(0.3) ? date(k.later(one.when, 2), 'MM/DD/YYYY HH:mm:ss') : '',
          one.stars,
          seconds(one.when),
          date(one.when, 'MM/DD/YYYY HH:mm:ss'),
          k.int(0, 6),
        ];
      });
      return {
        content: table([
          [
            'query',
            'name',
            'google_id',
            'rating',
            'reviews',
            'location_link',
            'review_id',
            'review_link',
            'author_title',
            'author_id',
            'author_reviews_count',
            'review_text',
            'owner_answer',
            'owner_answer_timestamp_datetime_utc',
            'review_rating',
            'review_timestamp',
            'review_datetime_utc',
            'review_likes',
          ],
          ...rows,
        ]),
        fields: {
          text: { columns: ['review_text'] },
          score: { columns: ['review_rating'], scale: [1, 5], note: "rating is the place's" },
          published: { columns: ['review_timestamp', 'review_datetime_utc'] },
          author: { columns: ['author_title'] },
          sourceId: { columns: ['review_id'], kind: 'column' },
          url: { columns: ['review_link'] },
          sentiment: { derived: 'score', columns: ['review_rating'] },
          subject: { columns: ['name', 'query'] },
        },
        records: reviews.map((one) => ({
          text: [one.silent ? '' : one.text],
          rating: one.stars,
          published: moment(one.when),
          author: one.name,
          sourceId: one.id,
          url: `https://www.google.com/maps/reviews/data=!4m6!${one.id}`,
          language: languageOf(String(places[one.place][0]), one.text),
          subject: one.place,
        })),
      };
    },
  },
  {
    file: 'airline_table.csv',
    about:
      'Reviews of airlines: of 10 overall, partial stars with zeros for "not rated", recommended yes or no, dates such as "3rd May 2024", the month flown.',
    language: 'en',
    make(k) {
      const reviews = k.reviews(54, 'flight', { weights: [5, 2, 1, 3, 5] }).map((one) => ({
        ...one,
        overall: k.chance(0.93) ? one.stars * 2 - k.int(0, 1) : undefined,
        airline: k.pick(['northern-wings', 'aero-lusa', 'fjord-air']),
        yes: one.stars > 3 || (one.stars === 3 && k.chance(0.5)),
      }));
      const part = (/** @type {number} */ stars) =>
        k.chance(0.3) ? 0 : Math.max(1, Math.min(5, stars + k.int(-1, 1)));
      const rows = reviews.map((one) => [
        one.airline,
        `https://skies.example/airline-reviews/${one.airline}`,
        `${one.airline} customer review`,
        `"${one.title}"`,
        one.name,
        k.pick(['United Kingdom', 'Portugal', 'Norway', 'Canada']),
        `${ordinal(one.when.getUTCDate())} ${month(one.when, MONTHS)} ${one.when.getUTCFullYear()}`,
        one.text,
        k.pick(['A320', 'Boeing 737', '']),
        k.pick(['Solo Leisure', 'Business', 'Couple Leisure']),
        k.pick(['Economy Class', 'Business Class']),
        `${month(k.later(one.when, -20), MONTHS)} ${k.later(one.when, -20).getUTCFullYear()}`,
        one.overall,
        part(one.stars),
        part(one.stars),
        part(one.stars),
        part(one.stars),
        one.yes ? 'yes' : 'no',
        k.pick(['Not Verified', 'Trip Verified']),
      ]);
      return {
        content: table([
          [
            'airline_name',
            'link',
            'page_title',
            'title',
            'author',
            'author_country',
            'date',
            'content',
            'aircraft',
            'type_traveller',
            'cabin_flown',
            'date_flown',
            'overall_rating',
            'seat_comfort_rating',
            'cabin_staff_rating',
            'food_beverages_rating',
            'inflight_entertainment_rating',
            'recommended',
            'trip_verified',
          ],
          ...rows,
        ]),
        fields: {
          text: { columns: ['title', 'content'] },
          score: { columns: ['overall_rating'], scale: [1, 10], orScale: [0, 10] },
          published: { columns: ['date'] },
          author: { columns: ['author'] },
          url: { none: true, note: "the airline's page" },
          sentiment: {
            columns: ['recommended', 'overall_rating'],
            note: 'stated by "recommended", or from the rating',
          },
          subject: { columns: ['airline_name'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.text],
          rating: one.overall,
          published: day(one.when),
          author: one.name,
          subject: one.airline,
          sentiment: {
            oneOf: [
              one.yes ? 'B' : 'R',
              one.overall === undefined
                ? null
                : one.overall >= 7
                  ? 'B'
                  : one.overall >= 5
                    ? 'N'
                    : 'R',
            ],
          },
        })),
      };
    },
  },
  {
    file: 'employers_comments.jsonl',
    about:
      "Comments on employers in which the only rating is the employer's average, repeated in each of its records.",
    language: 'en',
    make(k) {
      const firms = {
        'Cobalt Foods': [3.4, 218, 'Food'],
        'Whitfield & Sons': [4.2, 67, 'Law'],
        Hexaport: [2.8, 541, 'Software'],
        'Greenline Buses': [3.9, 150, 'Transport'],
        Ovidian: [4.5, 32, 'Software'],
      };
      const names = /** @type {(keyof typeof firms)[]} */ (Object.keys(firms));
      const reviews = k
        .reviews(45, 'likes')
        .map((one) => ({ ...one, firm: k.pick(names), id: k.digits(7), named: k.chance(0.8) }));
      return {
        content: lines(
          reviews.map((one) => ({
            comment_id: Number(one.id),
            company: {
              name: one.firm,
              rating: firms[one.firm][0],
              rating_count: firms[one.firm][1],
              industry: firms[one.firm][2],
            },
            nickname: one.named ? one.name : null,
            role: k.pick(['Driver', 'Analyst', 'Cook', null]),
            comment: one.text,
            posted: date(one.when, 'YYYY-MM-DD HH:mm:ss'),
            upvotes: k.int(0, 40),
            flagged: false,
          })),
        ),
        fields: {
          text: { columns: ['comment'] },
          score: { none: true, note: "company.rating is the company's average" },
          published: { columns: ['posted'] },
          author: { columns: ['nickname'] },
          sourceId: { columns: ['comment_id'], kind: 'column' },
          subject: { columns: ['company.name'] },
        },
        records: reviews.map((one) => ({
          text: [one.text],
          published: moment(one.when),
          author: one.named ? one.name : undefined,
          sourceId: one.id,
          subject: one.firm,
        })),
      };
    },
  },
];
