// @ts-check
/** Tables with several columns of text: praise and complaint, title and body, a translation, somebody's answer. */
import { date, day, lines, minute, moment, month, table, two } from './kit.js';

const MONTHS =
  'January February March April May June July August September October November December';

/** @type {Record<string, string>} */
const LISTINGS = {
  'Loft by the canal': '270357877',
  'Garden studio': '41190236',
  'Attic with a view': '886012767',
};

/** @type {import('./truth.js').Export[]} */
export const columns = [
  {
    file: 'employer_reviews.csv',
    about:
      "Pros, cons, advice and a headline; six partial ratings, the employer's average, recommends, the job of the author.",
    language: 'en',
    make(k) {
      const reviews = k.reviews(50, 'likes').map((one) => ({
        ...one,
        firm: k.pick(['Brightwater Ltd', 'Kestrel Systems', 'Nova Logistics']),
        advice: k.chance(0.6) ? (k.phrases('likes', 'wish', 1)[0] ?? '') : '',
        id: `empReview_${k.digits(8)}`,
      }));
      const part = (/** @type {number} */ stars) =>
        k.chance(0.15) ? '' : Math.max(1, Math.min(5, stars + k.int(-1, 1))).toFixed(1);
      const rows = reviews.map((one) => [
        one.id,
        one.firm,
        { B: 3.7, K: 4.1, N: 2.9 }[one.firm[0] ?? ''],
        one.title,
        `${month(one.when, MONTHS).slice(0, 3)} ${one.when.getUTCDate()}, ${one.when.getUTCFullYear()}`,
        k.pick([
          'Software Engineer',
          'Warehouse Operative',
          'Account Manager',
          'Anonymous Employee',
        ]),
        k.pick([
          'Current Employee, more than 3 years',
          'Former Employee',
          'Current Employee, less than 1 year',
        ]),
        k.pick(['Leeds, England', 'Remote', 'Cork', '']),
        one.stars.toFixed(1),
        ...[0, 1, 2, 3].map(() => part(one.stars)),
        k.pick(['v', 'r', 'x', 'o']),
        one.praise,
        one.complaint,
        one.advice,
        k.int(0, 12),
      ]);
      return {
        content: table([
          [
            'review_id',
            'firm',
            'firm_rating',
            'headline',
            'date_review',
            'job_title',
            'current',
            'location',
            'overall_rating',
            'work_life_balance',
            'culture_values',
            'career_opp',
            'comp_benefits',
            'ceo_approv',
            'pros',
            'cons',
            'advice_to_management',
            'helpful_count',
          ],
          ...rows,
        ]),
        fields: {
          text: {
            columns: ['headline', 'pros', 'cons', 'advice_to_management'],
            headings: ['pros', 'cons', 'advice_to_management', 'Advice to management'],
          },
          score: { columns: ['overall_rating'], scale: [1, 5] },
          published: { columns: ['date_review'] },
          sourceId: { columns: ['review_id'], kind: 'column' },
          sentiment: { derived: 'score', columns: ['overall_rating'] },
          subject: { columns: ['firm'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.praise, one.complaint, one.advice],
          rating: one.stars,
          published: day(one.when),
          sourceId: one.id,
          subject: one.firm,
        })),
      };
    },
  },
  {
    file: 'guest-reviews-translated.csv',
    about:
      "The original beside its translation into English, the language of the original, the host's answer, check-in beside the date of the review.",
    make(k) {
      const topics = ['fr', 'de', 'es', 'stay'];
      const reviews = topics.flatMap((topic) =>
        k.reviews(12, topic).map((one) => ({ ...one, topic })),
      );
      const ordered = k.some(reviews, reviews.length).map((one) => ({
        ...one,
        code: one.topic === 'stay' ? 'en' : one.topic,
        english: one.topic === 'stay' ? '' : k.translated(one.text, one.topic, 'stay'),
        home: k.pick(Object.keys(LISTINGS)),
      }));
      const rows = ordered.map((one) => [
        LISTINGS[one.home],
        one.home,
        `HM${k.letters(8)}`,
        date(k.later(one.when, -k.int(3, 20)), 'YYYY-MM-DD'),
        date(one.when, 'YYYY-MM-DD'),
        one.name,
        k.pick(['Lyon', 'Hamburg', 'Sevilla', 'Torino', '']),
        one.stars,
        k.int(3, 5),
        k.int(3, 5),
        one.code,
        one.text,
        one.english,
        k.chance(0.4)
          ? k.pick([
              'Thank you for staying with us, you are always welcome back.',
              'We are sorry about that and have spoken to the cleaners.',
              'Thanks! Safe travels.',
            ])
          : '',
      ]);
      return {
        content: table([
          [
            'listing_id',
            'listing_name',
            'confirmation_code',
            'check_in',
            'review_date',
            'guest_name',
            'guest_city',
            'overall',
            'cleanliness',
            'communication',
            'language',
            'public_review',
            'public_review_translated',
            'host_response',
          ],
          ...rows,
        ]),
        fields: {
          text: { columns: ['public_review'], note: 'not its translation as well' },
          score: { columns: ['overall'], scale: [1, 5] },
          published: { columns: ['review_date'] },
          author: { columns: ['guest_name'] },
          sourceId: {
            columns: ['confirmation_code'],
            kind: 'either',
            note: 'each stay has one code and one review',
          },
          sentiment: { derived: 'score', columns: ['overall'] },
          language: { columns: ['language'] },
          subject: { columns: ['listing_name'] },
        },
        records: ordered.map((one, at) => ({
          text: [one.text],
          rating: one.stars,
          published: day(one.when),
          author: one.name,
          sourceId: String(rows[at]?.[2]),
          language: one.code,
          subject: one.home,
        })),
      };
    },
  },
  {
    file: 'gaestebewertungen.csv',
    about:
      "An extranet's table in German: a title, positive, negative, the house's answer and its date; marks with a comma.",
    language: 'de',
    make(k) {
      const reviews = k.reviews(42, 'de').map((one) => ({
        ...one,
        mark: Math.min(10, one.stars * 2 - (k.chance(0.4) ? 1 : 0)),
        title: k.chance(0.8) ? one.title : '',
        plus: one.stars > 1 && k.chance(0.9) ? one.praise : '',
        minus: one.stars < 5 || k.chance(0.3) ? one.complaint : '',
        id: k.digits(10),
      }));
      const rows = reviews.map((one) => [
        date(one.when, 'DD.MM.YYYY HH:mm'),
        k.chance(0.9) ? one.name : 'Anonym',
        one.id,
        one.title,
        one.plus,
        one.minus,
        `${one.mark},0`,
        ...[0, 1, 2].map(() => `${k.int(5, 10)},0`),
        k.chance(0.4) ? `Liebe Gäste, vielen Dank für Ihre Bewertung. Ihr Team vom Seehof` : '',
        k.chance(0.4) ? date(k.later(one.when, 3), 'DD.MM.YYYY HH:mm') : '',
      ]);
      return {
        content: table(
          [
            [
              'Datum der Bewertung',
              'Name des Gasts',
              'Buchungsnummer',
              'Titel der Bewertung',
              'Positive Bewertung',
              'Negative Bewertung',
              'Bewertungsnote',
              'Hotelpersonal',
              'Sauberkeit',
              'Lage',
              'Antwort der Unterkunft',
              'Antwort vom',
            ],
            ...rows,
          ],
          { delimiter: ';', eol: '\r\n' },
        ),
        fields: {
          text: {
            columns: ['Titel der Bewertung', 'Positive Bewertung', 'Negative Bewertung'],
            headings: ['Positive Bewertung', 'Negative Bewertung'],
          },
          score: { columns: ['Bewertungsnote'], scale: [0, 10], orScale: [1, 10] },
          published: { columns: ['Datum der Bewertung'] },
          author: { columns: ['Name des Gasts'] },
          sourceId: { columns: ['Buchungsnummer'], kind: 'either', note: 'one review a booking' },
          sentiment: { derived: 'score', columns: ['Bewertungsnote'] },
        },
        records: reviews.map((one, at) => ({
          text: [one.title, one.plus, one.minus],
          rating: one.mark,
          published: minute(one.when),
          author: rows[at]?.[1] === 'Anonym' ? { oneOf: ['Anonym', null] } : one.name,
          sourceId: one.id,
        })),
      };
    },
  },
  {
    file: 'company-replies.jsonl',
    about:
      "A crawler of a review site: the company's answer, its average and number of reviews in every line, dates of experience and of the review.",
    language: 'en',
    make(k) {
      const reviews = k
        .reviews(48, 'goods', { weights: [5, 1, 1, 2, 8] })
        .map((one) => ({ ...one, id: k.hex(24), replied: k.chance(0.5) }));
      return {
        content: lines(
          reviews.map((one) => ({
            companyName: 'Parcel & Pine',
            companyDomain: 'parcelandpine.example',
            trustScore: 3.8,
            companyReviewsCount: 2214,
            reviewId: one.id,
            reviewUrl: `https://www.trustcircle.example/reviews/${one.id}`,
            userName: one.name,
            userReviewsCount: k.int(1, 30),
            userCountry: k.pick(['GB', 'US', 'IE', 'NL']),
            ratingValue: one.stars,
            reviewTitle: one.text.length > 60 ? `${one.text.slice(0, 40)}…` : one.title,
            reviewBody: one.text,
            experienceDate: date(k.later(one.when, -k.int(1, 20)), 'YYYY-MM-DD'),
            publishedDate: one.when.toISOString(),
            updatedDate: null,
            isVerified: k.chance(0.6),
            replyText: one.replied
              ? `Hi ${one.name}, we are glad you wrote to us. Our team in Leeds has looked into your order.`
              : null,
            replyDate: one.replied ? k.later(one.when, 1.4).toISOString() : null,
            likes: k.int(0, 5),
            scrapedAt: '2024-11-03T10:22:31.000Z',
          })),
        ),
        fields: {
          text: {
            columns: ['reviewTitle', 'reviewBody'],
            note: 'a title that is the beginning of the body is left out',
          },
          score: { columns: ['ratingValue'], scale: [1, 5] },
          published: { columns: ['publishedDate'] },
          author: { columns: ['userName'] },
          sourceId: { columns: ['reviewId'], kind: 'column' },
          url: { columns: ['reviewUrl'] },
          sentiment: { derived: 'score', columns: ['ratingValue'] },
          subject: { columns: ['companyName', 'companyDomain'] },
        },
        records: reviews.map((one) => ({
          text: [one.text.length > 60 ? '' : one.title, one.text],
          rating: one.stars,
          published: moment(one.when),
          author: one.name,
          sourceId: one.id,
          url: `https://www.trustcircle.example/reviews/${one.id}`,
          subject: 'Parcel & Pine',
        })),
      };
    },
  },
  {
    file: 'software_reviews_export.tsv',
    about:
      "A marketplace of programs: three questions as columns, half stars, the size of the author's company, dates month first.",
    language: 'en',
    make(k) {
      const ask = [
        'What do you like best about Ledgerly?',
        'What do you dislike about Ledgerly?',
        'What problems is Ledgerly solving and how is that benefiting you?',
      ];
      const reviews = k.reviews(40, 'app').map((one) => ({
        ...one,
        half: Math.min(5, one.stars - (k.chance(0.4) && one.stars > 1 ? 0.5 : 0)),
        benefit: k.chance(0.6) ? k.phrases('app', 'good', 1)[0] : '',
        dislike: k.chance(0.85) ? one.complaint : '',
      }));
      const rows = reviews.map((one) => [
        date(one.when, 'MM/DD/YYYY'),
        one.name,
        k.pick(['Bookkeeper', 'Founder', 'Head of Finance', '']),
        k.pick([
          'Small-Business (50 or fewer emp.)',
          'Mid-Market (51-1000 emp.)',
          'Enterprise (> 1000 emp.)',
        ]),
        k.pick(['Accounting', 'Retail', 'Non-Profit']),
        one.half,
        one.title,
        one.praise,
        one.dislike,
        one.benefit,
        k.pick(['Organic', 'Invite', 'Invite with incentive']),
        k.pick(['Validated', 'Not validated']),
        k.int(3, 10),
      ]);
      return {
        content: table(
          [
            [
              'Date Submitted',
              'Reviewer',
              'Job title',
              'Company Segment',
              'Industry',
              'Star Rating',
              'Title',
              ...ask,
              'Source',
              'Validation',
              'Ease of Use (1-10)',
            ],
            ...rows,
          ],
          { delimiter: '\t' },
        ),
        fields: {
          text: { columns: ['Title', ...ask], headings: ask },
          score: { columns: ['Star Rating'], scale: [1, 5] },
          published: { columns: ['Date Submitted'] },
          author: { columns: ['Reviewer'] },
          sentiment: { derived: 'score', columns: ['Star Rating'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.praise, one.dislike, one.benefit],
          rating: one.half,
          published: day(one.when),
          author: one.name,
        })),
      };
    },
  },
  {
    file: 'avaliacoes_restaurantes.csv',
    about:
      "Portuguese: title, comment, strong and weak points, the restaurant's answer; the visit's month beside the date, prices, coordinates.",
    language: 'pt',
    make(k) {
      const reviews = k.reviews(44, 'pt').map((one) => ({
        ...one,
        place: k.pick(['Tasca do Zé', 'O Moinho', 'Casa da Ribeira', 'Sabores do Minho']),
        plus: k.chance(0.5) ? one.praise : '',
        minus: k.chance(0.35) ? one.complaint : '',
        id: k.digits(6),
      }));
      const rows = reviews.map((one) => [
        one.place,
        `${k.int(12, 40)},${two(k.int(0, 99))} €`,
        '41.15',
        '-8.61',
        one.name,
        k.int(1, 60),
        `${one.stars} em 5`,
        `${two(k.later(one.when, -12).getUTCMonth() + 1)}/${k.later(one.when, -12).getUTCFullYear()}`,
        date(one.when, 'DD-MM-YYYY'),
        one.title,
        one.text,
        one.plus,
        one.minus,
        k.chance(0.3) ? 'Caro cliente, muito obrigado pelas suas palavras. A gerência' : '',
        `https://mesaposta.example/avaliacao/${one.id}`,
      ]);
      return {
        content: table(
          [
            [
              'Restaurante',
              'Preço médio',
              'Lat',
              'Long',
              'Utilizador',
              'Nº de avaliações do utilizador',
              'Classificação',
              'Data da visita',
              'Data da avaliação',
              'Título',
              'Comentário',
              'Pontos fortes',
              'Pontos fracos',
              'Resposta do estabelecimento',
              'Ligação',
            ],
            ...rows,
          ],
          { delimiter: ';', bom: true },
        ),
        fields: {
          text: {
            columns: ['Título', 'Comentário', 'Pontos fortes', 'Pontos fracos'],
            headings: ['Pontos fortes', 'Pontos fracos'],
          },
          score: { columns: ['Classificação'], scale: [1, 5] },
          published: { columns: ['Data da avaliação'] },
          author: { columns: ['Utilizador'] },
          url: { columns: ['Ligação'] },
          sourceId: { kind: 'either', columns: ['Ligação'] },
          sentiment: { derived: 'score', columns: ['Classificação'] },
          subject: { columns: ['Restaurante'] },
        },
        records: reviews.map((one, at) => ({
          text: [one.title, one.text, one.plus, one.minus],
          rating: one.stars,
          published: day(one.when),
          author: one.name,
          url: String(rows[at]?.[14]),
          sourceId: one.id,
          subject: one.place,
        })),
      };
    },
  },
];
