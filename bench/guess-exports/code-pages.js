// @ts-check
/** Tables as programs on Windows save them: one byte or two for a letter, and no mark that says which. */
import iconv from 'iconv-lite';
import { date, day, minute, moment, month, table } from './kit.js';

const RUSSIAN_MONTHS =
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря';

/** @type {import('./truth.js').Export[]} */
export const codePages = [
  {
    file: 'opinie_cp1250.csv',
    about:
      'A Polish comparison of prices, windows-1250: "4,5/5", advantages and drawbacks as lists, days of buying and of the opinion.',
    language: 'pl',
    make(k) {
      const reviews = k.reviews(46, 'pl').map((one) => ({
        ...one,
        half: Math.min(5, one.stars - (k.chance(0.4) && one.stars > 1 ? 0.5 : 0)),
        product: k.pick(['Ekspres Łoś 300', 'Odkurzacz Żbik', 'Czajnik Świt']),
        pros: k.chance(0.4) ? k.phrases('pl', 'wish', k.int(1, 3)).join(', ') : '',
        cons: k.chance(0.3) ? k.phrases('pl', 'minus', k.int(1, 2)).join(', ') : '',
        id: k.digits(8),
      }));
      const rows = reviews.map((one) => [
        one.id,
        one.product,
        one.name,
        one.stars > 3 ? 'Polecam' : one.stars < 3 ? 'Nie polecam' : '',
        `${String(one.half).replace('.', ',')}/5`,
        one.text,
        one.pros,
        one.cons,
        date(one.when, 'DD.MM.YYYY HH:mm'),
        date(k.later(one.when, -k.int(5, 30)), 'DD.MM.YYYY HH:mm'),
        k.int(0, 30),
        k.int(0, 4),
      ]);
      return {
        content: iconv.encode(
          table(
            [
              [
                'Id opinii',
                'Produkt',
                'Autor',
                'Rekomendacja',
                'Liczba gwiazdek',
                'Treść opinii',
                'Zalety',
                'Wady',
                'Data wystawienia',
                'Data zakupu',
                'Przydatna',
                'Nieprzydatna',
              ],
              ...rows,
            ],
            { delimiter: ';', eol: '\r\n' },
          ),
          'windows-1250',
        ),
        fields: {
          text: { columns: ['Treść opinii', 'Zalety', 'Wady'], headings: ['Zalety', 'Wady'] },
          score: { columns: ['Liczba gwiazdek'], scale: [1, 5], orScale: [0, 5] },
          published: { columns: ['Data wystawienia'] },
          author: { columns: ['Autor'] },
          sourceId: { columns: ['Id opinii'], kind: 'column' },
          sentiment: { columns: ['Rekomendacja', 'Liczba gwiazdek'] },
          subject: { columns: ['Produkt'] },
        },
        records: reviews.map((one) => ({
          text: [one.text, one.pros, one.cons],
          rating: one.half,
          published: minute(one.when),
          author: one.name,
          sourceId: one.id,
          subject: one.product,
          sentiment: {
            oneOf: [
              one.stars > 3 ? 'B' : one.stars < 3 ? 'R' : null,
              one.half >= 4 ? 'B' : one.half >= 3 ? 'N' : 'R',
            ],
          },
        })),
      };
    },
  },
  {
    file: 'otzyvy_1251.csv',
    about:
      'A Russian site of opinions, windows-1251: merits, drawbacks and the opinion, dates in words, the city of the hotel.',
    language: 'ru',
    make(k) {
      const reviews = k.reviews(40, 'ru').map((one) => ({
        ...one,
        hotel: k.pick(['Гостиница «Маяк»', 'Отель «Аврора»', 'Пансионат «Сосны»']),
        pros: k.chance(0.9) ? k.phrases('ru', 'wish', k.int(1, 2)).join('. ') : '',
        cons: k.chance(0.8) ? k.phrases('ru', 'minus', k.int(1, 2)).join('. ') : '',
      }));
      const rows = reviews.map((one) => [
        one.hotel,
        ['Сочи', 'Анапа', 'Светлогорск'][one.hotel.length % 3],
        one.name,
        k.int(0, 300),
        `${one.when.getUTCDate()} ${month(one.when, RUSSIAN_MONTHS)} ${one.when.getUTCFullYear()}`,
        one.stars,
        one.pros,
        one.cons,
        one.text,
        k.pick([2021, 2022, 2023]),
        k.int(0, 20),
      ]);
      return {
        content: iconv.encode(
          table(
            [
              [
                'Объект',
                'Город',
                'Автор',
                'Репутация автора',
                'Дата',
                'Общая оценка',
                'Достоинства',
                'Недостатки',
                'Отзыв',
                'Год посещения',
                'Спасибо',
              ],
              ...rows,
            ],
            { delimiter: ';', eol: '\r\n' },
          ),
          'windows-1251',
        ),
        fields: {
          text: {
            columns: ['Достоинства', 'Недостатки', 'Отзыв'],
            headings: ['Достоинства', 'Недостатки'],
          },
          score: { columns: ['Общая оценка'], scale: [1, 5] },
          published: { columns: ['Дата'] },
          author: { columns: ['Автор'] },
          sentiment: { derived: 'score', columns: ['Общая оценка'] },
          subject: { columns: ['Объект'] },
        },
        records: reviews.map((one) => ({
          text: [one.pros, one.cons, one.text],
          rating: one.stars,
          published: day(one.when),
          author: one.name,
          subject: one.hotel,
        })),
      };
    },
  },
  {
    file: 'kuchikomi_sjis.csv',
    about:
      "Japanese, Shift_JIS: dates with 年月日, ages and months of the stay, partial ratings beside the one overall, the inn's answer.",
    language: 'ja',
    make(k) {
      const reviews = k.reviews(44, 'ja').map((one) => ({
        ...one,
        inn: k.pick(['湯の宿 松風', '海辺のホテル凪', '旅館 やまぶき']),
        titled: k.chance(0.9),
        rated: k.chance(0.93),
        id: k.digits(9),
      }));
      const part = (/** @type {number} */ stars) =>
        k.chance(0.1) ? '-' : Math.max(1, Math.min(5, stars + k.int(-1, 1)));
      const rows = reviews.map((one) => [
        one.id,
        one.inn,
        date(one.when, 'YYYY年M月D日'),
        one.name,
        k.pick(['男性', '女性', '']),
        k.pick(['20代', '30代', '40代', '50代']),
        one.rated ? one.stars : '-',
        part(one.stars),
        part(one.stars),
        part(one.stars),
        one.titled ? one.title : '',
        one.text,
        date(k.later(one.when, -15), 'YYYY年M月'),
        k.pick(['一人', '家族', 'カップル']),
        `${k.int(8, 30)},000円`,
        k.chance(0.4) ? 'この度はご宿泊いただき、誠にありがとうございました。' : '',
      ]);
      return {
        content: iconv.encode(
          table(
            [
              [
                '口コミ番号',
                '宿名',
                '投稿日',
                '投稿者',
                '性別',
                '年代',
                '総合評価',
                '部屋',
                '風呂',
                '食事',
                'タイトル',
                '本文',
                '宿泊年月',
                '同行者',
                '料金',
                '宿からの返信',
              ],
              ...rows,
            ],
            { eol: '\r\n', quoted: true },
          ),
          'Shift_JIS',
        ),
        fields: {
          text: { columns: ['タイトル', '本文'] },
          score: { columns: ['総合評価'], scale: [1, 5] },
          published: { columns: ['投稿日'] },
          author: { columns: ['投稿者'] },
          sourceId: { columns: ['口コミ番号'], kind: 'column' },
          sentiment: { derived: 'score', columns: ['総合評価'] },
          subject: { columns: ['宿名'] },
        },
        records: reviews.map((one) => ({
          text: [one.titled ? one.title : '', one.text],
          rating: one.rated ? one.stars : undefined,
          published: day(one.when),
          author: one.name === '匿名希望' ? { oneOf: ['匿名希望', null] } : one.name,
          sourceId: one.id,
          subject: one.inn,
        })),
      };
    },
  },
  {
    file: 'duanping_gb18030.csv',
    about:
      "Short comments on films in Chinese, GB18030: five words for the stars, some unrated, the film's average, counts of votes.",
    language: 'zh',
    make(k) {
      const words = ['很差', '较差', '还行', '推荐', '力荐'];
      const films = { 长夜灯火: 7.8, 南方列车: 8.4, 海边的猫: 6.9 };
      const reviews = k.reviews(50, 'zh').map((one) => ({
        ...one,
        film: k.pick(/** @type {(keyof typeof films)[]} */ (Object.keys(films))),
        rated: k.chance(0.92),
      }));
      const rows = reviews.map((one) => [
        one.film,
        films[one.film],
        one.name,
        one.rated ? words[one.stars - 1] : '',
        date(one.when, 'YYYY-MM-DD HH:mm:ss'),
        one.text,
        k.int(0, 900),
        k.pick(['北京', '上海', '四川', '广东']),
        '看过',
      ]);
      return {
        content: iconv.encode(
          table(
            [
              [
                '电影名',
                '豆瓣评分',
                '用户名',
                '评分',
                '评论时间',
                '短评内容',
                '有用数',
                'IP属地',
                '状态',
              ],
              ...rows,
            ],
            { eol: '\r\n' },
          ),
          'GB18030',
        ),
        fields: {
          text: { columns: ['短评内容'] },
          score: { columns: ['评分'], scale: [1, 5], note: "five words; not the film's average" },
          published: { columns: ['评论时间'] },
          author: { columns: ['用户名'] },
          sentiment: { derived: 'score', columns: ['评分'] },
          subject: { columns: ['电影名'] },
        },
        records: reviews.map((one) => ({
          text: [one.text],
          rating: one.rated ? one.stars : undefined,
          published: moment(one.when),
          author: one.name,
          subject: one.film,
        })),
      };
    },
  },
];
