import { describe, expect, it } from 'vitest';
import type { ImportedDocument } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load-mapping.js';
import { type Guess, guessMapping } from '../../src/operations/guess-mapping.js';
import { previewDocuments } from '../../src/operations/preview-documents.js';
import { put, temporaryFolders } from '../helpers/files.js';
import { LAYOUTS } from './layouts.js';

const newFolder = temporaryFolders();

async function firstDocument(input: string, mapping: string): Promise<ImportedDocument | null> {
  const checked = parseMapping(mapping, 'guessed.yaml');
  for await (const previewed of previewDocuments({ input, mapping: checked })) {
    if (previewed.skipped) continue;
    expect(previewed.problems).toEqual([]);
    return previewed.document;
  }
  return null;
}

function todos({ fields }: Guess): readonly string[] {
  return fields.flatMap(({ field, todo }) => (todo === null ? [] : [field]));
}

describe('a guess alone reads', () => {
  it.each(LAYOUTS)('$name', async (layout) => {
    const { file, bytes, document, without = [], hashed, todo } = layout;
    const input = put(newFolder(), file, bytes);
    const guess = await guessMapping({ input, ready: false });
    const { read, invalid } = guess.records;
    expect(invalid / read, guess.mapping).toBeLessThan(0.01);
    const found = await firstDocument(input, guess.mapping);
    expect(found, guess.mapping).toMatchObject(document);
    for (const field of without) expect(found, guess.mapping).not.toHaveProperty(field);
    if (hashed !== undefined)
      expect(/sourceId: \{ hash/.test(guess.mapping), guess.mapping).toBe(hashed);
    if (todo !== undefined) expect(todos(guess)).toEqual(expect.arrayContaining([...todo]));
  });
});
