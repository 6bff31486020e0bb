import { describe, expect, test } from 'vitest';
import { countBack, parseTimeSpan } from '../../../src/mapping/dates/relative.js';
import { SkippedTime } from '../../../src/mapping/dates/zones.js';

const LANGUAGES = [
  ...['bg', 'bn', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fil', 'fr', 'hi', 'hr'],
  ...['id', 'it', 'ja', 'ko', 'ms', 'nb', 'nl', 'pl', 'pt', 'pt-PT', 'ro', 'ru', 'sk', 'sv', 'th'],
  ...['tr', 'uk', 'ur', 'vi', 'zh', 'zh-TW'],
];
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;

describe('a relative date', () => {
  test.each([
    ['vor einem Jahr', 'years', 1],
    ['vor etwa 3 Stunden', 'hours', 3],
    ['il y a une semaine', 'weeks', 1],
    ['a year ago', 'years', 1],
    ['2 hrs. ago', 'hours', 2],
    ['před měsícem', 'months', 1],
    ['vorgestern', 'days', 2],
    ['aujourd’hui', 'days', 0],
    ['한 달 전', 'months', 1],
    ['방금 전', 'seconds', 0],
    ['à l’instant', 'seconds', 0],
    ['לפני שעה', 'hours', 1],
    ['2 minggu lalu', 'weeks', 2],
    ['قبل 3 أيام', 'days', 3],
    ['2 héttel ezelőtt', 'weeks', 2],
  ])('%j is %s, %i', (text, unit, count) => {
    expect(parseTimeSpan(text)).toEqual({ unit, count });
  });

  test.each([
    ['today, 08:52', 0, '08:52'],
    ['Yesterday at 7:05 PM', 1, '19:05'],
    ['hier à 8h30', 1, '08:30'],
    ['вчера в 10:20', 1, '10:20'],
    ['3 days ago 12:15 am', 3, '00:15'],
  ])('%j is %i days back at %s', (text, count, clock) => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number);
    expect(parseTimeSpan(text)).toEqual({ unit: 'days', count, minuteOfDay: 60 * hour + minute });
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
    ...['vor Jahren', 'days ago', 'hace años', 'il y a jours', 'منذ ساعات'],
    '2 hours ago, 10:20',
    'yesterday, 25:00',
    'قبل يومين',
    ...['NA', 'N/A', 'na', 'none', '-', 'no', 'MA', 'ME', 'OR', 'NU', 'most', 'ora', 'ara', 'net'],
  ])('%j is none', (text) => {
    expect(parseTimeSpan(text)).toBeUndefined();
  });

  test.each(LANGUAGES)('is read however Node.js writes it in %s', (language) => {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { style });
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
      new Date(countBack(asOf, { unit, count }, zone) as number).toISOString();
    const clock = { unit: 'days', count: 1, minuteOfDay: 500 } as const;
    expect(countBack(asOf, clock, 'Europe/Madrid')).toBe(Date.parse('2024-03-30T07:20:00Z'));
    const skipped = { unit: 'days', count: 1, minuteOfDay: 150 } as const;
    const after = Date.parse('2026-03-30T12:00:00Z');
    expect(countBack(after, skipped, 'Europe/Berlin')).toBeInstanceOf(SkippedTime);
    expect(back('months', 1, 'UTC')).toBe('2024-02-29T12:00:00.000Z');
    expect(back('days', 1, 'Europe/Madrid')).toBe('2024-03-30T13:00:00.000Z');
  });
});
