import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';

const page = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const ofClusters = readFileSync(path.join(ROOT, 'docs/cluster.md'), 'utf8')
  .split('\n## When something is wrong\n')
  .at(1);
const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(ROOT, 'src', name), 'utf8'))
  .join('\n');

const rows = page.split('\n').filter((line) => /^\| `/.test(line));
const rowsOfClusters = (ofClusters ?? '').split('\n').filter((line) => /^\| `/.test(line));
const messages = [...rows, ...rowsOfClusters].flatMap((row) =>
  [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
);

describe('docs/troubleshooting.md', () => {
  it('has a cause and a remedy for every message', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(rowsOfClusters.length).toBeGreaterThan(10);
    for (const row of rows) expect(row.split(' | '), row).toHaveLength(3);
  });

  it.each(messages)('quotes a message that docferry still has: %s', (words) => {
    expect(sources).toContain(words);
  });
});
