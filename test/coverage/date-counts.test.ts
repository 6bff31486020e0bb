import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../src/coverage/coverage.js';
import { Survey } from '../../src/coverage/survey.js';
import { runs } from '../helpers/runs.js';

const dates = fc
  .array(
    fc.date({ min: new Date('0000-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
    { maxLength: 900 },
  )
  .map((all) => all.map((date) => date.toISOString()));

function surveyOf(all: readonly string[]): Survey {
  const survey = new Survey();
  for (const published of all) survey.document({ published });
  return survey;
}

function publishedOf(survey: Survey) {
  const requests = { count: 0, bytes: 0, largest: 0 };
  const facts = { usedColumns: new Map(), repeats: { same: 0, other: 0 }, requests };
  return coverageOf(survey.summary(), facts).published;
}

describe('counts of dates', () => {
  it('tell months in order, unless there are more than 600', () => {
    fc.assert(
      fc.property(dates, (all) => {
        const months = all.map((date) => date.slice(0, 7)).toSorted();
        const different = [...new Set(months)];
        const expected = different.map((value) => ({
          value,
          count: months.lastIndexOf(value) - months.indexOf(value) + 1,
        }));
        const found = publishedOf(surveyOf(all))?.months ?? [];
        expect(found).toEqual(different.length > 600 ? [] : expected);
      }),
      { numRuns: runs(100) },
    );
  });

  it('tell the same whether dates come one by one or in parts, in any order', () => {
    fc.assert(
      fc.property(dates, fc.nat(900), (all, at) => {
        const merged = new Survey();
        merged.merge(structuredClone(surveyOf(all.slice(at)).summary()));
        merged.merge(surveyOf(all.slice(0, at)).summary());
        expect(publishedOf(merged)?.months).toEqual(publishedOf(surveyOf(all))?.months);
      }),
      { numRuns: runs(100) },
    );
  });

  it('leave out months of years that are none', () => {
    const survey = surveyOf(['+012024-05-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z']);
    expect(publishedOf(survey)).toMatchObject({
      months: [{ value: '2024-05', count: 1 }],
      years: [{ count: 1 }, { count: 1 }],
    });
  });
});
