import { describe, expect, test } from 'vitest';
import { countBack, parseTimeSpan } from '../../../src/mapping/dates/relative.js';

const LANGUAGES = ['cs', 'de', 'en', 'es', 'fr', 'ko', 'nl', 'pt', 'pt-PT'];
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;

describe('a relative date', () => {
  test.each([
    ['vor einem Jahr', 'years', 1],
    ['Vor einer Woche', 'weeks', 1],
    ['vor etwa 3 Stunden', 'hours', 3],
    ['hace un año', 'years', 1],
    ['il y a une semaine', 'weeks', 1],
    ['a year ago', 'years', 1],
    ['2 hrs. ago', 'hours', 2],
    ['há um mês', 'months', 1],
    ['před měsícem', 'months', 1],
    ['een jaar geleden', 'years', 1],
    ['yesterday', 'days', 1],
    ['vorgestern', 'days', 2],
    ['aujourd’hui', 'days', 0],
    ['한 달 전', 'months', 1],
    ['2개월 전', 'months', 2],
    ['약 1년 전', 'years', 1],
    ['어제', 'days', 1],
    ['방금 전', 'seconds', 0],
    ['just now', 'seconds', 0],
    ['à l’instant', 'seconds', 0],
  ])('%j is %s, %i', (text, unit, count) => {
    expect(parseTimeSpan(text)).toEqual({ unit, count });
  });

  test.each([
    '',
    'in 2 weeks',
    'vor',
    '2 weeks',
    'ago',
    'vor 2',
    'hace mucho',
    'constructor',
    '3.6.2024',
  ])('%j is none', (text) => {
    expect(parseTimeSpan(text)).toBeUndefined();
  });

  test.each(LANGUAGES)('is read however Node.js writes it in %s', (language) => {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.RelativeTimeFormat(language, { style });
      for (const unit of UNITS) {
        for (const count of [1, 2, 3, 5, 11, 21]) {
          expect([format.format(-count, unit), parseTimeSpan(format.format(-count, unit))]).toEqual(
            [format.format(-count, unit), { unit: `${unit}s`, count }],
          );
        }
      }
    }
  });

  test('counts back by the calendar of the zone', () => {
    const asOf = Date.parse('2024-03-31T12:00:00Z');
    const back = (unit: 'months' | 'days', count: number, zone: string): string =>
      new Date(countBack(asOf, { unit, count }, zone) ?? Number.NaN).toISOString();
    expect(back('months', 1, 'UTC')).toBe('2024-02-29T12:00:00.000Z');
    expect(back('days', 1, 'Europe/Madrid')).toBe('2024-03-30T13:00:00.000Z');
  });
});
