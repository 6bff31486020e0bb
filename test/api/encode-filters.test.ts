import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { encodeFilters, plain } from '../../src/api/encode-queries.js';
import { createClient } from '../../src/api/index.js';
import { OptionError } from '../../src/model/errors.js';
import { credentials } from './open-client.js';

const ANY = { required: [], further: plain };

function encode(filters: object): Record<string, string> {
  return Object.fromEntries(encodeFilters(filters, { required: [] }));
}

describe('encodeFilters', () => {
  it('takes one monitoring without a list, and leaves out what is undefined', () => {
    expect(encode({ monitorings: 7, query: undefined })).toEqual({ monitorings: '7' });
  });

  it('gives any text and any list back to who reads the form', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => one.trim() !== '');
    const tag = word.filter((one) => !one.includes(','));
    fc.assert(
      fc.property(word, fc.array(tag, { minLength: 1 }), (query, tags) => {
        const read = new URLSearchParams(String(encodeFilters({ query, tags }, { required: [] })));
        expect(read.get('query')).toBe(query);
        expect(read.get('tags')?.split(',')).toEqual(tags);
      }),
    );
  });

  it.each([
    ['text as the service has it', '2024-05-31 18:30', '2024-05-31 18:30'],
    ['ISO 8601 in UTC', '2024-05-31T18:30:59.999Z', '2024-05-31 18:30'],
    ['ISO 8601 with an offset', '2024-05-31T01:30+02:00', '2024-05-30 23:30'],
    ['ISO 8601 without an offset, as UTC', '2024-05-31T18:30', '2024-05-31 18:30'],
    ['a Date', new Date('2024-05-31T18:30:59Z'), '2024-05-31 18:30'],
    [
      'a DateTime of another zone',
      DateTime.fromISO('2024-05-31T18:30:59', { zone: 'Asia/Tokyo' }),
      '2024-05-31 09:30',
    ],
  ])('takes %s', (_, moment, expected) => {
    expect(encode({ start: moment })).toEqual({ start: expected });
    expect(encode({ end: moment })).toEqual({ end: expected });
  });

  it('takes a date alone for its first minute as a start, and for its last as an end', () => {
    expect(encode({ start: '2024-05-31', end: '2024-05-31' })).toEqual({
      start: '2024-05-31 00:00',
      end: '2024-05-31 23:59',
    });
  });

  it('cuts every moment to its minute, whatever form it comes in', () => {
    const dates = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        const minute = date.toISOString().slice(0, 16).replace('T', ' ');
        for (const start of [date, date.toISOString(), minute, DateTime.fromJSDate(date)]) {
          expect(encode({ start })).toEqual({ start: minute });
        }
      }),
    );
  });

  it.each([
    [
      'an unknown filter',
      { monitoring: 7 },
      /^There is no filter "monitoring"; did you mean "monitorings"/,
    ],
    ['an id of 0', { monitorings: [7, 0] }, /^monitorings is 0; .*positive integer/],
    ['an unreadable moment', { start: 'yesterday' }, /^start is "yesterday"; expected a time/],
    ['an unknown source', { sources: ['TWT', 'XXX'] }, /^sources is "XXX"; .*YTB/],
    ['a list as text', { tags: 't1,t2' }, /^tags is "t1,t2"; expected a list/],
    ['a comma in an entry', { tags: ['t1,t2'] }, /^tags is "t1,t2"; expected no comma/],
    ['an empty text', { query: ' ' }, /^query is " "; expected text/],
    ['a lone surrogate', { query: 'a\ud800' }, /^query is .*without lone surrogates/],
    ['a flag as text', { onlyVerifiedAuthors: 'true' }, /^onlyVerifiedAuthors is "true"/],
  ])('refuses %s, and names it', (_, filters, message) => {
    expect(() => encode(filters)).toThrow(OptionError);
    expect(() => encode(filters)).toThrow(message);
  });

  it('says which sources a ranking has', async () => {
    const connection = { baseUrl: 'http://127.0.0.1:9/5.0', ...credentials };
    await using client = createClient(connection);
    const query = { monitorings: 7, start: '2024-05-01', end: '2024-05-31' };
    const ranked = { ...query, docRanking: 'comments' as 'interactions' };
    await expect(client.documents.page(ranked)).rejects.toThrow(
      'docRanking comments needs a viewSource of FCP, FCB, FCG, ITG, ITB, YTB, NTC, and there is none.',
    );
  });

  it('passes further parameters as they are where an operation takes any', () => {
    const query = { monitorings: 7, type: 'pie', top: 5, stacked: false, series: ['a', 2] };
    expect(Object.fromEntries(encodeFilters(query, ANY))).toEqual({
      monitorings: '7',
      type: 'pie',
      top: '5',
      stacked: 'false',
      series: 'a,2',
    });
    for (const value of [{}, null, Number.NaN, ['a,b']]) {
      expect(() => encodeFilters({ type: value }, ANY)).toThrow(/^type is /);
    }
  });
});
