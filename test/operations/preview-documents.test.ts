import { describe, expect, it } from 'vitest';
import { type PreviewOptions, previewDocuments } from '../../src/index.js';
import { collect } from '../helpers/collect.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';

const mapping = minimalMapping({
  text: { join: ['{title}', '{body}'], with: '\n' },
  metrics: { score: { from: 'stars', number: '.' } },
  tags: ['{kind}', 'imported'],
});
const ROWS = Array.from({ length: 3000 }, (_, index) => {
  const stars = index % 1000 === 999 ? 'many' : '4';
  return `${index + 1},T${index + 1},Body,${stars},x`;
});
const CSV = `id,title,body,stars,kind\n${ROWS.join('\n')}\n`;

async function previewed(options: Omit<PreviewOptions, 'mapping'>) {
  return await collect(previewDocuments({ mapping, ...options }));
}

describe('a preview', () => {
  it('shows the one record that is asked for, wherever it stands', async () => {
    const input = put(newFolder(), 'r.csv', CSV);
    for (const record of [1, 1234, 3000]) {
      const [found, ...others] = await previewed({ input, record });
      expect(others).toEqual([]);
      expect(found?.place).toEqual({ source: input, record, line: record + 1 });
      expect(found?.document?.sourceId).toBe(`${record}`);
    }
  });

  it('shows only what is invalid, if that is asked for', async () => {
    const input = put(newFolder(), 'r.csv', CSV);
    const found = await previewed({ input, invalid: true });
    expect(found.map(({ place }) => place.record)).toEqual([1000, 2000, 3000]);
    expect(found[0]?.problems.map(({ field }) => field)).toEqual(['metrics.score']);
  });

  it('says which rule made what, and what it read', async () => {
    const input = put(newFolder(), 'r.csv', CSV);
    const [found] = await previewed({ input, record: 2 });
    expect(found?.rules).toEqual([
      { field: 'sourceId', rule: '"{id}"', columns: { id: '2' } },
      {
        field: 'text',
        rule: '{ join: ["{title}", "{body}"], with: "\\n" }',
        columns: { title: 'T2', body: 'Body' },
      },
      { field: 'metrics.score', rule: '{ from: stars, number: "." }', columns: { stars: '4' } },
      { field: 'tags[0]', rule: '"{kind}"', columns: { kind: 'x' } },
      { field: 'tags[1]', rule: 'imported', columns: {} },
    ]);
  });
});
