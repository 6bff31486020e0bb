import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/model/record.js';
import { reportMetrics } from '../../src/report/metrics.js';
import type { Report } from '../../src/report/report.js';
import { HAS } from '../helpers/needs.js';
import { runs } from '../helpers/runs.js';
import { reportWith, STOPPED } from './fixtures.js';

const delivery: Report['delivery'] = {
  timeline: [],
  latency: {
    count: 3,
    least: 103,
    most: 1130,
    mean: 512.5,
    quantiles: { p5: 103, p25: 103, p50: 304, p75: 304, p95: 1130 },
    values: null,
    bins: null,
  },
  statuses: [
    { value: '200', count: 2 },
    { value: 'no answer', count: 1 },
  ],
};
const broken = [
  { kind: 'missing-field', count: 304, fields: { text: 304 }, examples: [] } as const,
];

/** A line of the format: a name, its labels, and its value. */
const SERIES = /^(\w+)\{((?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)*)\} (\S+)$/;

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads what the format's grammar allows, and nothing else. */
function seriesOf(text: string): readonly Series[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  return lines.map((line) => {
    const [, name = '', pairs = '', value = ''] = SERIES.exec(line) ?? [];
    const labels = [...pairs.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, label = '', text = '']) =>
        [label, text.replaceAll(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c))] as const,
    );
    expect(name, line).not.toBe('');
    return { name, labels: Object.fromEntries(labels), value: Number(value) };
  });
}

/** The values of one name, by one label's value or, without it, alone. */
function valuesOf(text: string, name: string, label = ''): Readonly<Record<string, number>> {
  const found = seriesOf(text).filter((series) => series.name === name);
  return Object.fromEntries(found.map(({ labels, value }) => [labels[label] ?? '', value]));
}

describe('the metrics of a run', () => {
  it('have its figures, in base units', () => {
    const text = reportMetrics(reportWith({ ...STOPPED, delivery, problems: broken, retries: 2 }));
    expect(valuesOf(text, 'docferry_records', 'outcome')).toEqual(
      Object.fromEntries(OUTCOMES.map((outcome) => [outcome, STOPPED.counts[outcome]])),
    );
    expect(valuesOf(text, 'docferry_problems', 'kind')).toEqual({ 'missing-field': 304 });
    expect(valuesOf(text, 'docferry_responses', 'status')).toEqual({ 200: 2, none: 1 });
    expect(valuesOf(text, 'docferry_request_duration_seconds', 'quantile')).toEqual({
      0.5: 0.304,
      0.75: 0.304,
      0.95: 1.13,
      1: 1.13,
    });
    const single = Object.fromEntries(seriesOf(text).map(({ name, value }) => [name, value]));
    expect(single).toMatchObject({
      docferry_run_exit_code: 4,
      docferry_run_resumable: 1,
      docferry_run_duration_seconds: 0.412,
      docferry_inputs: 1,
      docferry_input_bytes: 464_588,
      docferry_batches: 3,
      docferry_retries: 2,
      docferry_request_duration_seconds_sum: 1.5375,
      docferry_request_duration_seconds_count: 3,
    });
    expect(seriesOf(text)).toContainEqual({
      name: 'docferry_run_info',
      labels: expect.objectContaining({ status: 'stopped', stop: 'service-down' }),
      value: 1,
    });
  });

  it('tell jobs apart, and not runs', () => {
    const first = seriesOf(reportMetrics(reportWith(), { task: 'nightly', endedMs: 1 }));
    const job = { task: 'nightly', command: 'import', monitoring: '7' };
    for (const { labels } of first) expect(labels).toMatchObject(job);
    const second = reportWith({ run: '20260201-093000-ab12cd' });
    expect(seriesOf(reportMetrics(second, { task: 'nightly', endedMs: 1 }))).toEqual(first);
  });

  it('keep the times of earlier runs while a run fails', () => {
    const times = (report: Report, endedMs: number, before?: string) => {
      const text = reportMetrics(report, { endedMs, ...(before === undefined ? {} : { before }) });
      const ended = valuesOf(text, 'docferry_run_end_timestamp_seconds')[''];
      const finished = valuesOf(text, 'docferry_last_finish_timestamp_seconds')[''];
      const succeeded = valuesOf(text, 'docferry_last_success_timestamp_seconds')[''];
      return { text, times: [ended, finished, succeeded] };
    };
    const never = times(reportWith(STOPPED), 1_000);
    expect(never.times).toEqual([1, 0, 0]);
    const good = times(reportWith(), 2_500, never.text);
    expect(good.times).toEqual([2.5, 2.5, 2.5]);
    const mixed = times(reportWith({ exitCode: 1 }), 3_000, good.text);
    expect(mixed.times).toEqual([3, 3, 2.5]);
    const bad = times(reportWith(STOPPED), 4_000, mixed.text);
    expect(bad.times).toEqual([4, 3, 2.5]);
    // Another job that takes the file over has not succeeded yet.
    const other = { target: { baseUrl: 'https://api.example.com/5.0', monitoring: 8 } };
    expect(times(reportWith({ ...STOPPED, ...other }), 5_000, bad.text).times).toEqual([5, 0, 0]);
  });

  it('hold any name, as it is', () => {
    const names = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\r', '{', '}', ',', 'é', '\u2028', ' ') }); // biome-ignore format: one line
    fc.assert(
      fc.property(names, names, (mapping, task) => {
        for (const { labels } of seriesOf(reportMetrics(reportWith({ mapping }), { task }))) {
          expect(labels).toMatchObject({ mapping, task });
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it.skipIf(!HAS.promtool).each([
    ['an import', { delivery, problems: broken }],
    ['a stopped import', { ...STOPPED, delivery }],
    ['a name with quotes, lines and a lone surrogate', { mapping: 'a "b"\\\n\ud800{},' }],
  ] as const)('have no fault that promtool finds: %s', (_, changes) => {
    const input = reportMetrics(reportWith(changes), { task: 'nightly' });
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });
});
