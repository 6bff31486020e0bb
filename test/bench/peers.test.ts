import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { previewDocuments } from '../../src/index.js';
import { ROOT } from '../helpers/markdown.js';
import { longTest } from '../helpers/runs.js';

const ROWS = 1000;
const folder = mkdtempSync(path.join(tmpdir(), 'docferry-peers-'));
const csv = path.join(folder, 'reviews.csv');
const jsonl = path.join(folder, 'reviews.jsonl');

beforeAll(() => {
  const rows = ['--rows', String(ROWS)];
  writeFileSync(csv, runScript('bench/make-reviews.mjs', ...rows));
  writeFileSync(jsonl, runScript('bench/make-reviews.mjs', ...rows, '--format', 'jsonl'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('what docferry is measured against', () => {
  longTest('makes the same documents as docferry', async () => {
    const printed = runScript('bench/peers/hand-written.mjs', 'print', csv);
    const documents = printed.trimEnd().split('\n').map(withoutDownloaded);
    expect(documents).toHaveLength(ROWS);
    expect(documents).toEqual(await previewed(csv));
  });

  longTest('reads the same reviews as CSV and as JSON Lines', async () => {
    expect(await previewed(jsonl)).toEqual(await previewed(csv));
  });
});

async function previewed(input: string): Promise<unknown[]> {
  const mapping = path.join(ROOT, 'bench/reviews.mapping.yaml');
  const documents: unknown[] = [];
  for await (const { document, problems } of previewDocuments({ input, mapping })) {
    expect(problems).toEqual([]);
    documents.push(withoutDownloaded(JSON.stringify(document)));
  }
  return documents;
}

/** When a review was captured is the moment of the run. */
function withoutDownloaded(json: string): unknown {
  const { downloaded, ...document } = JSON.parse(json);
  expect(Date.parse(downloaded)).not.toBeNaN();
  return document;
}

function runScript(script: string, ...args: readonly string[]): string {
  const file = path.join(ROOT, script);
  return execFileSync(process.execPath, [file, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 });
}
