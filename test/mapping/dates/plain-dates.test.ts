import { expect, it } from 'vitest';
import { compileDate } from '../../../src/mapping/dates/read-date.js';

const MAY = '2024-05-12T00:00:00.000Z';

function read(value: string, form: string, locale = 'en'): unknown {
  const read = compileDate([form], {
    zone: 'UTC',
    locale,
    subject: { text: 'published', columns: [] },
    asOf: () => Date.parse(MAY) + 3 * 86_400_000,
  });
  return read(value, {});
}

it.each([
  ['١٢/٠٥/٢٠٢٤', 'dd/MM/yyyy'],
  ['۲۰۲۴-۰۵-۱۲', 'iso'],
  ['১২ May ২০২৪', 'd MMMM yyyy'],
  ['۳ روز پیش', 'relative'],
  ['12  May \t 2024', 'd MMMM yyyy'],
  ['๑๒ พฤษภาคม ๒๕๖๗', 'd MMMM yyyy', 'th-u-ca-buddhist'],
  ['12 พฤษภาคม พ.ศ. 2567', 'd MMMM yyyy', 'th-u-ca-buddhist'],
])('%s is read as %s', (value, form, locale = 'en') => {
  expect(read(value, form, locale)).toBe(MAY);
});

it('names the calendar of a Thai year, and shows the date as it is', () => {
  expect(read('12 พฤษภาคม พ.ศ. 2567', 'd MMMM yyyy', 'th')).toMatchObject({
    problems: [
      {
        message: expect.stringMatching(
          /found "12 พฤษภาคม พ\.ศ\. 2567", expected a year up to 2200; .*th-u-ca-buddhist/,
        ),
      },
    ],
  });
});

it('takes no era before a year of two digits, which could be of any century', () => {
  expect(read('12/05/พ.ศ. 67', 'dd/MM/yy')).toMatchObject({ problems: [expect.anything()] });
});

it.each([
  ['۱۴۰۳/۰۱/۱۵', 'yyyy/MM/dd', 1403],
  ['١٤٤٥/٠٣/١٥', 'yyyy/MM/dd', 1445],
])('asks whether %s is of another calendar', (value, form, year) => {
  const message = `found "${value}", expected a date from 1990 to \\d{4}; if the year ${year} is in another calendar`;
  expect(read(value, form)).toMatchObject({
    problems: [{ kind: 'unreadable-date', message: expect.stringMatching(message) }],
  });
});

it('reads any year in ASCII digits', () => {
  expect(read('1403/01/15', 'yyyy/MM/dd')).toBe('1403-01-15T00:00:00.000Z');
});
