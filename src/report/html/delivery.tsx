import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, duration, thousands } from '../../model/figures.js';
import type { Report } from '../report.js';
import { speedChart } from './charts.js';
import { Spread } from './documents.js';
import { Chart, decimal, Foreign, Section, Shares, Table } from './parts.js';

/** How documents were sent, and the service's responses; nothing for a validation. */
export function Delivery({ report }: { readonly report: Report }): Child {
  if (report.command === 'validate') return null;
  return (
    <Section id="delivery" title="Delivery" lead={leadOf(report)}>
      <Figures delivery={report.delivery} />
      <Unknown unknown={report.unknown} />
    </Section>
  );
}

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
        table={
          <Table
            caption="Over time"
            columns={['From', ...TIMELINE.map(([figures]) => ({ figures }))]}
            rows={timeline}
            cells={(point) => [
              duration(point.atMs),
              ...TIMELINE.map(([, name]) => decimal(point[name])),
            ]}
          />
        }
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

const TIMELINE = [
  ['Read', 'read'],
  ['Accepted', 'accepted'],
  ['In flight', 'inFlight'],
] as const;

function leadOf({ batches, retries }: Report): string {
  const again =
    retries === 0
      ? 'none of them a retry'
      : `${retries === 1 ? '1 retry' : `${thousands(retries)} retries`} among them`;
  return `${count(batches, 'request')} with documents${batches === 0 ? '' : `, ${again}`}.`;
}

function Unknown({ unknown }: Pick<Report, 'unknown'>): JSX.Element | null {
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
        what="ranges"
      />
    </>
  );
}
