import { html } from 'hono/html';
import { count, duration, thousands } from '../../model/figures.js';
import type { Report } from '../report.js';
import { speedChart } from './charts.js';
import { spread } from './documents.js';
import { type Content, chart, decimal, foreign, type Html, section, shares } from './parts.js';

/** How documents were sent, and the service's responses. */
export function deliverySection(report: Report): Html {
  return section('delivery', 'Delivery', leadOf(report), charts(report));
}

function charts({ delivery }: Report): Content {
  if (delivery === null || delivery.timeline.length === 0) return null;
  const { timeline, latency, statuses } = delivery;
  const answers = statuses.reduce((sum, { count }) => sum + count, 0);
  const rows = timeline.map(
    ({ atMs, ...point }) =>
      [duration(atMs), point.read, point.accepted, decimal(point.inFlight)] as const,
  );
  const columns = ['From', 'Read', 'Accepted', 'In flight'] as const;
  const speed = 'The area: accepted by the service. The line: read.';
  return html`<div class="cards">
${chart('Records a second', speed, speedChart(timeline), { rows, columns })}
${latency && spread('Time of a request', latency, latency.count, { unit: ' ms' })}
${shares(
  'Answers',
  'HTTP statuses of requests with documents.',
  statuses.map(({ value, count }) => ({ value: foreign(value), count })),
  answers,
)}</div>`;
}

/** Meanings of statuses that usually end well. */
const REASONS: Readonly<Record<string, string>> = {
  '413': 'too large',
  '429': 'asked to slow down',
  'no answer': 'no answer',
};

/** Counts what was sent again, and why. A request without an answer may have arrived. */
function leadOf({ run, batches, retries, delivery, problems }: Report): string {
  const requests = count(batches, 'request');
  const failed = (delivery?.statuses ?? []).filter(({ value }) => !value.startsWith('2'));
  const reasons = failed.map(({ value, count }) => {
    return `${REASONS[value] ?? `status ${value}`} (${thousands(count)})`;
  });
  const again = retries === 0 ? 'none of them' : `${thousands(retries)} of them`;
  const why =
    reasons.length === 0
      ? ''
      : ` Not accepted at once: ${reasons.join(', ')}. If that is usual, ask the support of the service (run ${run}).`;
  const twice = problems.find(({ kind }) => kind === 'sent-again')?.count ?? 0;
  const risk = twice === 0 ? '' : ` ${count(twice, 'document')} may be there twice.`;
  return `${requests} with documents, ${again} sent again.${why}${risk}`;
}
