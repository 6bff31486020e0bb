import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { type ValidateOptions, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';

const MAPPING = {
  profile: 'minimal',
  document: { sourceId: '{id}', text: '{text}' },
} as const;

const GOOD = { id: 'same', text: 'good' };
const BAD = { id: 'bad', text: '' };

/** Validates records, and returns the page. */
async function pageOf(
  records: readonly object[],
  options: Partial<ValidateOptions> = {},
): Promise<string> {
  const folder = newFolder();
  const htmlFile = path.join(folder, 'report.html');
  const lines = records.map(
    (record, n) => `${JSON.stringify({ ...record, note: `N${n + 1}.` })}\n`,
  );
  await validateDocuments({
    ...{ input: put(folder, 'reviews.jsonl', lines.join('')), mapping: MAPPING },
    ...{ htmlFile, throwOn: 'never' as const, ...options },
  });
  return readFileSync(htmlFile, 'utf8');
}

describe('samples of records on the page', () => {
  it('show those with problems, repeated ones by their examples', async () => {
    const page = await pageOf([GOOD, BAD, { ...GOOD, text: 'other' }], { htmlSamples: 5 });
    expect(page).toContain('N2.');
    expect(page).toContain('N3.');
    expect(page).not.toContain('N1.');
  });

  it('show none that the run has not read', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => ({ id: `${n}`, text: 'x'.repeat(50) }));
    const repeated = Array.from({ length: 30 }, (_, n) => ({ id: 'same', text: `other ${n}` }));
    const options = { maxErrors: 25, htmlSamples: 50 };
    const page = await pageOf([BAD, GOOD, ...repeated, ...many, BAD], options);
    expect(page).toContain('N1.');
    expect(page).not.toContain('N60033.');
  });
});

test('without samples, neither page nor report has values of columns that make no categories', async () => {
  const people = Array.from({ length: 40 }, (_, n) => ({
    ...{ id: `${n}`, text: `Good ${n}`, guest: 'Ana Silva' },
    mail: `guest${n % 2}@example.com`,
  }));
  const document = { sourceId: { hash: ['{id}', '{guest}'] }, text: '{text}' };
  const reportFile = path.join(newFolder(), 'report.json');
  const options = { mapping: { ...MAPPING, document }, reportFile };
  const page = await pageOf(people, options);
  for (const written of [page, readFileSync(reportFile, 'utf8')]) {
    expect(written).toContain('mail');
    expect(written).not.toMatch(/Ana Silva|@example|Good \d/);
  }
});
