import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { workbookOfTexts } from '../helpers/workbook.js';

const MAPPING = {
  name: 'm',
  profile: 'minimal',
  document: { sourceId: '{id}', text: '{text}' },
} as const;

const rows = Array.from({ length: 40_000 }, (_, n) => ({ id: `r${n}`, text: `Review ${n}` }));
const csv = ['id,text', ...rows.map(({ id, text }) => `${id},${text}`)].join('\n');

describe('the fingerprint of an input', () => {
  it.each([
    ['a table', 'r.csv', csv],
    ['a compressed one', 'r.csv.gz', gzipSync(csv)],
    ['another encoding', 'r.csv', Buffer.from(`\ufeff${csv}`, 'utf16le')],
    ['a list with a text after it', 'r.json', JSON.stringify({ rows, more: 'x'.repeat(600_000) })],
  ])('is the SHA-256 of the file: %s', async (_, name, content) => {
    const input = put(newFolder(), name, content);
    const mapping = name.endsWith('json')
      ? { ...MAPPING, input: { format: 'json' as const, records: 'rows' } }
      : MAPPING;
    const { inputs, counts } = await validateDocuments({ input, mapping, throwOn: 'never' });
    expect(counts.unsent).toBe(rows.length);
    const hash = createHash('sha256').update(readFileSync(input)).digest('hex');
    expect(inputs).toMatchObject([{ fingerprint: hash }]);
  });

  it('is unknown for what is not read in order, or not to its end', async () => {
    const folder = newFolder();
    const book = await workbookOfTexts([
      ['id', 'text'],
      ['1', 'good'],
    ]);
    const xlsx = put(folder, 'r.xlsx', book);
    const read = await validateDocuments({ input: xlsx, mapping: MAPPING });
    expect(read).toMatchObject({ counts: { unsent: 1 }, inputs: [{ fingerprint: null }] });
    const input = put(folder, 'bad.csv', csv.replaceAll(/r\d+,/g, ','));
    const stopped = await validateDocuments({
      ...{ input, mapping: MAPPING, maxErrors: 0, throwOn: 'never' as const },
      source: { chunkBytes: 4096 },
    });
    expect(stopped).toMatchObject({ status: 'stopped', inputs: [{ fingerprint: null }] });
  });
});
