import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { cursorAt } from '../../src/api/feed.js';
import { OptionError } from '../../src/model/errors.js';

describe('cursorAt', () => {
  it.each([
    ['a DateTime', DateTime.fromISO('2024-05-31T18:30:05.999', { zone: 'Europe/Madrid' })],
    ['a Date', new Date('2024-05-31T16:30:05.999Z')],
    ['ISO 8601 text', '2024-05-31T18:30:05+02:00'],
    ['text in UTC', '2024-05-31 16:30:05'],
  ])('writes %s in GMT, to the second', (_, moment) => {
    expect(cursorAt(moment)).toBe('20240531163005.0');
  });

  it('takes a date alone for its beginning', () => {
    expect(cursorAt('2024-05-31')).toBe('20240531000000.0');
  });

  it('refuses what is no moment', () => {
    expect(() => cursorAt('soon')).toThrow(OptionError);
    expect(() => cursorAt(DateTime.fromISO('soon'))).toThrow(OptionError);
  });
});
