// @ts-check
/** JSON as interfaces, databases and crawlers give it: lists in elements, objects by id or name, wrapped answers, JSON in cells. */
import { date, day, lines, moment, month, seconds, table } from './kit.js';

/** @type {import('./truth.js').Export[]} */
export const nested = [
  {
    file: 'steam-appreviews.json',
    about:
      'The answer of a game shop: a thumb instead of stars, five languages, totals beside the list.',
    make(k) {
      const spoken = /** @type {const} */ ({
        game: ['english', 'en'],
        deSpiel: ['german', 'de'],
        frJeu: ['french', 'fr'],
        ruGame: ['russian', 'ru'],
        zhGame: ['schinese', 'zh'],
      });
      const topics = /** @type {(keyof typeof spoken)[]} */ (Object.keys(spoken));
      const reviews = topics.flatMap((topic) =>
        k
          .reviews(topic === 'game' ? 30 : 6, topic, { weights: [3, 1, 0, 2, 6] })
          .map((one) => ({ ...one, topic })),
      );
      const list = reviews.map((one) => ({
        recommendationid: k.digits(9),
        author: {
          steamid: `7656119${k.digits(10)}`,
          num_games_owned: k.int(0, 900),
          num_reviews: k.int(1, 80),
          playtime_forever: k.int(20, 90000),
          playtime_last_two_weeks: k.int(0, 900),
          playtime_at_review: k.int(20, 9000),
          last_played: seconds(k.later(one.when, 9)),
        },
        language: spoken[one.topic][0],
        review: one.text,
        timestamp_created: seconds(one.when),
        timestamp_updated: seconds(k.chance(0.8) ? one.when : k.later(one.when, k.int(1, 90))),
        voted_up: one.stars > 3,
        votes_up: k.int(0, 60),
        votes_funny: k.int(0, 9),
        weighted_vote_score: (0.4 + k.random() * 0.5).toFixed(16),
        comment_count: k.int(0, 4),
        steam_purchase: k.chance(0.8),
        received_for_free: k.chance(0.05),
        written_during_early_access: k.chance(0.2),
      }));
      return {
        content: JSON.stringify({
          success: 1,
          query_summary: {
            num_reviews: list.length,
            review_score: 8,
            review_score_desc: 'Very Positive',
            total_positive: 4120,
            total_negative: 611,
            total_reviews: 4731,
          },
          reviews: list,
          cursor: 'AoJ4tey90tECcbOXSw==',
        }),
        fields: {
          text: { columns: ['review'] },
          published: { columns: ['timestamp_created'] },
          sourceId: { columns: ['recommendationid'], kind: 'column' },
          sentiment: { columns: ['voted_up'], values: { true: 'B', false: 'R' } },
          language: { columns: ['language'] },
        },
        records: reviews.map((one, at) => ({
          text: [one.text],
          published: moment(one.when),
          sourceId: list[at]?.recommendationid,
          sentiment: one.stars > 3 ? 'B' : 'R',
          language: spoken[one.topic][1],
        })),
      };
    },
  },
  {
    file: 'shop-products.json',
    about: 'Products with their average, and in each the list of its reviews.',
    language: 'en',
    make(k) {
      const names = [
        'Ridgeline 40 Backpack',
        'Alder Trekking Poles',
        'Brook 1l Flask',
        'Fen Rain Jacket',
        'Cairn Head Torch',
        'Moss Sleeping Mat',
      ];
      const reviews = k.reviews(54, 'goods').map((one) => ({
        ...one,
        product: k.int(0, 5),
        id: k.digits(7),
        headline: k.chance(0.85) ? one.title : '',
      }));
      const products = names.map((title, product) => ({
        sku: `OUT-${k.digits(5)}`,
        title,
        url: `https://shop.fellgear.example/p/${title.toLowerCase().replaceAll(' ', '-')}`,
        price: { amount: k.int(19, 180), currency: 'GBP' },
        rating: { average: (3.4 + k.random()).toFixed(1), count: k.int(40, 900) },
        reviews: reviews
          .filter((one) => one.product === product)
          .map((one) => ({
            id: Number(one.id),
            reviewer: one.name,
            verified: k.chance(0.7),
            stars: one.stars,
            headline: one.headline || null,
            body: one.text,
            created_at: date(one.when, 'YYYY-MM-DD HH:mm:ss'),
            helpful: k.int(0, 20),
          })),
      }));
      const ordered = names.flatMap((_, product) =>
        reviews.filter((one) => one.product === product),
      );
      return {
        content: JSON.stringify(
          { shop: 'fellgear', exported_at: '2024-11-02T06:00:00Z', products },
          null,
          2,
        ),
        fields: {
          text: { columns: ['headline', 'body'] },
          score: { columns: ['stars'], scale: [1, 5] },
          published: { columns: ['created_at'] },
          author: { columns: ['reviewer'] },
          sourceId: { columns: ['id'], kind: 'column' },
          url: { none: true, note: "the address is the product's" },
          sentiment: { derived: 'score', columns: ['stars'] },
          subject: { columns: ['title'] },
        },
        records: ordered.map((one) => ({
          text: [one.headline, one.text],
          rating: one.stars,
          published: moment(one.when),
          author: one.name,
          sourceId: one.id,
          subject: names[one.product],
        })),
      };
    },
  },
  {
    file: 'places.jsonl',
    about:
      'One line a place, as a maps interface details it: its own rating, opening hours, five or more reviews in a list.',
    make(k) {
      const places = [
        'Pension Morgenrot',
        'The Salt Loft',
        'Casa Pepa',
        'Chez Odile',
        'Harbour Rooms',
        'Zur Alten Post',
        'Hostal Lúa',
        'Green Door Inn',
      ];
      const topics = ['de', 'stay', 'es', 'fr', 'stay', 'de', 'es', 'stay'];
      const made = places.map((name, at) => ({
        name,
        topic: topics[at] ?? 'stay',
        reviews: k.reviews(k.int(4, 6), topics[at] ?? 'stay'),
      }));
      const ids = made.map(() => `ChIJ${k.letters(23)}`);
      const authors = made.map(({ reviews }) => reviews.map(() => k.digits(21)));
      const content = lines(
        made.map(({ name, reviews, topic }, at) => ({
          place_id: ids[at],
          name,
          rating: Number((3.6 + k.random()).toFixed(1)),
          user_ratings_total: k.int(50, 2400),
          types: ['lodging', 'point_of_interest', 'establishment'],
          geometry: { location: { lat: 40 + k.random() * 10, lng: k.random() * 10 } },
          opening_hours: {
            open_now: k.chance(0.5),
            weekday_text: ['Monday: Closed', 'Tuesday: 9:00 AM – 6:00 PM'],
          },
          reviews: reviews.map((one, nth) => ({
            author_name: one.name,
            author_url: `https://www.google.com/maps/contrib/${authors[at]?.[nth]}/reviews`,
            language: topic === 'stay' ? 'en' : topic,
            profile_photo_url: `https://lh3.example/a/${k.letters(12)}=s128`,
            rating: one.stars,
            relative_time_description: k.pick([
              'a month ago',
              '2 months ago',
              'a year ago',
              '3 weeks ago',
            ]),
            text: one.text,
            time: seconds(one.when),
            translated: false,
          })),
        })),
      );
      return {
        content,
        fields: {
          text: { columns: ['text'] },
          score: { columns: ['rating'], scale: [1, 5], note: "the review's, not the place's" },
          published: { columns: ['time'] },
          author: { columns: ['author_name'] },
          url: { none: true, note: "author_url is the author's page" },
          sentiment: { derived: 'score', columns: ['rating'] },
          language: { columns: ['language'] },
          subject: { columns: ['name'] },
        },
        records: made.flatMap(({ name, topic, reviews }) =>
          reviews.map((one) => ({
            text: [one.text],
            rating: one.stars,
            published: moment(one.when),
            author: one.name,
            language: topic === 'stay' ? 'en' : topic,
            subject: name,
          })),
        ),
      };
    },
  },
  {
    file: 'feedback-by-key.json',
    about:
      'A real-time database saved whole: feedback keyed by push ids beside users and settings, times in milliseconds.',
    language: 'en',
    make(k) {
      const reviews = k.reviews(44, 'app').map((one) => ({
        ...one,
        key: `-N${k.letters(18)}`,
        uid: k.letters(28),
        silent: k.chance(0.06),
      }));
      const feedback = Object.fromEntries(
        reviews.map((one) => [
          one.key,
          {
            uid: one.uid,
            displayName: one.name,
            comment: one.silent ? '' : one.text,
            rate: one.stars,
            ts: one.when.getTime(),
            platform: k.pick(['ios', 'android', 'web']),
            appVersion: `4.${k.int(0, 9)}.${k.int(0, 3)}`,
            read: k.chance(0.5),
          },
        ]),
      );
      const users = Object.fromEntries(
        reviews.slice(0, 12).map((one) => [
          one.uid,
          {
            email: `user${k.digits(4)}@mail.example`,
            created: one.when.getTime() - 9e9,
            plan: k.pick(['free', 'pro']),
          },
        ]),
      );
      return {
        content: JSON.stringify({
          config: {
            minVersion: '4.0.0',
            banner: { text: 'We moved to a new server.', show: true },
          },
          users,
          feedback,
        }),
        fields: {
          text: { columns: ['comment'] },
          score: { columns: ['rate'], scale: [1, 5] },
          published: { columns: ['ts'] },
          author: { columns: ['displayName'] },
          sourceId: {
            columns: ['key'],
            kind: 'either',
            note: 'the key is the id; a hash is as good',
          },
          sentiment: { derived: 'score', columns: ['rate'] },
        },
        records: reviews.map((one) => ({
          text: [one.silent ? '' : one.text],
          rating: one.stars,
          published: moment(one.when),
          author: one.name,
          sourceId: one.key,
        })),
      };
    },
  },
  {
    file: 'hoteles.json',
    about:
      "A crawler's file: lists of reviews under the names of the hotels; ratings of 10 with a comma, Spanish months.",
    language: 'es',
    make(k) {
      const months =
        'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre';
      const hotels = [
        'Hotel Mirador del Puerto',
        'Hostal La Alameda',
        'Casa Rural El Nogal',
        'Apartamentos Sol y Sal',
        'Parador de Arcos',
      ];
      const made = hotels.map((name) => ({
        name,
        reviews: k.reviews(k.int(7, 11), 'es').map((one) => ({
          ...one,
          mark: Math.min(10, one.stars * 2 - (k.chance(0.4) ? 1 : 0) + (k.chance(0.2) ? 0.5 : 0)),
          title: k.chance(0.8) ? one.title : '',
        })),
      }));
      return {
        content: JSON.stringify(
          Object.fromEntries(
            made.map(({ name, reviews }) => [
              name,
              reviews.map((one) => ({
                autor: one.name,
                pais: k.pick(['España', 'México', 'Argentina', 'Francia']),
                puntuacion: one.mark.toFixed(1).replace('.', ','),
                titulo: one.title,
                comentario: one.text,
                fecha: `${one.when.getUTCDate()} de ${month(one.when, months)} de ${one.when.getUTCFullYear()}`,
                noches: `${k.int(1, 7)} noches`,
                tipo_viajero: k.pick(['Pareja', 'Familia', 'Grupo', 'Persona que viaja sola']),
                util: k.int(0, 5),
              })),
            ]),
          ),
          null,
          1,
        ),
        fields: {
          text: { columns: ['titulo', 'comentario'] },
          score: { columns: ['puntuacion'], scale: [0, 10], orScale: [1, 10] },
          published: { columns: ['fecha'] },
          author: { columns: ['autor'] },
          sentiment: { derived: 'score', columns: ['puntuacion'] },
          subject: { columns: ['key'] },
        },
        records: made.flatMap(({ name, reviews }) =>
          reviews.map((one) => ({
            text: [one.title, one.text],
            rating: one.mark,
            published: day(one.when),
            author: one.name,
            subject: name,
          })),
        ),
      };
    },
  },
  {
    file: 'customerreviews-page1.json',
    about:
      'The feed of an app store: every value under "label", the app itself beside the entries.',
    language: 'en',
    make(k) {
      const reviews = k.reviews(50, 'app').map((one) => ({ ...one, id: k.digits(11) }));
      const label = (/** @type {unknown} */ value) => ({ label: String(value) });
      const entry = reviews.map((one) => ({
        author: {
          uri: label(`https://itunes.apple.com/us/reviews/id${k.digits(9)}`),
          name: label(one.name),
          label: '',
        },
        updated: label(
          date(new Date(one.when.getTime() - 7 * 3_600_000), 'YYYY-MM-DDTHH:mm:ss-07:00'),
        ),
        'im:rating': label(one.stars),
        'im:version': label(`7.${k.int(0, 14)}.${k.int(0, 4)}`),
        id: label(one.id),
        title: label(one.title),
        content: { label: one.text, attributes: { type: 'text' } },
        link: {
          attributes: {
            rel: 'related',
            href: 'https://itunes.apple.com/us/review?id=1093108529&type=Purple%20Software',
          },
        },
        'im:voteSum': label(k.int(0, 4)),
        'im:contentType': { attributes: { term: 'Application', label: 'Application' } },
        'im:voteCount': label(k.int(0, 6)),
      }));
      return {
        content: JSON.stringify({
          feed: {
            author: { name: label('iTunes Store'), uri: label('http://www.apple.com/itunes/') },
            entry,
            updated: label('2024-10-21T03:11:08-07:00'),
            rights: label('Copyright 2008 Apple Inc.'),
            title: label('iTunes Store: Customer Reviews'),
            icon: label('http://itunes.apple.com/favicon.ico'),
            id: label('https://mzstoreservices.example/us/rss/customerreviews/id=1093108529/json'),
          },
        }),
        fields: {
          text: { columns: ['title.label', 'content.label'] },
          score: { columns: ['im:rating.label'], scale: [1, 5] },
          published: { columns: ['updated.label'] },
          author: { columns: ['author.name.label'] },
          sourceId: { columns: ['id.label'], kind: 'column' },
          url: { none: true, note: "link is the same everywhere; author.uri is the author's" },
          sentiment: { derived: 'score', columns: ['im:rating.label'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.text],
          rating: one.stars,
          published: moment(one.when),
          author: one.name,
          sourceId: one.id,
        })),
      };
    },
  },
  {
    file: 'graphql-answer.json',
    about:
      'Edges and nodes of a GraphQL answer; the rating an object with its maximum, answers of the maker inside.',
    language: 'en',
    make(k) {
      const reviews = k.reviews(36, 'goods').map((one) => ({
        ...one,
        id: `gid://store/Review/${k.digits(8)}`,
        named: k.chance(0.9),
        titled: k.chance(0.75),
      }));
      const edges = reviews.map((one) => ({
        cursor: k.letters(16),
        node: {
          __typename: 'Review',
          id: one.id,
          rating: { value: one.stars, max: 5 },
          author: one.named ? { displayName: one.name, isVerifiedBuyer: k.chance(0.7) } : null,
          title: one.titled ? one.title : null,
          body: one.text,
          publishedAt: one.when.toISOString(),
          helpfulness: { up: k.int(0, 15), down: k.int(0, 3) },
          images: [],
          response: k.chance(0.3)
            ? {
                body: `Thank you for writing, ${one.name}. Please send us your order number.`,
                respondedAt: k.later(one.when, 2.5).toISOString(),
              }
            : null,
        },
      }));
      return {
        content: JSON.stringify({
          data: {
            product: {
              __typename: 'Product',
              id: 'gid://store/Product/88',
              name: 'Heron Kettle 1.7l',
              averageRating: 4.2,
              reviews: {
                totalCount: 811,
                edges,
                pageInfo: { hasNextPage: true, endCursor: 'eyJsYXN0' },
              },
            },
          },
          extensions: { cost: { requestedQueryCost: 62 } },
        }),
        fields: {
          text: { columns: ['node.title', 'node.body'] },
          score: { columns: ['node.rating.value'], scale: [1, 5] },
          published: { columns: ['node.publishedAt'] },
          author: { columns: ['node.author.displayName'] },
          sourceId: { columns: ['node.id'], kind: 'column' },
          sentiment: { derived: 'score', columns: ['node.rating.value'] },
          subject: { unscored: true, note: 'the product stands once, outside the list' },
        },
        records: reviews.map((one) => ({
          text: [one.titled ? one.title : '', one.text],
          rating: one.stars,
          published: moment(one.when),
          author: one.named ? one.name : undefined,
          sourceId: one.id,
        })),
      };
    },
  },
  {
    file: 'webhook-log.csv',
    about: 'A table of a database: the review is JSON in the cell "payload".',
    language: 'en',
    make(k) {
      const reviews = k.reviews(40, 'stay').map((one) => ({
        ...one,
        review: k.digits(8),
        property: k.pick(['Seaview Lodge', 'Mill House', 'The Old Forge']),
      }));
      const rows = reviews.map((one, at) => [
        9000 - at,
        'review.created',
        date(k.later(one.when, 0.01), 'YYYY-MM-DD HH:mm:ss+00'),
        JSON.stringify({
          event: 'review.created',
          data: {
            id: one.review,
            property: { id: one.property.length, name: one.property },
            guest: { first_name: one.name, country: k.pick(['GB', 'IE', 'US']) },
            rating: one.stars,
            headline: one.title,
            comment: one.text,
            submitted_at: one.when.toISOString(),
          },
        }),
        k.int(1, 3),
        200,
      ]);
      return {
        content: table([
          ['id', 'topic', 'received_at', 'payload', 'attempts', 'status_code'],
          ...rows,
        ]),
        fields: {
          text: { columns: ['payload.data.headline', 'payload.data.comment', 'payload'] },
          score: { columns: ['payload.data.rating', 'payload'], scale: [1, 5] },
          published: { columns: ['payload.data.submitted_at', 'received_at', 'payload'] },
          author: { columns: ['payload.data.guest.first_name', 'payload'] },
          sourceId: {
            columns: ['payload.data.id', 'payload', 'id'],
            kind: 'unique',
            note: "the review's, the row's, or a hash",
          },
          sentiment: { derived: 'score', columns: ['payload'] },
          subject: { columns: ['payload.data.property.name', 'payload'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.text],
          rating: one.stars,
          published: { oneOf: [moment(one.when), moment(k.later(one.when, 0.01))] },
          author: one.name,
          sourceId: one.review,
          subject: one.property,
        })),
      };
    },
  },
  {
    file: 'pages.jsonl',
    about:
      'Answers of a paged interface, one a line: "data" with attributes and relationships, authors apart in "included".',
    language: 'fr',
    make(k) {
      const reviews = k
        .reviews(45, 'fr')
        .map((one) => ({ ...one, id: k.digits(6), user: k.digits(5) }));
      const pages = [0, 1, 2, 3, 4].map((page) => reviews.slice(page * 9, page * 9 + 9));
      return {
        content: lines(
          pages.map((page, at) => ({
            jsonapi: { version: '1.0' },
            meta: { page: at + 1, per_page: 9, total: 45, average_rating: 3.9 },
            data: page.map((one) => ({
              type: 'review',
              id: one.id,
              attributes: {
                title: one.title,
                content: one.text,
                score: one.stars,
                locale: 'fr_FR',
                status: 'published',
                created_at: one.when.toISOString(),
                updated_at: k.later(one.when, 1).toISOString(),
                votes: k.int(0, 9),
              },
              relationships: { user: { data: { type: 'user', id: one.user } } },
              links: { self: `https://api.avisnet.example/v2/reviews/${one.id}` },
            })),
            included: page.map((one) => ({
              type: 'user',
              id: one.user,
              attributes: { name: one.name, reviews_count: k.int(1, 40) },
            })),
            links: { next: `https://api.avisnet.example/v2/reviews?page=${at + 2}` },
          })),
        ),
        fields: {
          text: { columns: ['attributes.title', 'attributes.content'] },
          score: { columns: ['attributes.score'], scale: [1, 5] },
          published: { columns: ['attributes.created_at'] },
          author: { none: true, note: 'the names are in another list' },
          sourceId: { columns: ['id'], kind: 'column' },
          url: { unscored: true, note: "links.self is the interface's address of the review" },
          sentiment: { derived: 'score', columns: ['attributes.score'] },
          language: { columns: ['attributes.locale'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.text],
          rating: one.stars,
          published: moment(one.when),
          sourceId: one.id,
          language: 'fr',
        })),
      };
    },
  },
  {
    file: 'responses.mongo.jsonl',
    about:
      'A collection saved by mongoexport: $oid, $date and $numberInt; the words in a list of questions and answers.',
    language: 'en',
    make(k) {
      const questions = ['What did you like most?', 'What should we do better?'];
      const reviews = k.reviews(42, 'event').map((one) => ({
        ...one,
        id: k.hex(24),
        answers: [
          k.chance(0.9) ? one.praise : '',
          k.chance(0.7) ? (k.phrases('event', 'wish', 1)[0] ?? '') : '',
        ],
      }));
      return {
        content: lines(
          reviews.map((one) => ({
            _id: { $oid: one.id },
            survey: 'delegates-24',
            createdAt: { $date: one.when.toISOString() },
            stars: { $numberInt: String(one.stars) },
            ticket: k.pick(['early', 'regular', 'student']),
            answers: questions.map((question, at) => ({ q: question, a: one.answers[at] })),
            person: {
              name: one.name,
              company: k.pick(['Tidal Ltd', 'Nordwind', 'Uni Bergen', '']),
            },
            __v: { $numberInt: '0' },
          })),
        ),
        fields: {
          text: { columns: ['answers[0].a', 'answers[1].a', 'answers'], headings: questions },
          score: { columns: ['stars.$numberInt', 'stars'], scale: [1, 5] },
          published: { columns: ['createdAt.$date', 'createdAt'] },
          author: { columns: ['person.name'] },
          sourceId: { columns: ['_id.$oid', '_id'], kind: 'column' },
          sentiment: { derived: 'score', columns: ['stars.$numberInt', 'stars'] },
        },
        records: reviews.map((one) => ({
          text: one.answers,
          rating: one.stars,
          published: moment(one.when),
          author: one.name,
          sourceId: one.id,
        })),
      };
    },
  },
];
