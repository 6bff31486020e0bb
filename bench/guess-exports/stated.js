// @ts-check
/** Exports that state what a review thinks, without a rating: words, booleans, a polarity. */
import { date, day, lines, moment, table } from './kit.js';

/** @type {import('./truth.js').Export[]} */
export const stated = [
  {
    file: 'page_recommendations.csv',
    about:
      "Recommendations of a page, positive or negative; no stars; the page's rating and counts of reactions.",
    language: 'en',
    make(k) {
      const reviews = k
        .reviews(48, 'stay', { weights: [3, 1, 0, 2, 7] })
        .map((one) => ({ ...one, id: `1029${k.digits(11)}`, silent: k.chance(0.08) }));
      const rows = reviews.map((one) => [
        'Harbour House Hotel',
        4.4,
        one.id,
        one.name,
        one.stars > 3 ? 'positive' : 'negative',
        one.silent ? '' : one.text,
        date(one.when, 'YYYY-MM-DDTHH:mm:ss+0000'),
        k.int(0, 20),
        k.int(0, 4),
        k.int(0, 2),
        `https://www.social.example/harbourhouse/posts/${one.id}`,
      ]);
      return {
        content: table([
          [
            'page_name',
            'overall_star_rating',
            'open_graph_story_id',
            'reviewer_name',
            'recommendation_type',
            'review_text',
            'created_time',
            'reactions',
            'comments',
            'shares',
            'permalink_url',
          ],
          ...rows,
        ]),
        fields: {
          text: { columns: ['review_text'] },
          score: { none: true, note: "overall_star_rating is the page's" },
          published: { columns: ['created_time'] },
          author: { columns: ['reviewer_name'] },
          sourceId: { columns: ['open_graph_story_id'], kind: 'column' },
          url: { columns: ['permalink_url'] },
          sentiment: { columns: ['recommendation_type'], values: { positive: 'B', negative: 'R' } },
          subject: { unscored: true, note: 'one page in all records' },
        },
        records: reviews.map((one, at) => ({
          text: [one.silent ? '' : one.text],
          published: moment(one.when),
          author: one.name,
          sourceId: one.id,
          url: String(rows[at]?.[10]),
          sentiment: one.stars > 3 ? 'B' : 'R',
        })),
      };
    },
  },
  {
    file: 'avis-praticiens.csv',
    about:
      'Opinions on doctors in French: "Je recommande" or not, a waiting time with words of its own, the date of the visit beside that of the opinion.',
    language: 'fr',
    make(k) {
      const reviews = k.reviews(40, 'frSoins', { weights: [3, 2, 0, 3, 6] }).map((one) => ({
        ...one,
        doctor: k.pick(['Dr Marchand', 'Dr Ben Salah', 'Dr Le Goff']),
        named: k.chance(0.85),
      }));
      const rows = reviews.map((one) => [
        one.doctor,
        one.doctor === 'Dr Marchand' ? 'Dermatologue' : 'Généraliste',
        one.doctor === 'Dr Le Goff' ? 'Lyon' : 'Villeurbanne',
        date(k.later(one.when, -k.int(2, 25)), 'DD/MM/YYYY'),
        date(one.when, 'DD/MM/YYYY'),
        one.named ? one.name : '',
        one.stars > 3 ? 'Je recommande' : 'Je ne recommande pas',
        k.pick(["à l'heure", '15 min', 'plus de 30 min']),
        one.text,
        k.int(0, 9),
      ]);
      return {
        content: table(
          [
            [
              'Praticien',
              'Spécialité',
              'Ville',
              'Date de la consultation',
              "Date de l'avis",
              'Patient',
              'Recommandation',
              'Attente',
              'Avis',
              'Utile',
            ],
            ...rows,
          ],
          { delimiter: ';', eol: '\r\n' },
        ),
        fields: {
          text: { columns: ['Avis'] },
          published: { columns: ["Date de l'avis"] },
          author: { columns: ['Patient'] },
          sentiment: {
            columns: ['Recommandation'],
            values: { 'Je recommande': 'B', 'Je ne recommande pas': 'R' },
          },
          subject: { columns: ['Praticien'] },
        },
        records: reviews.map((one) => ({
          text: [one.text],
          published: day(one.when),
          author: one.named ? one.name : undefined,
          sentiment: one.stars > 3 ? 'B' : 'R',
          subject: one.doctor,
        })),
      };
    },
  },
  {
    file: 'mentions_labelled.jsonl',
    about:
      'A labelled data set: polarity -1, 0, 1 with the annotator and the confidence, posts of several networks.',
    language: 'en',
    make(k) {
      const reviews = k.reviews(52, 'app').map((one) => ({ ...one, id: k.digits(19) }));
      const polarity = (/** @type {number} */ stars) => Math.sign(stars - 3);
      return {
        content: lines(
          reviews.map((one) => ({
            id: one.id,
            network: k.pick(['mastodon', 'reddit', 'bluesky']),
            lang: 'en',
            created_at: one.when.toISOString().replace('.000', ''),
            user: {
              screen_name: one.name.toLowerCase().replace(/[^a-z]+/gu, '_'),
              followers: k.int(0, 9000),
            },
            full_text: one.text,
            entities: { hashtags: [], urls: [] },
            favourites: k.int(0, 200),
            reposts: k.int(0, 40),
            polarity: polarity(one.stars),
            confidence: Number((0.6 + k.random() * 0.4).toFixed(2)),
            annotator: k.pick(['a1', 'a2', 'a3']),
            split: k.pick(['train', 'train', 'test']),
          })),
        ),
        fields: {
          text: { columns: ['full_text'] },
          score: {
            none: true,
            note: 'polarity is a sentiment; as a score it may be left out or be 1, 3, 5',
          },
          published: { columns: ['created_at'] },
          author: { columns: ['user.screen_name'] },
          sourceId: { columns: ['id'], kind: 'column' },
          sentiment: { columns: ['polarity'], values: { 1: 'B', 0: 'N', '-1': 'R' } },
          language: { columns: ['lang'] },
        },
        records: reviews.map((one) => ({
          text: [one.text],
          score: { oneOf: [null, 3 + 2 * polarity(one.stars)] },
          published: moment(one.when),
          author: one.name.toLowerCase().replace(/[^a-z]+/gu, '_'),
          sourceId: one.id,
          sentiment: ['R', 'N', 'B'][polarity(one.stars) + 1],
        })),
      };
    },
  },
  {
    file: 'recensioni_df.csv',
    about:
      'A data frame saved with its index: True and False for "positiva", the length of the text, stamps with a zone.',
    language: 'it',
    make(k) {
      const reviews = k.reviews(44, 'it', { weights: [3, 2, 0, 3, 6] }).map((one) => ({
        ...one,
        product: k.pick(['Sedia Luna', 'Lampada Arco', 'Tavolo Faggio']),
        dated: k.chance(0.94),
      }));
      const order = k.some(reviews, reviews.length);
      const rows = order.map((one) => [
        one.at,
        one.product,
        one.name,
        one.text,
        one.text.length,
        one.stars > 3 ? 'True' : 'False',
        (0.5 + k.random() / 2).toFixed(6),
        one.dated ? date(one.when, 'YYYY-MM-DD HH:mm:ss+00:00') : '',
        k.pick(['web', 'app']),
      ]);
      return {
        content: table([
          [
            '',
            'prodotto',
            'cliente',
            'recensione',
            'lunghezza',
            'positiva',
            'score_modello',
            'data',
            'canale',
          ],
          ...rows,
        ]),
        fields: {
          text: { columns: ['recensione'] },
          score: { none: true, note: 'score_modello is a probability' },
          published: { columns: ['data'] },
          author: { columns: ['cliente'] },
          sourceId: {
            kind: 'unique',
            columns: ['', '1'],
            note: 'the index of the frame, or a hash',
          },
          sentiment: { columns: ['positiva'], values: { True: 'B', False: 'R' } },
          subject: { columns: ['prodotto'] },
        },
        records: order.map((one) => ({
          text: [one.text],
          published: one.dated ? moment(one.when) : undefined,
          author: one.name,
          sourceId: String(one.at),
          sentiment: one.stars > 3 ? 'B' : 'R',
          subject: one.product,
        })),
      };
    },
  },
];
