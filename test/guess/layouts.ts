/**
 * Made-up exports of many layouts, and what the first record of each has to become when nobody says
 * anything about the file.
 */

import { expect } from 'vitest';

/** One layout. */
export interface Layout {
  readonly name: string;
  readonly file: string;
  readonly bytes: string | Buffer;
  readonly asOf?: string;
  /** The first record's document, as far as it matters. */
  readonly document: object;
  /** Fields that must not be filled, as the file does not say them. */
  readonly without?: readonly string[];
  /** Whether the id has to be a hash, as no column holds one. */
  readonly hashed?: boolean;
  /** Fields that have to be marked TODO, because the file can't say. */
  readonly todo?: readonly string[];
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'The staff was friendly and the room was very clean, we would come back any time.',
    'Breakfast was cold and nobody seemed to care about it at all.',
    'It works, but the battery does not last as long as the page promises.',
    'Delivery took three weeks, and the box was damaged when it arrived.',
    'A wonderful evening, the view over the harbour alone is worth the trip.',
    'I have been using it every day since spring and never had a problem.',
    'Far too expensive for what you get, look for something else nearby.',
  ],
  de: [
    'Das Personal war sehr freundlich und das Zimmer sauber, wir kommen gerne wieder.',
    'Das Frühstück war kalt und niemand hat sich darum gekümmert.',
    'Die Lieferung hat drei Wochen gedauert und der Karton war beschädigt.',
    'Ein wunderbarer Abend, allein die Aussicht ist die Reise wert.',
    'Viel zu teuer für das, was man bekommt.',
  ],
  es: [
    'El personal fue muy amable y la habitación estaba muy limpia, volveremos seguro.',
    'El desayuno estaba frío y a nadie parecía importarle lo más mínimo.',
    'El envío tardó tres semanas y la caja llegó rota.',
    'Demasiado caro para lo que ofrecen, hay sitios mejores cerca.',
  ],
  fr: [
    'Le personnel était très aimable et la chambre vraiment propre, nous reviendrons.',
    "Le petit déjeuner était froid et personne ne s'en est occupé.",
    'La livraison a pris trois semaines et le carton était abîmé.',
    'Beaucoup trop cher pour ce que cela vaut, cherchez ailleurs.',
  ],
  nl: [
    'Het personeel was erg vriendelijk en de kamer was schoon, we komen graag terug.',
    'Het ontbijt was koud en niemand leek zich daar druk om te maken.',
    'De bezorging duurde drie weken en de doos was beschadigd.',
    'Veel te duur voor wat je krijgt, zoek liever iets anders in de buurt.',
  ],
  cs: [
    'Personál byl velmi příjemný a pokoj čistý, rádi se sem zase vrátíme.',
    'Snídaně byla studená a nikoho to vůbec nezajímalo.',
    'Doručení trvalo tři týdny a krabice přišla poškozená.',
    'Příliš drahé na to, co za to dostanete, hledejte jinde.',
  ],
  pt: [
    'O pessoal foi muito simpático e o quarto estava limpo, vamos voltar com certeza.',
    'O café da manhã estava frio e ninguém se importou com isso.',
    'A entrega demorou três semanas e a caixa chegou danificada.',
    'Muito caro para o que oferecem, procure outra coisa por perto.',
  ],
};

const NAMES = [
  'Ana',
  'Jonas K.',
  'Marie Novak',
  'Petr',
  'Lucía',
  'Tom Baker',
  'Inês',
  'Sanne',
  'Olaf',
  'Zoé Martin',
  'Ivan',
  'Grace',
];

/** The text number `n` of a language; no two of the first hundred are the same. */
function text(language: string, n: number): string {
  const texts = TEXTS[language] ?? [];
  const round = Math.floor(n / texts.length);
  return `${texts[n % texts.length]}${round === 0 ? '' : ` (${round + 1})`}`;
}

function name(n: number): string {
  return `${NAMES[n % NAMES.length]}${n < NAMES.length ? '' : ` ${'BCDEFGH'[Math.floor(n / NAMES.length) - 1]}`}`;
}

/** Numbers that look drawn, and are always the same. */
function drawn(n: number, most: number): number {
  return ((n * 7919 + 104_729) >> 3) % most;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Days of two years, all days of the month among them. */
function day(n: number): { y: number; m: number; d: number } {
  const date = new Date(Date.UTC(2023, 0, 17) + n * 11 * 86_400_000);
  return { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate() };
}

type Cell = string | number;

/** CSV of a header (or none) and a row for each number. */
function table(
  header: readonly string[] | null,
  row: (n: number) => readonly Cell[],
  { rows = 60, delimiter = ',', before = '' } = {},
): string {
  const quote = (cell: Cell): string => {
    const value = String(cell);
    return /["\n\r]/.test(value) || value.includes(delimiter)
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  };
  const lines = Array.from({ length: rows }, (_, n) => row(n).map(quote).join(delimiter));
  return `${before}${[...(header === null ? [] : [header.map(quote).join(delimiter)]), ...lines].join('\n')}\n`;
}

const lines = (record: (n: number) => object, rows = 60): string =>
  `${Array.from({ length: rows }, (_, n) => JSON.stringify(record(n))).join('\n')}\n`;

const MONTHS_EN =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const MONTHS_CS =
  'ledna února března dubna května června července srpna září října listopadu prosince'.split(' ');

export const LAYOUTS: readonly Layout[] = [
  {
    name: 'a hotel site: praise and complaint apart, decimal comma, 1 to 10, day first',
    file: 'hotel.csv',
    bytes: table(
      ['Nr', 'Datum', 'Gastname', 'Positiv', 'Negativ', 'Bewertung', 'Hotelantwort'],
      (n) => {
        const { y, m, d } = day(n);
        return [
          n + 1,
          `${two(d)}.${two(m)}.${y}`,
          name(n),
          text('de', n),
          n % 2 ? text('de', n + 2) : '',
          `${6 + (n % 4)},${n % 10}`,
          'Vielen Dank für Ihren Besuch, wir freuen uns auf Sie!',
        ];
      },
      { delimiter: ';' },
    ),
    document: {
      text: TEXTS['de']?.[0],
      language: 'de',
      published: '2023-01-17T00:00:00.000Z',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 3.22 }],
    },
    hashed: true,
  },
  {
    name: 'an app store: a title, versions, a developer reply with a date',
    file: 'app.csv',
    bytes: table(
      [
        'Package Name',
        'App Version Name',
        'Reviewer Language',
        'Device',
        'Review Submit Date and Time',
        'Review Last Update Date and Time',
        'Star Rating',
        'Review Title',
        'Review Text',
        'Developer Reply Date and Time',
        'Developer Reply Text',
        'Review Link',
      ],
      (n) => {
        const { y, m, d } = day(n);
        const date = `${y}-${two(m)}-${two(d)}T08:${two(n % 60)}:00Z`;
        return [
          'org.example.app',
          `2.${n % 4}.1`,
          n % 3 ? 'en' : 'de',
          'pixel',
          date,
          date,
          1 + drawn(n, 5),
          `Title ${n}`,
          text(n % 3 ? 'en' : 'de', n),
          n % 5 ? '' : '2025-06-01T08:00:00Z',
          n % 5 ? '' : 'Thank you for your review, please write to us about it.',
          `https://play.example.org/r?id=${n}`,
        ];
      },
    ),
    document: {
      text: `Title 0\n\n${TEXTS['de']?.[0]}`,
      language: 'de',
      published: '2023-01-17T08:00:00.000Z',
      url: 'https://play.example.org/r?id=0',
    },
  },
  {
    name: 'a shop: ids with leading zeros, product columns, US dates',
    file: 'shop.csv',
    bytes: table(
      [
        'review_id',
        'product_id',
        'product_title',
        'customer_id',
        'star_rating',
        'helpful_votes',
        'total_votes',
        'verified_purchase',
        'review_headline',
        'review_body',
        'review_date',
      ],
      (n) => {
        const { y, m, d } = day(n);
        return [
          `00${100_000 + n * 37}`,
          `B00${n % 7}X`,
          `Kettle ${n % 7}`,
          5000 + drawn(n, 900),
          1 + drawn(n, 5),
          n % 4,
          4 + (n % 4),
          n % 2 ? 'Y' : 'N',
          `Headline ${n}`,
          text('en', n),
          `${m}/${d}/${y}`,
        ];
      },
    ),
    document: {
      sourceId: '00100000',
      text: `Headline 0\n\n${TEXTS['en']?.[0]}`,
      published: '2023-01-17T00:00:00.000Z',
      language: 'en',
    },
    hashed: false,
  },
  {
    name: 'a survey: likelihood from 0 to 10, questions as names',
    file: 'survey.csv',
    bytes: table(
      [
        'Respondent ID',
        'Completed at',
        'How likely are you to recommend us? (0-10)',
        'What did you like?',
        'What could we improve?',
      ],
      (n) => {
        const { y, m, d } = day(n);
        return [
          `R-${9000 + n}`,
          `${y}-${two(m)}-${two(d)} 10:00`,
          n === 0 ? 9 : drawn(n, 11),
          text('en', n),
          n % 3 ? text('en', n + 3) : '',
        ];
      },
    ),
    document: {
      text: `${TEXTS['en']?.[0]}\n\n${TEXTS['en']?.[3]}`.slice(0, 80),
      published: '2023-01-17T10:00:00.000Z',
      sentiment: 'B',
      metrics: [{ name: 'score', value: 4.6 }],
    },
  },
  {
    name: 'a restaurant: the list lies deep inside a JSON document, among other lists',
    file: 'restaurant.json',
    bytes: JSON.stringify({
      restaurant: {
        name: 'Casa Test',
        opening: [
          { day: 'mon', from: '12:00' },
          { day: 'tue', from: '12:00' },
        ],
      },
      data: {
        paging: { next: null },
        reviews: Array.from({ length: 30 }, (_, n) => ({
          uuid: `3f2a${two(n)}aa-1111-4222-8333-0123456789${two(n)}`,
          user: { id: `u${1000 + n}x`, name: name(n) },
          rating: { value: 1 + (n % 5), max: 5 },
          comment: text('es', n),
          createdAt: Date.UTC(2024, 1, 1 + n),
          photos: [{ url: `https://img.example.org/${n}.jpg` }],
        })),
      },
    }),
    document: {
      sourceId: '3f2a00aa-1111-4222-8333-012345678900',
      text: TEXTS['es']?.[0],
      language: 'es',
      published: '2024-02-01T00:00:00.000Z',
      author: { sourceId: 'u1000x', username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
    hashed: false,
  },
  {
    name: 'map reviews: relative dates beside the moment of capture',
    file: 'maps.jsonl',
    bytes: lines((n) => ({
      place_name: 'Klinik am See',
      reviewer_name: name(n),
      review_text: text('de', n),
      rating: `${1 + (n % 5)} Sterne`,
      published_at: n % 2 ? 'vor einem Jahr' : 'vor 2 Monaten',
      scraped_at: '2025-03-15T10:00:00Z',
      likes: n % 3,
    })),
    document: {
      text: TEXTS['de']?.[0],
      published: '2025-01-15T10:00:00.000Z',
      downloaded: '2025-03-15T10:00:00.000Z',
      metrics: [
        { name: 'score', value: 1 },
        { name: 'likes', value: 0 },
      ],
      author: { username: 'Ana' },
    },
    hashed: true,
  },
  {
    name: 'no header',
    file: 'bare.csv',
    bytes: table(null, (n) => {
      const { y, m, d } = day(n);
      return [
        `6512bd43d9caa6e02c990b${two(n)}`,
        `${y}-${two(m)}-${two(d)}`,
        name(n),
        1 + (n % 5),
        text('fr', n),
      ];
    }),
    document: {
      sourceId: '6512bd43d9caa6e02c990b00',
      text: TEXTS['fr']?.[0],
      published: '2023-01-17T00:00:00.000Z',
      language: 'fr',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
    hashed: false,
  },
  {
    name: 'lines before the header',
    file: 'report.csv',
    bytes: table(
      ['Date', 'Author', 'Rating', 'Comment'],
      (n) => {
        const { y, m, d } = day(n);
        return [`${two(d)}/${two(m)}/${y}`, name(n), `${1 + (n % 5)}`, text('en', n)];
      },
      { before: 'Report of reviews\nMade on 3 March 2025\n\n' },
    ),
    document: {
      text: TEXTS['en']?.[0],
      published: '2023-01-17T00:00:00.000Z',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
  },
  {
    name: 'a scale from 0 to 100, tabs, dates with times of the 12-hour clock',
    file: 'critics.tsv',
    bytes: table(
      ['critic', 'score', 'quote', 'reviewed on'],
      (n) => {
        const { y, m, d } = day(n);
        return [
          name(n),
          n === 0 ? 75 : drawn(n, 101),
          text('en', n),
          `${two(m)}/${two(d)}/${y} 3:05 PM`,
        ];
      },
      { delimiter: '\t' },
    ),
    document: {
      text: TEXTS['en']?.[0],
      published: '2023-01-17T15:05:00.000Z',
      metrics: [{ name: 'score', value: 4 }],
      sentiment: 'B',
    },
  },
  {
    name: 'stars in a sentence, in French, and dates in a sentence',
    file: 'avis.csv',
    bytes: table(
      ['Pseudo', 'Note', 'Titre', 'Avis', 'Date de publication'],
      (n) => {
        const { y, m, d } = day(n);
        const months =
          'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
            ' ',
          );
        return [
          name(n),
          `${1 + (n % 5)} étoiles sur 5`,
          `Titre ${n}`,
          text('fr', n),
          `Avis publié le ${d} ${months[m - 1]} ${y}`,
        ];
      },
      { delimiter: ';' },
    ),
    document: {
      text: `Titre 0\n\n${TEXTS['fr']?.[0]}`,
      published: '2023-01-17T00:00:00.000Z',
      language: 'fr',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
  },
  {
    name: 'star signs with halves, Czech names and months',
    file: 'recenze.csv',
    bytes: table(
      ['Jméno', 'Počet hvězdiček', 'Datum vytvoření', 'Text recenze', 'Produkt'],
      (n) => {
        const { y, m, d } = day(n);
        const full = n % 5;
        return [
          name(n),
          `${'★'.repeat(full)}½${'☆'.repeat(4 - full)}`,
          `${d}. ${MONTHS_CS[m - 1]} ${y}`,
          text('cs', n),
          `Konvice ${n % 3}`,
        ];
      },
    ),
    document: {
      text: TEXTS['cs']?.[0],
      published: '2023-01-17T00:00:00.000Z',
      language: 'cs',
      author: { username: 'Ana' },
    },
    hashed: true,
  },
  {
    name: 'Dutch names, UTF-16, languages by name',
    file: 'beoordelingen.csv',
    bytes: Buffer.from(
      `\ufeff${table(
        ['Klantnaam', 'Rapportcijfer', 'Toelichting', 'Ingevuld op', 'Taal', 'Woonplaats'],
        (n) => {
          const { y, m, d } = day(n);
          return [
            name(n),
            `${5 + (n % 6)},${n % 6 === 5 ? 0 : 5}`,
            text('nl', n),
            `${two(d)}-${two(m)}-${y}`,
            'Nederlands',
            'Gent',
          ];
        },
        { delimiter: ';' },
      )}`,
      'utf16le',
    ),
    document: {
      text: TEXTS['nl']?.[0],
      published: '2023-01-17T00:00:00.000Z',
      language: 'nl',
      author: { username: 'Ana' },
    },
    hashed: true,
  },
  {
    name: 'two notations in one column, and markup in the text',
    file: 'mixed.csv',
    bytes: table(['url', 'rating', 'content', 'user', 'date'], (n) => {
      const { y, m, d } = day(n);
      return [
        `https://reviews.example.org/${n}`,
        n % 2 ? '4.0 of 5 bubbles' : '8,7/10',
        `${text('en', n)}<br/>Really &amp; truly.`,
        name(n),
        `${MONTHS_EN[m - 1]} ${d}, ${y}`,
      ];
    }),
    document: {
      text: `${TEXTS['en']?.[0]}\nReally & truly.`,
      url: 'https://reviews.example.org/0',
      published: '2023-01-17T00:00:00.000Z',
      metrics: [{ name: 'score', value: 4.42 }],
    },
  },
  {
    name: 'months only, of the journey: no date of the review',
    file: 'journeys.csv',
    bytes: table(['id', 'traveler', 'travel_date', 'rating', 'review'], (n) => {
      const { y, m } = day(n);
      return [n + 1, name(n), `${MONTHS_EN[m - 1]} ${y}`, 1 + (n % 5), text('en', n)];
    }),
    document: { text: TEXTS['en']?.[0], author: { username: 'Ana' } },
    without: ['published'],
    hashed: true,
  },
  {
    name: 'several dates: of stay, of writing, of the answer, of capture; a place id named id',
    file: 'several-dates.csv',
    bytes: table(
      [
        'id',
        'hotel_name',
        'dateOfStay',
        'createdDate',
        'ownerResponseDate',
        'crawledAt',
        'overallScore',
        'reviewText',
        'ownerResponse',
        'reviewerNickname',
        'countryCode',
      ],
      (n) => {
        const { y, m, d } = day(n);
        return [
          n % 4,
          `Hotel ${n % 4}`,
          `${y}-${two(m)}-01`,
          `${y}-${two(m)}-${two(d)}T12:00:00+02:00`,
          n % 3 ? '' : '2025-02-02',
          '2025-05-05',
          `${1 + (n % 10)}`,
          text('en', n),
          n % 3 ? '' : 'Dear guest, thank you for your kind words about our house and our team.',
          name(n),
          n % 2 ? 'DE' : 'CZ',
        ];
      },
    ),
    document: {
      text: TEXTS['en']?.[0],
      published: '2023-01-17T10:00:00.000Z',
      downloaded: '2025-05-05T00:00:00.000Z',
      detectedLocations: ['country: Czechia'],
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
    hashed: true,
  },
  {
    name: 'a place table joined with its reviews: name and city are of the place',
    file: 'joined.csv',
    bytes: table(
      [
        'name',
        'city',
        'reviews.date',
        'reviews.dateAdded',
        'reviews.doRecommend',
        'reviews.rating',
        'reviews.text',
        'reviews.title',
        'reviews.username',
      ],
      (n) => {
        const { y, m, d } = day(n);
        return [
          `Inn ${n % 3}`,
          'Austin',
          `${y}-${two(m)}-${two(d)}T00:00:00Z`,
          '2025-01-01T00:00:00Z',
          n % 2 ? 'true' : 'false',
          1 + (n % 5),
          text('en', n),
          `About ${n}`,
          name(n),
        ];
      },
    ),
    document: {
      text: `About 0\n\n${TEXTS['en']?.[0]}`,
      published: '2023-01-17T00:00:00.000Z',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
  },
  {
    name: 'recommended or not, seconds since 1970, a page of its own for the author',
    file: 'games.jsonl',
    bytes: lines((n) => ({
      recommendationid: String(18_000_000 + n * 131),
      author: { steamid: `7656119${8_000_000_000 + n}`, num_reviews: n },
      language: n % 4 ? 'english' : 'german',
      review: text(n % 4 ? 'en' : 'de', n),
      timestamp_created: 1_700_000_000 + n * 86_400,
      timestamp_updated: 1_700_000_000 + n * 90_000,
      voted_up: n % 3 !== 1,
      votes_up: n,
    })),
    document: {
      sourceId: '18000000',
      text: TEXTS['de']?.[0],
      language: 'de',
      sentiment: 'B',
      published: '2023-11-14T22:13:20.000Z',
    },
    hashed: false,
  },
  {
    name: 'an app store feed: every value wrapped in an object',
    file: 'feed.json',
    bytes: JSON.stringify({
      feed: {
        entry: Array.from({ length: 20 }, (_, n) => ({
          author: { name: { label: name(n) }, uri: { label: `https://store.example.org/u/${n}` } },
          updated: { label: `2024-05-${two(1 + n)}T07:00:00-07:00` },
          'im:rating': { label: String(1 + (n % 5)) },
          id: { label: String(11_000_000_000 + n * 77) },
          title: { label: `Title ${n}` },
          content: { label: text('en', n), attributes: { type: 'text' } },
        })),
      },
    }),
    document: {
      sourceId: '11000000000',
      text: `Title 0\n\n${TEXTS['en']?.[0]}`,
      published: '2024-05-01T14:00:00.000Z',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
    hashed: false,
  },
  {
    name: 'ambiguous days: no date says which number is the day',
    file: 'ambiguous.csv',
    bytes: table(
      ['Comment', 'Score', 'When'],
      (n) => [text('en', n), 1 + (n % 5), `0${1 + (n % 9)}/0${1 + (n % 7)}/2024`],
      { rows: 20 },
    ),
    document: { text: TEXTS['en']?.[0] },
    todo: ['published'],
  },
  {
    name: 'day and month by name, of several languages',
    file: 'languages.csv',
    bytes: table(['autor', 'fecha', 'puntuación', 'opinión'], (n) => {
      const { y, d } = day(n);
      const language = ['es', 'pt', 'en'][n % 3] as string;
      const date =
        { es: `${d} de enero de ${y}`, pt: `${d} de fevereiro de ${y}`, en: `${d} March ${y}` }[
          language
        ] ?? '';
      return [
        name(n),
        n % 3 === 1 ? date.replace(/^(29|30|31)/, '28') : date,
        `${1 + (n % 5)}`,
        text(language, n),
      ];
    }),
    document: {
      text: TEXTS['es']?.[0],
      published: '2023-01-17T00:00:00.000Z',
      language: 'es',
      author: { username: 'Ana' },
    },
  },
  {
    name: 'a survey tool: questions and keys of its own below the header, a response id',
    file: 'responses.csv',
    bytes: table(['StartDate', 'EndDate', 'ResponseId', 'Q1', 'Q2', 'Q3'], (n) => {
      if (n === 0)
        return [
          'Start Date',
          'End Date',
          'Response ID',
          'How likely are you to recommend us?',
          'Why?',
          'What should we change?',
        ];
      if (n === 1)
        return ['startDate', 'endDate', '_recordId', 'QID1', 'QID2', 'QID3'].map(
          (id) => `{"ImportId":"${id}"}`,
        );
      const { y, m, d } = day(n);
      const date = `${y}-${two(m)}-${two(d)} 10:`;
      return [
        `${date}00:00`,
        `${date}04:00`,
        `R_3fX${n}aQ81`,
        n === 2 ? 8 : drawn(n, 11),
        text('en', n),
        text('en', n + 3),
      ];
    }),
    document: {
      sourceId: 'R_3fX2aQ81',
      text: `${text('en', 2)}\n\n${text('en', 5)}`,
      published: '2023-02-08T10:04:00.000Z',
      metrics: [{ name: 'score', value: 4.2 }],
    },
    hashed: false,
  },
  {
    name: 'verdicts in Spanish, the time in a column of its own, what was not liked',
    file: 'encuesta.csv',
    bytes: table(
      ['Fecha', 'Hora', 'Valoración', '¿Qué le gustó?', '¿Qué no le gustó?', 'Cliente'],
      (n) => {
        const { y, m, d } = day(n);
        return [
          `${two(d)}/${two(m)}/${y}`,
          `${8 + (n % 9)}:0${n % 9}`,
          ['Bien', 'Muy bien', 'Regular', 'Mal', 'Muy mal'][n % 5] ?? '',
          text('es', n),
          text('es', n + 2),
          name(n),
        ];
      },
      { delimiter: ';' },
    ),
    document: {
      text: `${text('es', 0)}\n\n${text('es', 2)}`,
      published: '2023-01-17T08:00:00.000Z',
      sentiment: 'B',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 4 }],
    },
  },
  {
    name: 'posts: moments as services print them, and when the account was made',
    file: 'posts.jsonl',
    bytes: lines((n) => {
      const { y, m, d } = day(n);
      const month = (MONTHS_EN[m - 1] ?? '').slice(0, 3);
      return {
        created_at: `Wed ${month} ${two(d)} 20:19:24 ${n % 2 ? 'PDT' : '+0000'} ${y}`,
        id_str: String(9_100_000_000 + n * 131),
        full_text: text('en', n),
        user: { screen_name: `nick_${n}`, created_at: `Mon Jan 05 10:00:00 +0000 2009` },
      };
    }),
    document: {
      sourceId: '9100000000',
      text: TEXTS['en']?.[0],
      published: '2023-01-17T20:19:24.000Z',
      author: { username: 'nick_0' },
    },
  },
  {
    name: 'no header, and words in the first record that could be names',
    file: 'bare-us.csv',
    bytes: table(null, (n) => {
      const { y, m, d } = day(n);
      const title = ['Best rating', 'Great product review', 'No title at all'][n % 3] ?? '';
      return [70_000_000 + n * 37, name(n), 1 + (n % 5), `${m}/${d}/${y}`, title, text('en', n)];
    }),
    document: {
      sourceId: '70000000',
      text: expect.stringContaining(TEXTS['en']?.[0] ?? ''),
      published: '2023-01-17T00:00:00.000Z',
      author: { username: 'Ana' },
      metrics: [{ name: 'score', value: 1 }],
    },
    hashed: false,
  },
  {
    name: 'words where a number or a date is missing, and where nothing was written',
    file: 'strays.csv',
    bytes: table(['Review No.', 'Order No.', 'Year_Month', 'Rating', 'Pros', 'Cons'], (n) => {
      const { y, m } = day(n);
      return [
        4000 + n * 13,
        90_000 + n * 7,
        n % 9 === 4 ? 'missing' : `${y}-${m}`,
        n % 10 === 3 ? 'Like' : 1 + (n % 5),
        text('en', n),
        n % 4 ? text('en', n + 2) : 'No Negative',
      ];
    }),
    document: {
      sourceId: '4000',
      text: TEXTS['en']?.[0],
      published: '2023-01-01T00:00:00.000Z',
      metrics: [{ name: 'score', value: 1 }],
    },
    hashed: false,
  },
  {
    name: 'thumbs alone',
    file: 'thumbs.csv',
    bytes: table(['ticket', 'updated', 'rating', 'remark'], (n) => {
      const { y, m, d } = day(n);
      const date = `${two(m)} ${two(d)}, ${y}`;
      return [`T-${3000 + n * 7}`, date, n % 3 ? '👎' : '👍', text('en', n)];
    }),
    document: {
      sourceId: 'T-3000',
      sentiment: 'B',
      published: '2023-01-17T00:00:00.000Z',
      metrics: [],
    },
  },
  {
    name: 'a scale that only the name of the column says, and dates of the product before it',
    file: 'scale.csv',
    bytes: table(['sku', 'dateAdded', 'reviews.date', 'OSAT (1-7)', 'reviews.text'], (n) => {
      const { y, m, d } = day(n);
      return [
        `K${n % 4}00`,
        `2019-0${1 + (n % 4)}-03T16:00:00Z`,
        `${y}-${two(m)}-${two(d)}`,
        1 + (n % 6),
        text('en', n),
      ];
    }),
    document: {
      published: '2023-01-17T00:00:00.000Z',
      metrics: [{ name: 'score', value: 1 }],
      sentiment: 'R',
    },
  },
  {
    name: 'a database export: every value wrapped by its type, stars in words',
    file: 'wrapped.jsonl',
    bytes: lines((n) => ({
      _id: { $oid: `5f2a${two(n)}aa11112222833301${two(n)}` },
      starRating: ['FIVE', 'FOUR', 'THREE', 'TWO', 'ONE'][n % 5],
      helpful: { $numberInt: String(n % 7) },
      body: text('en', n),
      author: { name: name(n) },
      createdAt: { $date: `2024-05-${two(1 + (n % 28))}T07:00:00Z` },
    })),
    document: {
      sourceId: '5f2a00aa1111222283330100',
      published: '2024-05-01T07:00:00.000Z',
      author: { username: 'Ana' },
      metrics: [
        { name: 'score', value: 5 },
        { name: 'likes', value: 0 },
      ],
    },
    hashed: false,
  },
];
