/** Tables as people and programs write them, read by a mapping. */
import { describe, expect, it } from 'vitest';
import type { InputOptions } from '../../src/formats/options.js';
import { validateDocuments } from '../../src/index.js';
import type { Report } from '../../src/report/report.js';
import { newFolder, put } from '../helpers/files.js';

const DOCUMENT = {
  sourceId: '{id}',
  text: '{review}',
  published: { from: 'date', date: 'iso' },
} as const;

async function validate(csv: string, input: InputOptions = {}): Promise<Report> {
  const file = put(newFolder(), 'reviews.csv', csv);
  const mapping = { name: 'm', profile: 'minimal', input, document: DOCUMENT } as const;
  return await validateDocuments({ input: file, mapping });
}

const HEADER = 'id,author,review,date\n';
const ROW = '1,Eva,"Nice, clean",2024-12-27\n';

describe('a header that is repeated', () => {
  it('in lines of the file is skipped', async () => {
    const again = 'id,author,review,date\r\n';
    const report = await validate(
      `${HEADER}${ROW}${again}2${ROW.slice(1)}\ufeff${HEADER}3${ROW.slice(1)}`,
    );
    expect(report.counts).toMatchObject({ read: 5, skipped: 2, invalid: 0 });
  });

  it('is skipped if there are two columns; below a single one it may be a review', async () => {
    const validateText = async (csv: string): Promise<Report> => {
      const document = {
        ...DOCUMENT,
        sourceId: { hash: ['{review}'] },
        published: '2024-12-27T00:00:00Z',
      };
      const mapping = { name: 'm', profile: 'minimal', document } as const;
      const file = put(newFolder(), 'reviews.csv', csv);
      return await validateDocuments({ input: file, mapping });
    };
    const two = await validateText('review,author\nNice,Eva\nreview,author\nClean,Tom\n');
    expect(two.counts).toMatchObject({ read: 3, skipped: 1, invalid: 0 });
    const one = await validateText('review\nNice\nreview\nClean\n');
    expect(one.counts).toMatchObject({ read: 3, skipped: 0, invalid: 0 });
  });
});

describe('a column name that is repeated', () => {
  const csv = 'id,review,review,date\n1,x,Nice,2024-12-27\n';

  it('has a remedy that works', async () => {
    await expect(validate(csv)).rejects.toThrow(/header has two columns "review".*skipLines: 1/);
    const input = { header: ['id', 'title', 'review', 'date'], skipLines: 1 };
    const report = await validate(csv, input);
    expect(report.counts).toMatchObject({ read: 1, invalid: 0 });
  });
});
