import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, duration, thousands } from '../../model/figures.js';
import type { Report } from '../report.js';
import { concurrencyChart, speedChart } from './charts.js';
import { Spread } from './documents.js';
import { type Bounds, Chart, Foreign, Section, Shares, show, Table } from './parts.js';

/** How documents were sent, and the service's responses; nothing for a validation. */
export function Delivery(props: Bounds & { readonly report: Report }): Child {
  const { report, maxRows } = props;
  if (report.command === 'validate') return null;
  return (
    <Section id="delivery" title="Delivery" lead={leadOf(report)}>
      <Figures delivery={report.delivery} />
      <Unknown unknown={report.unknown} maxRows={maxRows} />
    </Section>
  );
}

type DeliveryFigures = NonNullable<Report['delivery']>;

/** Absent in reports of earlier versions. */
function Figures({ delivery }: { readonly delivery: Report['delivery'] | undefined }): Child {
  if (delivery == null || delivery.timeline.length === 0) return null;
  const { timeline, latency, statuses } = delivery;
  const answers = statuses.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="cards">
      <Chart
        title="Records a second"
        text="The area: accepted by the service. The line: read."
        svg={speedChart(timeline)}
        table={<TimelineTable timeline={timeline} columns={SPEED} />}
      />
      <Chart
        title="Requests in flight"
        text={`Up to ${show(Math.max(...timeline.map(({ inFlight }) => inFlight)))}, on average over a span of time.`}
        svg={concurrencyChart(timeline)}
        table={<TimelineTable timeline={timeline} columns={IN_FLIGHT} />}
      />
      {latency === null ? null : (
        <Spread title="Time of a request" figures={latency} of={latency.count} unit="ms" />
      )}
      <Shares
        title="Answers"
        text="HTTP statuses of requests with documents."
        values={statuses.map(({ value, count }) => ({ value: <Foreign text={value} />, count }))}
        whole={answers}
        what="Status"
      />
    </div>
  );
}

function TimelineTable(props: {
  readonly timeline: DeliveryFigures['timeline'];
  readonly columns: readonly (readonly [string, 'read' | 'accepted' | 'requests' | 'inFlight'])[];
}): JSX.Element {
  const { timeline, columns } = props;
  return (
    <Table
      caption="Over time"
      columns={['From', ...columns.map(([figures]) => ({ figures }))]}
      rows={timeline}
      cells={(point) => [duration(point.atMs), ...columns.map(([, name]) => show(point[name]))]}
    />
  );
}

const SPEED = [
  ['Read', 'read'],
  ['Accepted', 'accepted'],
  ['Requests', 'requests'],
] as const;
const IN_FLIGHT = [['In flight', 'inFlight']] as const;

function leadOf({ batches, retries }: Report): string {
  const again =
    retries === 0
      ? 'none of them a retry'
      : `${retries === 1 ? '1 retry' : `${thousands(retries)} retries`} among them`;
  return `${count(batches, 'request')} with documents${batches === 0 ? '' : `, ${again}`}.`;
}

function Unknown(props: Bounds & { readonly unknown: Report['unknown'] }): JSX.Element | null {
  const { unknown, maxRows } = props;
  if (unknown.length === 0) return null;
  return (
    <>
      <h3>Records whose outcome is unknown</h3>
      <Table
        caption="Records whose outcome is unknown"
        columns={['Input', { figures: 'From record' }, { figures: 'To record' }]}
        rows={unknown}
        cells={({ source, from, to }) => [
          <Foreign text={source} />,
          thousands(from),
          thousands(to),
        ]}
        cut={{ maxRows, what: 'ranges' }}
      />
    </>
  );
}
