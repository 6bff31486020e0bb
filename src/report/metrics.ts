import type { NumberFigures } from '../coverage/number-spread.js';
import { OUTCOMES } from '../model/record.js';
import type { Report } from './report.js';

export interface MetricsOptions {
  /**
   * Value of the label `task`, which distinguishes jobs that one collector reads: no two of them may
   * have the same labels. Default: no such label.
   */
  readonly task?: string;
  /** End of the run, in milliseconds since 1970. Default: now. */
  readonly endedMs?: number;
  /** Text that this one replaces: a run that fails keeps its times. */
  readonly before?: string;
}

/**
 * Formats a run's report as metrics in Prometheus' text format, for the textfile collector of
 * node_exporter or a Pushgateway. Nearly all are gauges, as they describe the last run only;
 * `docs/observability.md` lists them.
 */
export function reportMetrics(report: Report, options: MetricsOptions = {}): string {
  const { task, endedMs = Date.now(), before } = options;
  const labels = labelsOf(report, task);
  const ended = endedMs / 1_000;
  // Unknown times are 0 rather than missing: a missing metric triggers no alert.
  const last = (name: string, isNow: boolean): number =>
    isNow ? ended : valueBefore(before, seriesText(name, labels));
  const { status, exitCode } = report;
  const finish = last('docferry_last_finish_timestamp_seconds', status === 'finished');
  const success = last('docferry_last_success_timestamp_seconds', exitCode === 0);
  const families = [
    ...runFamilies(report, { ended, finish, success }),
    ...recordFamilies(report),
    ...(report.command === 'import' ? sendingFamilies(report) : []),
  ];
  return `${FIRST_LINE}\n${families.map((family) => familyText(family, labels)).join('')}`;
}

const FIRST_LINE =
  '# Written by docferry: metrics of the last run. The next one replaces this file.';

type Labels = Readonly<Record<string, string>>;

/** Metrics with one name; readers of several files need the same type and help in each. */
type Family = readonly [
  name: string,
  help: string,
  samples: number | readonly Sample[],
  type?: 'gauge' | 'summary',
];

interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** For a summary: `_sum` or `_count`. */
  readonly suffix?: string;
}

/** Labels that stay the same from run to run of a job, which excludes the run's id. */
function labelsOf({ command, mapping, target }: Report, task: string | undefined): Labels {
  return {
    ...(task === undefined ? {} : { task }),
    command,
    ...(target === null ? {} : { monitoring: String(target.monitoring) }),
    mapping,
  };
}

/** @param times in seconds since 1970; 0 if unknown */
function runFamilies(
  { status, stop, exitCode, resumable, elapsedMs }: Report,
  times: Readonly<Record<'ended' | 'finish' | 'success', number>>,
): readonly Family[] {
  const info = { value: 1, labels: { status, ...(stop === null ? {} : { stop: stop.kind }) } };
  const resume = '1 if the run left something that can be resumed';
  const finish = 'When a run last read all inputs to their end and settled what it could';
  const success = 'When a run last ended with exit code 0';
  return [
    ['docferry_run_info', 'How the run ended, and the kind of stop if it ended early', [info]],
    ['docferry_run_exit_code', 'Exit code of the run; 0 is success', exitCode],
    ['docferry_run_resumable', resume, Number(resumable)],
    ['docferry_run_duration_seconds', 'How long the run took', elapsedMs / 1_000],
    ['docferry_run_end_timestamp_seconds', 'When the run ended', times.ended],
    ['docferry_last_finish_timestamp_seconds', finish, times.finish],
    ['docferry_last_success_timestamp_seconds', success, times.success],
  ];
}

function recordFamilies({ counts, problems, inputs }: Report): readonly Family[] {
  const byOutcome = OUTCOMES.map((outcome) => ({ value: counts[outcome], labels: { outcome } }));
  const byKind = problems.map(({ kind, count }) => ({ value: count, labels: { kind } }));
  const sizes = inputs.flatMap(({ bytes }) => bytes ?? []);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const size = 'Size of the inputs on disk; absent if that of one is unknown';
  return [
    ['docferry_records', 'Records that the run read, by outcome', byOutcome],
    ['docferry_problems', 'Problems of records, by kind; a record may have several', byKind],
    ['docferry_inputs', 'Inputs of the run', inputs.length],
    ['docferry_input_bytes', size, sizes.length < inputs.length ? [] : bytes],
  ];
}

/** Labels for other than HTTP statuses. */
const STATUS_LABELS: Readonly<Record<string, string>> = {
  'no answer': 'none',
  'other values': 'other',
};

function sendingFamilies({ batches, retries, delivery }: Report): readonly Family[] {
  const { statuses = [], latency = null } = delivery ?? {};
  const byStatus = statuses.map(({ value, count }) => {
    return { value: count, labels: { status: STATUS_LABELS[value] ?? value } };
  });
  const took = latency === null ? [] : latencySamples(latency);
  const duration = 'docferry_request_duration_seconds';
  const responses = 'Requests with documents by the HTTP status of the answer';
  return [
    ['docferry_batches', 'Requests with documents, retries among them', batches],
    ['docferry_retries', 'Requests with documents that were made again', retries],
    ['docferry_responses', responses, byStatus],
    [duration, 'How long requests with documents took', took, 'summary'],
  ];
}

/** Converts milliseconds to seconds. The mean, and so the sum, has four digits. */
function latencySamples({ count, mean, most, quantiles }: NumberFigures): readonly Sample[] {
  const { p50, p75, p95 } = quantiles;
  const shares = [...Object.entries({ 0.5: p50, 0.75: p75, 0.95: p95 }), ['1', most] as const];
  return [
    ...shares.map(([quantile, ms]) => ({ value: ms / 1_000, labels: { quantile } })),
    { suffix: '_sum', value: (mean * count) / 1_000 },
    { suffix: '_count', value: count },
  ];
}

/** Formats the samples of a name; nothing if there are none. */
function familyText([name, help, values, type = 'gauge']: Family, labels: Labels): string {
  const samples: readonly Sample[] = typeof values === 'number' ? [{ value: values }] : values;
  if (samples.length === 0) return '';
  const lines = samples.map(({ value, suffix = '', labels: own }) => {
    return `${seriesText(`${name}${suffix}`, { ...labels, ...own })} ${value}`;
  });
  return [`# HELP ${name} ${help}.`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function seriesText(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return `${name}{${pairs.join(',')}}`;
}

/** Escapes a label as the format requires; invalid UTF-8 would make the whole file unreadable. */
function escapeLabel(value: string): string {
  const whole = Buffer.from(value).toString();
  return whole.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Value of a series in an earlier text; 0 if absent. */
function valueBefore(text: string | undefined, series: string): number {
  const line = text?.split('\n').find((line) => line.startsWith(`${series} `));
  const value = Number(line?.slice(series.length));
  return Number.isFinite(value) ? value : 0;
}
