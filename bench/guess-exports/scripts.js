// @ts-check
/** Sites that don't write in Latin letters: names of columns, dates and ratings in Korean, Greek, Arabic, Hebrew, Hindi and Thai. */
import { clock, date, day, minute, moment, month, seconds, table } from './kit.js';

const ARABIC_MONTHS = 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر';
const THAI_MONTHS = 'ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.';
const GREEK_MONTHS =
  'Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου';
const HINDI_MONTHS = 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर';
/** @type {(text: string | number) => string} */
const arabicDigits = (text) =>
  String(text).replace(/\d/gu, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? digit);

/** @type {import('./truth.js').Export[]} */
export const scripts = [
  {
    file: '상품평.csv',
    about:
      "A Korean shop: stars as signs, dates with dots, afternoon in Korean, the option bought, the seller's answer.",
    language: 'ko',
    make(k) {
      const reviews = k.reviews(50, 'ko').map((one) => ({
        ...one,
        id: k.digits(8),
        goods: k.pick(['무선 청소기 S2', '접이식 책상', '극세사 이불']),
      }));
      const rows = reviews.map((one, at) => [
        50 - at,
        one.id,
        one.goods,
        k.pick(['화이트 / 1개', '그레이 / 1개', '블랙 / 2개', '']),
        `${one.name.slice(0, 2)}***`,
        '★'.repeat(one.stars) + '☆'.repeat(5 - one.stars),
        `${date(one.when, 'YYYY. M. D.')} ${one.when.getUTCHours() < 12 ? '오전' : '오후'} ${clock(one.when, ['', '']).trim()}`,
        one.text,
        k.int(0, 30),
        k.pick(['Y', 'N']),
        k.chance(0.3) ? '고객님, 소중한 후기 감사합니다.' : '',
      ]);
      return {
        content: table(
          [
            [
              '번호',
              '리뷰번호',
              '상품명',
              '옵션',
              '작성자',
              '별점',
              '작성일시',
              '내용',
              '도움돼요',
              '포토여부',
              '판매자 답글',
            ],
            ...rows,
          ],
          { bom: true, eol: '\r\n' },
        ),
        fields: {
          text: { columns: ['내용'] },
          score: { columns: ['별점'], scale: [1, 5] },
          published: { columns: ['작성일시'] },
          author: { columns: ['작성자'] },
          sourceId: { columns: ['리뷰번호'], kind: 'column' },
          sentiment: { derived: 'score', columns: ['별점'] },
          subject: { columns: ['상품명'] },
        },
        records: reviews.map((one) => ({
          text: [one.text],
          rating: one.stars,
          published: minute(one.when),
          author: `${one.name.slice(0, 2)}***`,
          sourceId: one.id,
          subject: one.goods,
        })),
      };
    },
  },
  {
    file: 'tavernes.tsv',
    about:
      'Greek: month names in the genitive, marks of 10 with a comma, the town and the taverna, the month of the visit.',
    language: 'el',
    make(k) {
      const reviews = k.reviews(42, 'el').map((one) => ({
        ...one,
        mark: Math.min(10, one.stars * 2 - (k.chance(0.5) ? 1.5 : 0)),
        place: k.pick(['Το Κύμα', 'Ταβέρνα ο Μήτσος', 'Αυλή', 'Ψαροταβέρνα Γοργόνα']),
        title: k.chance(0.85) ? one.title : '',
      }));
      const rows = reviews.map((one) => [
        one.place,
        ['Ναύπλιο', 'Χανιά', 'Βόλος'][one.place.length % 3],
        one.name,
        one.mark.toFixed(1).replace('.', ','),
        one.title,
        one.text,
        `${one.when.getUTCDate()} ${month(one.when, GREEK_MONTHS)} ${one.when.getUTCFullYear()}`,
        k.pick(['Ιούλιος 2023', 'Αύγουστος 2023', 'Μάιος 2022']),
        k.pick(['ζευγάρι', 'οικογένεια', 'φίλοι']),
        k.int(0, 14),
      ]);
      return {
        content: table(
          [
            [
              'Κατάστημα',
              'Πόλη',
              'Χρήστης',
              'Βαθμολογία',
              'Τίτλος κριτικής',
              'Κριτική',
              'Ημερομηνία κριτικής',
              'Ημερομηνία επίσκεψης',
              'Τύπος επίσκεψης',
              'Χρήσιμη',
            ],
            ...rows,
          ],
          { delimiter: '\t' },
        ),
        fields: {
          text: { columns: ['Τίτλος κριτικής', 'Κριτική'] },
          score: { columns: ['Βαθμολογία'], scale: [0, 10], orScale: [1, 10] },
          published: { columns: ['Ημερομηνία κριτικής'] },
          author: { columns: ['Χρήστης'] },
          sentiment: { derived: 'score', columns: ['Βαθμολογία'] },
          subject: { columns: ['Κατάστημα'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.text],
          rating: one.mark,
          published: day(one.when),
          author: one.name,
          subject: one.place,
        })),
      };
    },
  },
  {
    file: 'تقييمات الفنادق.csv',
    about:
      "Arabic: ratings in five words, dates with Arabic month names and digits, semicolons, the hotel's own rating.",
    language: 'ar',
    make(k) {
      const words = ['سيئ جدا', 'سيئ', 'مقبول', 'جيد جدا', 'ممتاز'];
      const hotels = { 'فندق النخيل': '٨٫٢', 'منتجع الشاطئ': '٧٫٤', 'برج الضيافة': '٩٫٠' };
      const reviews = k.reviews(40, 'ar').map((one) => ({
        ...one,
        hotel: k.pick(/** @type {(keyof typeof hotels)[]} */ (Object.keys(hotels))),
        named: k.chance(0.92),
      }));
      const rows = reviews.map((one, at) => [
        arabicDigits(at + 1),
        one.hotel,
        hotels[one.hotel],
        one.named ? one.name : '',
        k.pick(['السعودية', 'الكويت', 'مصر', 'الإمارات']),
        words[one.stars - 1],
        one.title,
        one.text,
        arabicDigits(
          `${one.when.getUTCDate()} ${month(one.when, ARABIC_MONTHS)} ${one.when.getUTCFullYear()}`,
        ),
        k.pick(['عائلة', 'زوجان', 'رحلة عمل']),
        k.chance(0.3) ? 'عزيزي الضيف، شكرا على تقييمك ونتطلع لزيارتك القادمة.' : '',
      ]);
      return {
        content: table(
          [
            [
              'م',
              'اسم الفندق',
              'تقييم الفندق',
              'اسم الضيف',
              'البلد',
              'التقييم',
              'عنوان المراجعة',
              'نص المراجعة',
              'تاريخ المراجعة',
              'نوع الرحلة',
              'رد الفندق',
            ],
            ...rows,
          ],
          { delimiter: ';', bom: true },
        ),
        fields: {
          text: { columns: ['عنوان المراجعة', 'نص المراجعة'] },
          score: {
            columns: ['التقييم'],
            scale: [1, 5],
            note: "five words; not the hotel's own rating",
          },
          published: { columns: ['تاريخ المراجعة'] },
          author: { columns: ['اسم الضيف'] },
          sentiment: { derived: 'score', columns: ['التقييم'] },
          subject: { columns: ['اسم الفندق'] },
        },
        records: reviews.map((one) => ({
          text: [one.title, one.text],
          rating: one.stars,
          published: day(one.when),
          author: one.named ? one.name : undefined,
          subject: one.hotel,
        })),
      };
    },
  },
  {
    file: 'chavot-daat.csv',
    about:
      "Hebrew: day first with dots and two figures of the year, marks of 5 in a sentence, the restaurant's answer.",
    language: 'he',
    make(k) {
      const reviews = k.reviews(38, 'he').map((one) => ({
        ...one,
        place: k.pick(['הגינה', 'מסעדת הנמל', 'קפה יפו']),
        id: k.digits(6),
        title: k.chance(0.8) ? one.title : '',
      }));
      const rows = reviews.map((one) => [
        one.id,
        one.place,
        one.name,
        `${one.stars} מתוך 5`,
        date(one.when, 'DD.MM.YYYY').replace(/\.20(\d\d)$/u, '.$1'),
        one.title,
        one.text,
        k.pick(['כן', 'לא']),
        k.int(1, 50),
        k.chance(0.3) ? 'תודה רבה על הביקורת, נשמח לראותכם שוב' : '',
        `https://taim.example/rest/${one.place.length}#review-${one.id}`,
      ]);
      return {
        content: table(
          [
            [
              'מספר ביקורת',
              'שם המסעדה',
              'שם הכותב',
              'דירוג',
              'תאריך',
              'כותרת',
              'תוכן הביקורת',
              'הזמין משלוח',
              'מספר ביקורות של הכותב',
              'תגובת המסעדה',
              'קישור',
            ],
            ...rows,
          ],
          { quoted: true },
        ),
        fields: {
          text: { columns: ['כותרת', 'תוכן הביקורת'] },
          score: { columns: ['דירוג'], scale: [1, 5] },
          published: { columns: ['תאריך'] },
          author: { columns: ['שם הכותב'] },
          sourceId: { columns: ['מספר ביקורת'], kind: 'column' },
          url: { columns: ['קישור'] },
          sentiment: { derived: 'score', columns: ['דירוג'] },
          subject: { columns: ['שם המסעדה'] },
        },
        records: reviews.map((one, at) => ({
          text: [one.title, one.text],
          rating: one.stars,
          published: day(one.when),
          author: one.name,
          sourceId: one.id,
          url: String(rows[at]?.[10]),
          subject: one.place,
        })),
      };
    },
  },
  {
    file: 'samiksha.json',
    about:
      'Hindi keys in a list of a JSON document; dates with Hindi month names, "5 में से 4", verified buyers, helpful votes in a sentence.',
    language: 'hi',
    make(k) {
      const reviews = k.reviews(36, 'hi').map((one) => ({ ...one, titled: k.chance(0.85) }));
      return {
        content: JSON.stringify(
          {
            उत्पाद: { नाम: 'तारा 5जी फोन', मूल्य: '₹12,999', औसत: 3.9 },
            कुल: 412,
            समीक्षाएँ: reviews.map((one) => ({
              ग्राहक: one.name,
              रेटिंग: `5 में से ${one.stars} स्टार`,
              शीर्षक: one.titled ? one.title : '',
              समीक्षा: one.text,
              दिनांक: `${one.when.getUTCDate()} ${month(one.when, HINDI_MONTHS)} ${one.when.getUTCFullYear()}`,
              शहर: k.pick(['दिल्ली', 'जयपुर', 'पटना', 'इंदौर']),
              'सत्यापित खरीद': k.chance(0.8) ? 'हाँ' : 'नहीं',
              रंग: k.pick(['काला', 'नीला']),
              उपयोगी: `${k.int(2, 40)} लोगों को यह उपयोगी लगा`,
            })),
          },
          null,
          2,
        ),
        fields: {
          text: { columns: ['शीर्षक', 'समीक्षा'] },
          score: { columns: ['रेटिंग'], scale: [1, 5] },
          published: { columns: ['दिनांक'] },
          author: { columns: ['ग्राहक'] },
          sentiment: { derived: 'score', columns: ['रेटिंग'] },
          subject: { unscored: true, note: 'the product stands once, outside the list' },
        },
        records: reviews.map((one) => ({
          text: [one.titled ? one.title : '', one.text],
          rating: one.stars,
          published: day(one.when),
          author: one.name,
        })),
      };
    },
  },
  {
    file: 'search-answer-th.json',
    about:
      "Thai: hits of a search engine with _source; years of the Buddhist calendar, the shop's average and price range in every hit.",
    language: 'th',
    make(k) {
      const shops = { ครัวคุณยาย: 4.3, ก๋วยเตี๋ยวเรือป้าแดง: 3.9, บ้านสวนคาเฟ่: 4.6 };
      const reviews = k.reviews(40, 'th').map((one) => ({
        ...one,
        id: k.letters(20),
        shop: k.pick(/** @type {(keyof typeof shops)[]} */ (Object.keys(shops))),
      }));
      const hits = reviews.map((one) => ({
        _index: 'reviews-2024',
        _id: one.id,
        _score: null,
        _source: {
          ชื่อร้าน: one.shop,
          คะแนนเฉลี่ย: shops[one.shop],
          ผู้รีวิว: one.name,
          คะแนน: one.stars,
          รีวิว: one.text,
          วันที่รีวิว: `${one.when.getUTCDate()} ${month(one.when, THAI_MONTHS)} ${one.when.getUTCFullYear() + 543}`,
          จำนวนถูกใจ: k.int(0, 25),
          จังหวัด: k.pick(['กรุงเทพมหานคร', 'เชียงใหม่', 'ขอนแก่น']),
          ช่วงราคา: '฿฿',
          รูปภาพ: k.int(0, 6),
        },
        sort: [seconds(one.when)],
      }));
      return {
        content: JSON.stringify({
          took: 12,
          timed_out: false,
          _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
          hits: { total: { value: 1893, relation: 'eq' }, max_score: null, hits },
        }),
        fields: {
          text: { columns: ['_source.รีวิว'] },
          score: { columns: ['_source.คะแนน'], scale: [1, 5], note: 'not the average' },
          published: { columns: ['_source.วันที่รีวิว'] },
          author: { columns: ['_source.ผู้รีวิว'] },
          sourceId: { columns: ['_id'], kind: 'column' },
          sentiment: { derived: 'score', columns: ['_source.คะแนน'] },
          subject: { columns: ['_source.ชื่อร้าน'] },
        },
        records: reviews.map((one) => ({
          text: [one.text],
          rating: one.stars,
          published: { oneOf: [day(one.when), moment(one.when)] },
          author: one.name,
          sourceId: one.id,
          subject: one.shop,
        })),
      };
    },
  },
];
