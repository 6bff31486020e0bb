import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findLists } from '../../../src/formats/look-into.js';
import { guessMapping } from '../../../src/operations/guess-mapping.js';
import { newFolder } from '../../helpers/files.js';
import { zipOf } from '../../helpers/zip.js';

const reviews = Array.from({ length: 40 }, (_, id) => ({
  id: `r${id}`,
  text: `Clean and quiet, night ${id}`,
  rating: 1 + (id % 5),
  date: `2026-01-${String(1 + (id % 28)).padStart(2, '0')}`,
}));
const document = JSON.stringify({ page: 1, data: { reviews } });

it.each<[string, () => Buffer | Promise<Buffer>]>([
  ['r.json', () => Buffer.from(document)],
  ['r.zip', () => zipOf({ 'r.json': document })],
])('a list in %s is found, and a mapping guessed from it', async (name, bytes) => {
  const file = path.join(newFolder(), name);
  writeFileSync(file, await bytes());
  expect(await findLists(file)).toEqual(['data.reviews']);
  const { input } = await guessMapping({ input: file });
  expect(input).toEqual({ format: 'json', records: 'data.reviews' });
});

it.each<[string, object, string]>([
  ['next to empty ones has a name of its own', { links: [], reviews }, 'reviews'],
  [
    'by product may lack one key of five',
    { p1: [{ id: 1, text: 'a', rating: 5, date: 'x', title: 'b' }], p2: reviews },
    '[][]',
  ],
])('a list %s', async (_, value, list) => {
  const file = path.join(newFolder(), 'r.json');
  writeFileSync(file, JSON.stringify(value));
  expect(await findLists(file)).toEqual([list]);
});
