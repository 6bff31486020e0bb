import { describe, expect, it } from 'vitest';
import type { Coverage } from '../../src/coverage/coverage.js';
import { coverageLines } from '../../src/report/coverage-text.js';
import { NO_COVERAGE } from './fixtures.js';

const EMPTY: Coverage = { ...NO_COVERAGE, documents: 1000 };
const linesWith = (changes: Partial<Coverage>): readonly string[] =>
  coverageLines({ ...EMPTY, ...changes });
/** The line with this name, without it. */
const lineOf = (name: string, changes: Partial<Coverage>): string | undefined =>
  linesWith(changes)
    .find((line) => line.startsWith(`  ${name}`))
    ?.slice(name.length + 2)
    .trim();

describe('the text of a coverage', () => {
  it('says only what there is to say', () => {
    expect(linesWith({})).toEqual([]);
    expect(linesWith({ languages: [{ value: 'es', count: 1000 }] })).toEqual([
      'Figures of all 1,000 documents',
      '  language  es 100%',
    ]);
  });

  it('names unused columns that hold something', () => {
    const columns = [
      { name: 'a', used: true, fields: [], records: 10, filled: 10 },
      { name: 'b, c', used: false, fields: [], records: 10, filled: 10 },
      { name: 'd', used: false, fields: [], records: 1000, filled: 3 },
      { name: 'e', used: false, fields: [], records: 10, filled: 0 },
    ];
    expect(lineOf('columns not used', { columns })).toBe('"b, c", "d" (< 1% filled)');
  });

  it('names fields that are never filled or always the same', () => {
    const fields = [
      { field: 'source', filled: 1000, constant: 'RVW' },
      { field: 'url', filled: 0, constant: null },
      { field: 'tags', filled: 49, constant: null },
      { field: 'text', filled: 50, constant: null },
      { field: 'language', filled: 1000, constant: 'es' },
    ];
    expect(lineOf('fields never filled', { fields })).toBe('url');
    expect(lineOf('always the same', { fields })).toBe('language "es"');
  });

  it('gives each score while there are few, and quantiles when there are many', () => {
    const quantiles = { p5: 1, p25: 2, p50: 4, p75: 5, p95: 5 };
    const base = { count: 900, least: 1, most: 5, mean: 4, quantiles, bins: null };
    const values = [
      { value: 1, count: 300 },
      { value: 5, count: 600 },
    ];
    expect(lineOf('score', { metrics: { score: { ...base, values } } })).toBe(
      '1 to 5 (1: 33%, 5: 67%); 100 have none',
    );
    expect(lineOf('score', { metrics: { score: { ...base, count: 999, values: null } } })).toMatch(
      /; 1 has none$/,
    );
    expect(lineOf('score', { metrics: { score: { ...base, values: null } } })).toBe(
      '1 to 5 (median 4, 90% from 1 to 5); 100 have none',
    );
  });

  it('tells the years of dates, and dates in the future', () => {
    const published = {
      first: '2023-01-01T00:00:00.000Z',
      last: '2030-02-02T00:00:00.000Z',
      inFuture: 2,
      years: [
        { value: '2023', count: 998 },
        { value: '2030', count: 2 },
      ],
    };
    const fields = [{ field: 'published', filled: 1000, constant: null }];
    expect(lineOf('published', { published, fields })).toBe(
      '2023-01-01 to 2030-02-02; most in 2023; 2 in the future',
    );
  });
});
