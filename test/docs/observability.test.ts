import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateDocuments } from '../../src/index.js';
import { reportMetrics } from '../../src/report/metrics.js';
import { reportSummary } from '../../src/report/summary.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT, snippets } from '../helpers/markdown.js';
import { HAS } from '../helpers/needs.js';
import { reportWith } from '../report/fixtures.js';

const page = readFileSync(path.join(ROOT, 'docs/observability.md'), 'utf8');

/** The cells of the rows whose first cell begins with a name of docferry's, without backticks. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `docferry_'))
  .map((line) => line.split('|').map((cell) => cell.replaceAll('`', '').trim()));

/** A report with everything in it that can become a metric. */
const FULL = reportWith({
  stop: { kind: 'source', message: 'it ended early' },
  problems: [{ kind: 'blank', count: 1, fields: {}, examples: [] }],
  delivery: {
    timeline: [],
    latency: {
      ...{ count: 1, least: 5, most: 5, mean: 5, values: null, bins: null },
      quantiles: { p5: 5, p25: 5, p50: 5, p75: 5, p95: 5 },
    },
    statuses: [{ value: '200', count: 1 }],
  },
});
const COMMON = new Set(['task', 'command', 'monitoring', 'mapping']);

describe('the table of metrics', () => {
  const text = reportMetrics(FULL, { task: 'nightly' });
  const types = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );

  it('has every metric with its type, and no other', () => {
    expect(rows.map(([, name, type]) => [name, type])).toEqual([...types]);
  });

  it.each(rows)('has the labels and the unit of %s%s', (_, name = '', _type, unit, labels = '') => {
    const series = text.split('\n').filter((line) => line.startsWith(`${name}{`));
    const own = series.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label]) => label));
    const listed = labels.split(',').flatMap((label) => label.trim() || []);
    expect([...new Set(own)].filter((label) => !COMMON.has(label ?? ''))).toEqual(listed);
    if (name.endsWith('_seconds')) expect(unit).toMatch(/^seconds/);
  });
});

it.skipIf(!HAS.promtool)('has rules for alerts that Prometheus reads', () => {
  const [rules] = snippets().filter(
    ({ at, language }) => at.startsWith('docs/observability.md') && language === 'yaml',
  );
  const file = put(newFolder(), 'rules.yml', rules?.code ?? '');
  const { status, stdout } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/3 rules found/),
  });
});

it('shows the summary of a run as it is written', async () => {
  const folder = newFolder();
  const text = 'name: Reviews\nprofile: minimal\ndocument: { sourceId: "{id}", text: "{text}" }\n';
  const mapping = put(folder, 'm.yaml', text);
  const input = put(folder, 'reviews.csv', 'id,text\n1,Good\n2,\n3,\n');
  const report = await validateDocuments({ input, mapping });
  const steady = { ...report, run: '20260131-093000-ab12cd', elapsedMs: 100, recordsPerSecond: 30 };
  const summary = reportSummary(steady).replaceAll(`${folder}/`, '');
  const [shown] = snippets().filter(
    ({ at, language }) => at.startsWith('docs/observability.md') && language === 'md',
  );
  expect(summary.split('\n\n```sh\n')[0]).toBe(shown?.code.trimEnd());
});
