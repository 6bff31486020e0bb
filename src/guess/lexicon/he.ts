import type { Lexicon } from './concepts.js';

export const HE: Lexicon = {
  review: 'ביקורת ביקורות חוות',
  text: 'טקסט תוכן תגובה',
  title: 'כותרת',
  rating: 'דירוג ציון כוכבים',
  language: 'שפה',
  url: 'קישור',
  likes: 'לייקים מועיל אהבו',
  date: 'תאריך שעה',
  written: 'פרסום נכתב פורסם',
  author: 'משתמש כותב לקוח אורח',
  name: 'שם כינוי',
  id: 'מזהה מספר',
  place: 'מוצר מלון מסעדה חנות',
  country: 'מדינה ארץ',
  region: 'מחוז',
  city: 'עיר',
  reply: 'תשובה',
};
