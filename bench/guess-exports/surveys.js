// @ts-check
/** Answers as survey tools save them: questions for headers, lines of codes, several open questions. */
import { clock, date, moment, table, two } from './kit.js';

/** @type {(k: import('./kit.js').Kit) => string} */
const address = (k) => `${k.int(20, 210)}.${k.int(0, 255)}.${k.int(0, 255)}.${k.int(1, 254)}`;
/** Likelihood to recommend of somebody who would give so many stars. */
/** @type {(k: import('./kit.js').Kit, stars: number) => number} */
const likelihood = (k, stars) =>
  [k.int(0, 3), k.int(2, 5), k.int(5, 7), k.int(7, 9), k.int(9, 10)][stars - 1] ?? 0;

/** @type {import('./truth.js').Export[]} */
export const surveys = [
  {
    file: 'qualtrics-delegates.csv',
    about:
      'Three header lines: codes, questions, import ids. Likelihood to recommend and its group, two open questions, some unfinished.',
    language: 'en',
    make(k) {
      const ask = {
        nps: 'How likely are you to recommend the Tidal Energy Forum to a colleague?',
        like: 'What was the most valuable part of the forum for you, and why?',
        better: "If you could change one thing about next year's forum, what would it be?",
        role: 'Which of these describes your role best? - Selected Choice',
      };
      const reviews = k
        .reviews(48, 'event', { from: '2024-09-12', to: '2024-09-30' })
        .map((one) => ({
          ...one,
          id: `R_${k.letters(15)}`,
          nps: likelihood(k, one.stars),
          like: k.chance(0.9) ? one.praise : '',
          better: k.chance(0.75) ? k.phrases('event', 'wish', k.int(1, 2)).join(' ') : '',
          done: k.chance(0.93),
        }));
      const codes = [
        'StartDate',
        'EndDate',
        'Status',
        'IPAddress',
        'Progress',
        'Duration (in seconds)',
        'Finished',
        'RecordedDate',
        'ResponseId',
        'RecipientLastName',
        'RecipientFirstName',
        'RecipientEmail',
        'ExternalReference',
        'LocationLatitude',
        'LocationLongitude',
        'DistributionChannel',
        'UserLanguage',
        'Q1_NPS_GROUP',
        'Q1',
        'Q2',
        'Q3',
        'Q4',
      ];
      const asked = [
        'Start Date',
        'End Date',
        'Response Type',
        'IP Address',
        'Progress',
        'Duration (in seconds)',
        'Finished',
        'Recorded Date',
        'Response ID',
        'Recipient Last Name',
        'Recipient First Name',
        'Recipient Email',
        'External Data Reference',
        'Location Latitude',
        'Location Longitude',
        'Distribution Channel',
        'User Language',
        `${ask.nps} - Group`,
        ask.nps,
        ask.like,
        ask.better,
        ask.role,
      ];
      const form = 'YYYY-MM-DD HH:mm:ss';
      const rows = reviews.map((one) => {
        const took = k.int(60, 900);
        const start = k.later(one.when, -took / 86_400);
        return [
          date(start, form),
          date(one.when, form),
          'IP Address',
          address(k),
          one.done ? 100 : 60,
          took,
          one.done ? 'True' : 'False',
          date(k.later(one.when, 0.00001), form),
          one.id,
          '',
          '',
          '',
          '',
          '59.9',
          '10.7',
          'anonymous',
          'EN',
          one.nps > 8 ? 'Promoter' : one.nps > 6 ? 'Passive' : 'Detractor',
          one.nps,
          one.like,
          one.done ? one.better : '',
          one.done ? k.pick(['Engineer', 'Researcher', 'Investor', 'Student']) : '',
        ];
      });
      return {
        content: table(
          [
            codes,
            asked,
            codes.map(
              (name) => `{"ImportId":"${name.startsWith('Q') ? `QID${name.slice(1, 2)}` : name}"}`,
            ),
            ...rows,
          ],
          { bom: true },
        ),
        fields: {
          text: { columns: ['Q2', 'Q3'], headings: [ask.like, ask.better] },
          score: { columns: ['Q1'], scale: [0, 10] },
          published: { columns: ['RecordedDate', 'EndDate'] },
          sourceId: { columns: ['ResponseId'], kind: 'column' },
          sentiment: { derived: 'nps', columns: ['Q1', 'Q1_NPS_GROUP'] },
          language: { columns: ['UserLanguage'] },
        },
        records: reviews.map((one) => ({
          text: [one.like, one.done ? one.better : ''],
          rating: one.nps,
          published: moment(one.when),
          sourceId: one.id,
        })),
      };
    },
  },
  {
    file: 'Encuesta huéspedes verano (respuestas).csv',
    about:
      'A form\'s sheet: Spanish questions as headers, a stamp with "a. m.", a house as choice, three open questions.',
    language: 'es',
    make(k) {
      const questions = [
        '¿Qué es lo que más te ha gustado de la estancia?',
        '¿Qué cambiarías o mejorarías?',
        '¿Quieres añadir algo más? (otras ideas, quejas, comentarios para el resto de usuarios...)',
      ];
      const rate = 'En una escala del 1 al 5, ¿cómo valorarías la estancia en general?';
      const reviews = k
        .reviews(38, 'es', { from: '2024-05-02', to: '2024-06-20' })
        .reverse()
        .map((one) => ({
          ...one,
          answers: [
            k.chance(0.92) ? one.praise : '',
            k.chance(0.7) ? (k.phrases('es', 'wish', 1)[0] ?? '') : 'Nada',
            k.chance(0.3) ? one.complaint : '',
          ],
        }));
      const rows = reviews.map((one) => [
        `${date(one.when, 'YYYY/MM/DD')} ${clock(one.when, ['a. m.', 'p. m.'], true)} EET`,
        k.pick(['Casa del Olivo, planta baja', 'La Era', 'El Pajar']),
        k.pick(['Por una amiga', 'En Internet', 'Pasaba por aquí']),
        one.answers[0],
        k.pick(['Sí', 'No', 'Más o menos']),
        one.stars,
        one.answers[1],
        one.answers[2],
        k.chance(0.4) ? 'Sí' : 'No',
      ]);
      return {
        content: table(
          [
            [
              'Marca temporal',
              '¿En qué casa te has alojado?',
              '¿Cómo nos conociste?',
              questions[0],
              '¿Te recibieron en persona a tu llegada?',
              rate,
              questions[1],
              questions[2],
              '¿Te gustaría recibir noticias por correo?',
            ],
            ...rows,
          ],
          { eol: '\r\n' },
        ),
        fields: {
          text: { columns: questions, headings: questions, optional: ['Nada'] },
          score: { columns: [rate], scale: [1, 5] },
          published: {
            columns: ['Marca temporal'],
            note: 'EET is two hours ahead of UTC; read with or without it',
          },
          sentiment: { derived: 'score', columns: [rate] },
          subject: { columns: ['¿En qué casa te has alojado?'] },
        },
        records: reviews.map((one, at) => ({
          text: withoutNothing(one.answers, 'Nada'),
          rating: one.stars,
          published: {
            oneOf: [
              moment(one.when),
              moment(k.later(one.when, -2 / 24)),
              moment(k.later(one.when, -3 / 24)),
            ],
          },
          subject: String(rows[at]?.[1]),
        })),
      };
    },
  },
  {
    file: 'results-survey482911.csv',
    about:
      'LimeSurvey in French: code and question in each header, semicolons, Likert in words, a mark out of 10, N/A.',
    language: 'fr',
    make(k) {
      const agree = [
        "Pas du tout d'accord",
        "Plutôt pas d'accord",
        "Ni d'accord ni pas d'accord",
        "Plutôt d'accord",
        "Tout à fait d'accord",
      ];
      const head = {
        mark: 'Q05. Quelle note globale donnez-vous à cette formation, de 0 (très mauvaise) à 10 (excellente) ?',
        best: 'Q06. Quels ont été, selon vous, les points forts de la formation ?',
        wish: 'Q07. Que faudrait-il améliorer en priorité ?',
      };
      const reviews = k
        .reviews(44, 'frCours', { from: '2024-01-08', to: '2024-03-28' })
        .reverse()
        .map((one, at) => ({
          ...one,
          id: 17 + at * 2 + k.int(0, 1),
          mark: one.stars * 2 - k.int(0, 1),
          best: k.chance(0.9) ? one.praise : '',
          wish: k.chance(0.75) ? k.phrases('frCours', 'wish', k.int(1, 2)).join(' ') : '',
          sent: k.chance(0.95),
        }));
      const rows = reviews.map((one) => [
        one.id,
        one.sent ? date(one.when, 'YYYY-MM-DD HH:mm:ss') : '',
        one.sent ? 4 : 2,
        'fr',
        k.digits(9),
        date(k.later(one.when, -0.01), 'YYYY-MM-DD HH:mm:ss'),
        date(one.when, 'YYYY-MM-DD HH:mm:ss'),
        ...[0, 1, 2].map(() =>
          k.chance(0.05) ? 'N/A' : agree[Math.max(0, Math.min(4, one.stars - 1 + k.int(-1, 1)))],
        ),
        k.pick(['Oui', 'Non']),
        one.mark,
        one.best,
        one.wish,
      ]);
      return {
        content: table(
          [
            [
              'id. ID de la réponse',
              'submitdate. Date de soumission',
              'lastpage. Dernière page',
              'startlanguage. Langue de départ',
              'seed. Tête de série',
              'startdate. Date de lancement',
              'datestamp. Date de la dernière action',
              "Q01[SQ001]. Êtes-vous d'accord avec ces affirmations ? [Le contenu correspondait au programme]",
              "Q01[SQ002]. Êtes-vous d'accord avec ces affirmations ? [Les supports de cours étaient clairs]",
              "Q01[SQ003]. Êtes-vous d'accord avec ces affirmations ? [Le rythme me convenait]",
              'Q04. Aviez-vous déjà suivi une formation avec cette personne ?',
              head.mark,
              head.best,
              head.wish,
            ],
            ...rows,
          ],
          { delimiter: ';', quoted: true, eol: '\r\n', bom: true },
        ),
        fields: {
          text: {
            columns: [head.best, head.wish],
            headings: [head.best, head.wish, head.best.slice(5), head.wish.slice(5)],
          },
          score: { columns: [head.mark], scale: [0, 10] },
          published: {
            columns: ['submitdate. Date de soumission', 'datestamp. Date de la dernière action'],
          },
          sourceId: {
            columns: ['id. ID de la réponse'],
            kind: 'either',
            note: 'a running number within the survey, with holes',
          },
          sentiment: { derived: 'score', columns: [head.mark] },
          language: { columns: ['startlanguage. Langue de départ'] },
        },
        records: reviews.map((one) => ({
          text: [one.best, one.wish],
          rating: one.mark,
          published: one.sent ? moment(one.when) : { oneOf: [moment(one.when), null] },
          sourceId: String(one.id),
        })),
      };
    },
  },
  {
    file: 'Gästebefragung 2024.csv',
    about:
      'SurveyMonkey in German: two header lines, satisfaction in words over two columns of choices, empty personal columns.',
    language: 'de',
    make(k) {
      const words = [
        'Sehr unzufrieden',
        'Eher unzufrieden',
        'Weder zufrieden noch unzufrieden',
        'Eher zufrieden',
        'Sehr zufrieden',
      ];
      const ask = {
        rate: 'Wie zufrieden waren Sie insgesamt mit Ihrem Aufenthalt?',
        why: 'Bitte begründen Sie Ihre Bewertung in ein paar Worten.',
        wish: 'Was können wir bei Ihrem nächsten Besuch besser machen?',
      };
      const reviews = k.reviews(40, 'de', { from: '2024-02-01', to: '2024-04-30' }).map((one) => ({
        ...one,
        id: `118${k.digits(9)}`,
        wish: k.chance(0.5) ? (k.phrases('de', 'wish', 1)[0] ?? '') : '',
        silent: k.chance(0.1),
      }));
      const us = (/** @type {Date} */ when) =>
        `${date(when, 'MM/DD/YYYY')} ${clock(when, ['AM', 'PM'], true)}`;
      const rows = reviews.map((one) => [
        one.id,
        '428113090',
        us(k.later(one.when, -0.004)),
        us(one.when),
        address(k),
        '',
        '',
        '',
        '',
        words[one.stars - 1],
        k.pick(['Ferienwohnung Seeblick', 'Berghütte', 'Haupthaus']),
        k.chance(0.1) ? 'Zeltplatz' : '',
        one.silent ? '' : one.text,
        one.wish,
        k.pick(['Ja', 'Nein']),
      ]);
      return {
        content: table([
          [
            'Respondent ID',
            'Collector ID',
            'Start Date',
            'End Date',
            'IP Address',
            'Email Address',
            'First Name',
            'Last Name',
            'Custom Data 1',
            ask.rate,
            'Welche Unterkunft hatten Sie gebucht?',
            '',
            ask.why,
            ask.wish,
            'Dürfen wir Sie anrufen?',
          ],
          [
            '',
            '',
            '',
            '',
            '',
            '',
            '',
            '',
            '',
            'Response',
            'Response',
            'Sonstiges (bitte angeben)',
            'Open-Ended Response',
            'Open-Ended Response',
            'Response',
          ],
          ...rows,
        ]),
        fields: {
          text: { columns: [ask.why, ask.wish], headings: [ask.why, ask.wish] },
          score: { columns: [ask.rate], scale: [1, 5], note: 'five words' },
          published: { columns: ['End Date', 'Start Date'] },
          sourceId: { columns: ['Respondent ID'], kind: 'column' },
          sentiment: { derived: 'score', columns: [ask.rate] },
          subject: { columns: ['Welche Unterkunft hatten Sie gebucht?'] },
        },
        records: reviews.map((one, at) => ({
          text: [one.silent ? '' : one.text, one.wish],
          rating: one.stars,
          published: moment(one.when),
          sourceId: one.id,
          subject: String(rows[at]?.[10]),
        })),
      };
    },
  },
  {
    file: 'responses-nps-inn.csv',
    about:
      'Typeform: a hash as the first column, questions with a variable left in, three open questions, start and submit dates.',
    language: 'en',
    make(k) {
      const ask = {
        nps: 'On a scale of 0–10, how likely are you to recommend *{{field:hotel}}* to your friends and family?',
        why: "What's the main reason for your score?",
        better: "What's one thing we could do better?",
        else: "Anything else you'd like our users, visitors or staff to know?",
      };
      const reviews = k
        .reviews(46, 'stay', { from: '2024-03-01', to: '2024-08-31' })
        .map((one) => ({
          ...one,
          id: k.hex(32),
          nps: likelihood(k, one.stars),
          better: k.chance(0.5) ? one.complaint : '',
          more: k.chance(0.2) ? one.praise : '',
          silent: k.chance(0.08),
        }));
      const form = 'YYYY-MM-DD HH:mm:ss';
      const rows = reviews.map((one) => [
        one.id,
        k.pick(['Front desk', 'Website', 'E-mail']),
        one.nps,
        one.silent ? '' : one.text,
        one.better,
        one.more,
        k.chance(0.5) ? 1 : 0,
        'completed',
        date(k.later(one.when, -0.002), form),
        '',
        date(one.when, form),
        k.hex(10),
        '',
      ]);
      return {
        content: table([
          [
            '#',
            'How did you hear about this survey?',
            ask.nps,
            ask.why,
            ask.better,
            ask.else,
            'May we contact you in person?',
            'Response Type',
            'Start Date (UTC)',
            'Stage Date (UTC)',
            'Submit Date (UTC)',
            'Network ID',
            'Tags',
          ],
          ...rows,
        ]),
        fields: {
          text: {
            columns: [ask.why, ask.better, ask.else],
            headings: [ask.why, ask.better, ask.else],
          },
          score: { columns: [ask.nps], scale: [0, 10] },
          published: { columns: ['Submit Date (UTC)', 'Start Date (UTC)'] },
          sourceId: { columns: ['#'], kind: 'column' },
          sentiment: { derived: 'nps', columns: [ask.nps] },
        },
        records: reviews.map((one) => ({
          text: [one.silent ? '' : one.text, one.better, one.more],
          rating: one.nps,
          published: moment(one.when),
          sourceId: one.id,
        })),
      };
    },
  },
  {
    file: 'Workshop feedback(1-45).csv',
    about:
      'A form of an office suite: several statements from strongly disagree to strongly agree, one overall in words, four open questions.',
    language: 'en',
    make(k) {
      const agree = ['Strongly disagree', 'Disagree', 'Neutral', 'Agree', 'Strongly agree'];
      const content = [
        'Very dissatisfied',
        'Somewhat dissatisfied',
        'Neither satisfied nor dissatisfied',
        'Somewhat satisfied',
        'Very satisfied',
      ];
      const overall = 'Overall, how satisfied are you with the workshop?';
      const open = [
        'What worked well for you?',
        'What did not work well?',
        'Which topics or lecture notes should we add?',
        'Any other comments',
      ];
      const reviews = k
        .reviews(45, 'event', { from: '2024-05-03', to: '2024-05-29' })
        .reverse()
        .map((one) => ({
          ...one,
          answers: [
            k.chance(0.9) ? one.praise : 'n/a',
            k.chance(0.7) ? one.complaint : '',
            k.chance(0.6) ? (k.phrases('event', 'wish', 1)[0] ?? '') : '',
            k.chance(0.2) ? one.text : '',
          ],
          named: k.chance(0.6),
        }));
      const us = (/** @type {Date} */ when) =>
        `${date(when, 'M/D/')}${two(when.getUTCFullYear() % 100)} ${date(when, 'H:mm:ss')}`;
      const rows = reviews.map((one, at) => [
        at + 1,
        us(k.later(one.when, -0.005)),
        us(one.when),
        'anonymous',
        '',
        ...[0, 1, 2].map(() => agree[Math.max(0, Math.min(4, one.stars - 1 + k.int(-1, 1)))]),
        content[one.stars - 1],
        ...one.answers,
        one.named ? one.name : '',
      ]);
      return {
        content: table([
          [
            'ID',
            'Start time',
            'Completion time',
            'Email',
            'Name',
            'The workshop met my expectations',
            "The trainer kept the group's attention in person and online",
            'The room and its equipment were suitable',
            overall,
            ...open,
            'Your name (optional)',
          ],
          ...rows,
        ]),
        fields: {
          text: { columns: open, headings: open },
          score: { columns: [overall], scale: [1, 5] },
          published: { columns: ['Completion time', 'Start time'] },
          author: { columns: ['Your name (optional)'] },
          sourceId: { columns: ['ID'], kind: 'either', note: 'a running number within the form' },
          sentiment: { derived: 'score', columns: [overall] },
        },
        records: reviews.map((one, at) => ({
          text: withoutNothing(one.answers, 'n/a'),
          rating: one.stars,
          published: moment(one.when),
          author: one.named ? one.name : undefined,
          sourceId: String(at + 1),
        })),
      };
    },
  },
];

/** @type {(answers: string[], nothing: string) => string[]} */
const withoutNothing = (answers, nothing) =>
  answers.map((answer) => (answer === nothing ? '' : answer));
