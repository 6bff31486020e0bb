import fc from 'fast-check';
import { DateTime, Info } from 'luxon';
import { describe, expect, test } from 'vitest';
import { parseFormat } from '../../../src/mapping/dates/parse-format.js';
import { SkippedTime } from '../../../src/mapping/dates/zones.js';
import { runs } from '../../helpers/runs.js';

const FORMATS = [
  'dd/MM/yyyy HH:mm',
  'd.M.yyyy H:mm:ss',
  'yyyy-MM-dd HH:mm:ss.SSS',
  "yyyy-MM-dd'T'HH:mm",
  'MM/dd/yy hh:mm a',
  'd MMMM yyyy',
  'dd MMM yyyy, HH:mm',
  "d 'de' MMMM 'de' yyyy",
  'LLLL yyyy',
  'yyyyMMdd',
  'HH:mm dd-MM-yyyy',
  'EEEE, d MMMM yyyy',
  'yyyy-MM-dd HH:mm:ss ZZ',
  'dd/MM/yyyy HH:mm:ss ZZZ',
  "kkkk-'W'WW",
  'D',
  'yyyy-ooo',
];

const LOCALES = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt', 'pt-BR', 'en-GB', 'it', 'tr', 'ar-EG'];

const cases = fc.record({
  format: fc.constantFrom(...FORMATS),
  locale: fc.constantFrom(...LOCALES),
  instant: fc.integer({ min: Date.UTC(2004, 0), max: Date.UTC(2032, 0) }),
});

/** What a time of the clock is in other zones is held by local-time.test.ts. */
describe('a date that luxon reads', () => {
  test('is read as luxon reads it', () => {
    fc.assert(
      fc.property(cases, ({ format, locale, instant }) => {
        const text = DateTime.fromMillis(instant, { zone: 'utc', locale }).toFormat(format);
        const theirs = DateTime.fromFormat(text, format, { zone: 'utc', locale });
        const expected = theirs.isValid ? theirs.toMillis() : undefined;
        expect(parseFormat(format, 'UTC', locale)(text)).toBe(expected);
      }),
      { numRuns: runs(400) },
    );
  });

  test('is told from texts that are none', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(digits, fc.constantFrom('2024', '1900', '0000', '24'), (numbers, year) => {
        const [day, month, hour, minute] = numbers.map((number) => String(number).padStart(2, '0'));
        const text = `${day}/${month}/${year} ${hour}:${minute}`;
        const expected = DateTime.fromFormat(text, 'dd/MM/yyyy HH:mm', { zone: 'UTC' });
        const found = parseFormat('dd/MM/yyyy HH:mm', 'UTC', 'en')(text);
        expect(found).toBe(expected.isValid ? expected.toMillis() : undefined);
      }),
    );
  });
});

describe('a clock that changes', () => {
  const read = parseFormat('yyyy-MM-dd HH:mm', 'Europe/Madrid', 'es');
  const iso = (text: string): string => new Date(read(text) as number).toISOString();

  test('shows the first of two moments', () => {
    expect(iso('2024-10-27 02:30')).toBe('2024-10-27T00:30:00.000Z');
    expect(iso('2024-10-27 01:59')).toBe('2024-10-26T23:59:00.000Z');
    expect(iso('2024-10-27 03:00')).toBe('2024-10-27T02:00:00.000Z');
  });

  test('skips an hour, and a time in it is told with what was shown instead', () => {
    expect(iso('2024-03-31 01:59')).toBe('2024-03-31T00:59:00.000Z');
    expect(iso('2024-03-31 03:00')).toBe('2024-03-31T01:00:00.000Z');
    for (const text of ['2024-03-31 02:00', '2024-03-31 02:59']) {
      expect(read(text)).toEqual(
        new SkippedTime('Europe/Madrid', Date.UTC(2024, 2, 31, 2), Date.UTC(2024, 2, 31, 3)),
      );
    }
  });

  test('skips it also for formats that only luxon reads, unless the text has its own offset', () => {
    const named = parseFormat('EEEE d MMMM yyyy HH:mm', 'Europe/London', 'en');
    expect(named('Sunday 31 March 2024 01:30')).toBeInstanceOf(SkippedTime);
    expect(named('Sunday 31 March 2024 00:30')).toBe(Date.UTC(2024, 2, 31, 0, 30));
    // Twice, and the first is meant, whatever the season.
    expect(named('Sunday 27 October 2024 01:30')).toBe(Date.UTC(2024, 9, 27, 0, 30));
    const zoned = parseFormat('EEEE d MMMM yyyy HH:mm z', 'Europe/London', 'en');
    expect(zoned('Sunday 31 March 2024 01:30 UTC')).toBe(Date.UTC(2024, 2, 31, 1, 30));
  });

  test('that skips midnight begins the day when it shows it first', () => {
    const day = parseFormat('dd/MM/yyyy', 'America/Sao_Paulo', 'pt');
    const time = parseFormat('dd/MM/yyyy HH:mm', 'America/Sao_Paulo', 'pt');
    for (const found of [day('04/11/2018'), time('04/11/2018 00:00')]) {
      expect(found).toBe(Date.UTC(2018, 10, 4, 3));
    }
    expect(time('04/11/2018 00:30')).toBeInstanceOf(SkippedTime);
  });

  test('skips a whole day where a country crosses the date line', () => {
    for (const format of ['yyyy-MM-dd', 'yyyy-MM-dd HH:mm']) {
      const apia = parseFormat(format, 'Pacific/Apia', 'en');
      expect(apia('2011-12-30 12:00'.slice(0, format.length))).toBeInstanceOf(SkippedTime);
      expect(apia('2011-12-31 12:00'.slice(0, format.length))).toBe(
        Date.UTC(2011, 11, 30, format.length > 10 ? 22 : 10),
      );
    }
    const named = parseFormat('EEEE, d MMMM yyyy', 'Pacific/Apia', 'de');
    expect(named('Freitag, 30 Dezember 2011')).toBeInstanceOf(SkippedTime);
  });
});

describe('month names', () => {
  test.each([
    ['es', "MMMM 'de' yyyy", 'marzo de 2026', '2026-03-01'],
    ['es', 'd MMM yyyy', '3 sept. 2024', '2024-09-03'],
    ['pt-BR', "d 'de' MMMM 'de' yyyy", '1 de marco de 2025', '2025-03-01'],
    ['de', 'd. MMM yyyy', '3. Mrz 2024', '2024-03-03'],
    ['de', 'd. MMMM yyyy', '3. Jänner 2024', '2024-01-03'],
    ['cs', 'LLLL yyyy', 'leden 2024', '2024-01-01'],
    ['tr', 'd MMMM yyyy', '3 NİSAN 2024', '2024-04-03'],
    ['ja', 'yyyy年MMMMd日', '2024年2月5日', '2024-02-05'],
    ['fa', 'd MMMM yyyy', '5 فوریه 2024', '2024-02-05'],
    ['el', 'd MMMM yyyy', '3 Αύγουστος 2024', '2024-08-03'],
    ['th-u-ca-buddhist', 'd MMM yyyy', '29 ก.พ. 2567', '2024-02-29'],
    ['th-u-ca-buddhist', 'dd/MM/yyyy', '05/01/2567', '2024-01-05'],
  ])('in %s, %s reads %j', (locale, format, text, day) => {
    expect(parseFormat(format, 'UTC', locale)(text)).toBe(Date.parse(day));
  });

  test.each([...LOCALES.slice(0, 8), 'th', 'lo', 'tr', 'az', 'el', 'ja', 'fa'])(
    'as Node.js prints them in %s, with and without dots, are read',
    (locale) => {
      const read = parseFormat('d MMM yyyy', 'UTC', locale);
      for (const length of ['long', 'short'] as const) {
        for (const names of [
          Info.monthsFormat(length, { locale }),
          Info.months(length, { locale }),
        ]) {
          for (const [index, name] of names.entries()) {
            for (const written of [
              name,
              name.replaceAll('.', ''),
              name.toUpperCase(),
              name.toLocaleUpperCase(locale),
              `${name}.`.replace('..', '.'),
            ]) {
              expect(read(`5 ${written} 2024`)).toBe(Date.UTC(2024, index, 5));
            }
          }
        }
      }
    },
  );
});

test.each([
  ['hh:mm a, d/M/yyyy', 'en', '01:05 p.m., 3/6/2024', '2024-06-03T13:05:00Z'],
  ['h:mm a, d/M/yyyy', 'es', '1:05 p. m., 3/6/2024', '2024-06-03T13:05:00Z'],
  ['yyyy년 M월 d일 a h:mm', 'ko-KR', '2024년 3월 5일 오전 12:05', '2024-03-05T00:05:00Z'],
  ['d/M/yy', 'en', '3/6/24', '2024-06-03T00:00:00Z'],
  ['yyyy-MM-dd HH:mm', 'en', '2024-06-03 24:00', '2024-06-04T00:00:00Z'],
  ['yyyy-MM-dd HH:mm:ss.u', 'en', '2024-06-03 10:00:00.1239', '2024-06-03T10:00:00.123Z'],
])('%s in %s reads %j', (format, locale, text, expected) => {
  expect(parseFormat(format, 'UTC', locale)(text)).toBe(Date.parse(expected));
});
