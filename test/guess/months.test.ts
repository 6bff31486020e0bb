import { describe, expect, it } from 'vitest';
import { type DateColumn, dateColumn } from '../../src/guess/notations/date-column.js';
import { dateRule } from '../../src/guess/rules/date-rule.js';
import { guessMapping } from '../../src/operations/guess-mapping.js';
import { eachSample } from '../helpers/runs.js';
import { documentsMade } from './documents-made.js';

const DAYS = Array.from({ length: 24 }, (_, n) => new Date(Date.UTC(2023, n % 12, 3 + n)));
const LANGUAGES =
  'it pl sv da nb fi tr ru uk hu ro el bg hr sr-Latn sk sl lt lv et ca id vi ja ko zh ms gl is mk hy ka az kk sw cy lb af bn ar'.split(
    ' ',
  );

function printed(locale: string, month: 'long' | 'short'): readonly string[] {
  const tag = `${locale}-u-ca-gregory-nu-latn`;
  const format = { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' } as const;
  const written = new Intl.DateTimeFormat(tag, format);
  return DAYS.map((day) => written.format(day));
}

async function readBack(dates: readonly string[], column: DateColumn): Promise<readonly unknown[]> {
  const published = dateRule({ name: 'date' }, column, undefined);
  const mapping = {
    profile: 'minimal',
    document: { sourceId: '{n}', text: 'a', published },
  } as const;
  const input = dates.map((date, n) => ({ n, date }));
  const made = await documentsMade(input, JSON.stringify(mapping));
  return made.map((document) => document?.published);
}

describe('dates with the month by name', () => {
  eachSample(10)(LANGUAGES)(
    'in %s are found, and read by the rule that comes of it',
    async (locale) => {
      for (const month of ['long', 'short'] as const) {
        const dates = printed(locale, month);
        const column = dateColumn(dates);
        expect(column?.share, dates[0]).toBe(1);
        const read = column === undefined ? [] : await readBack(dates, column);
        expect(read).toEqual(DAYS.map((day) => day.toISOString()));
      }
    },
  );

  it('in four languages in one column are read in those four', async () => {
    const languages = ['en', 'fr', 'sv', 'it'].map((locale) => printed(locale, 'long'));
    const dates = DAYS.map((_, n) => languages[n % 4]?.[n] ?? '');
    const column = dateColumn(dates);
    expect(column?.locales).toHaveLength(4);
    expect(column && (await readBack(dates, column))).toEqual(DAYS.map((day) => day.toISOString()));
  });

  it('that are other months in other languages are left to a person', () => {
    // October in Croatia, November in Poland.
    expect(dateColumn(['3. listopada 2023', '4. listopada 2023'])?.doubtfulMonth?.name).toBe(
      'listopada',
    );
  });
});

async function publishedOf(column: string, dates: readonly string[]) {
  const input = dates.map((date, n) => ({
    id: `r-${n}70${n}`,
    stars: 1 + (n % 5),
    review: `It rained on day ${n}, and nobody minded: the lobby is warm and the ${['tea', 'soup', 'book'][n % 3]} is good.`,
    [column]: date,
  }));
  const { fields } = await guessMapping({ input, ready: false });
  return fields.find(({ field }) => field === 'published');
}

describe('a sole date', () => {
  const days = DAYS.map((day) => day.toISOString().slice(0, 10));

  it('whose name speaks of something else, or says nothing, is low and has a TODO', async () => {
    for (const name of ['batch_date', 'xq', 'product_date']) {
      const field = await publishedOf(name, days);
      if (field === undefined) continue;
      expect(field, name).toMatchObject({ confidence: 'low' });
      expect(field.todo, name).toMatch(/check that/);
    }
  });
});
