/**
 * Made-up exports of many layouts in `layouts/`, and beside each what its first record has to
 * become when nobody says anything about the file. Dropping in a pair adds a test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { ImportedDocument } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { type Guess, guessMapping } from '../../src/operations/guess-mapping.js';
import { previewDocuments } from '../../src/operations/preview-documents.js';
import { eachSample } from '../helpers/runs.js';

const FOLDER = path.join(import.meta.dirname, 'layouts');
const EXPECTED = '.expected.json';

/** What is expected of a file. */
interface Layout {
  readonly layout: string;
  readonly input: string;
  /** The first record's document, as far as it matters. */
  readonly document: object;
  /** Fields that must not be filled, as the file does not say them. */
  readonly without?: readonly string[];
  /** Whether the id has to be a hash, as no column holds one. */
  readonly hashed?: boolean;
  /** Fields that have to be marked TODO, because the file can't say. */
  readonly todo?: readonly string[];
}

const files = readdirSync(FOLDER);
const LAYOUTS: readonly Layout[] = files
  .filter((name) => !name.endsWith(EXPECTED))
  .map((name) => {
    const expected = path.join(FOLDER, path.parse(name).name + EXPECTED);
    return { input: path.join(FOLDER, name), ...JSON.parse(readFileSync(expected, 'utf8')) };
  });

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
  eachSample(8)(LAYOUTS)('$layout', async ({ input, document, without = [], hashed, todo }) => {
    const guess = await guessMapping({ input, ready: false });
    const { read, invalid } = guess.records;
    expect(invalid / read, guess.mapping).toBeLessThan(0.01);
    const found = await firstDocument(input, guess.mapping);
    expect(found, guess.mapping).toMatchObject(document);
    for (const field of without) expect(found, guess.mapping).not.toHaveProperty(field);
    if (hashed !== undefined)
      expect(/^ {2}sourceId: \{ hash/mu.test(guess.mapping), guess.mapping).toBe(hashed);
    if (todo !== undefined) expect(todos(guess)).toEqual(expect.arrayContaining([...todo]));
  });
});
