/** How documents were sent, and what the service said. */
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, thousands } from '../../model/figures.js';
import type { Report } from '../report.js';
import { type Bounds, Cut, Foreign, Section, Table } from './parts.js';

/** The section of an import's requests; a validation has none. */
export function Delivery(props: Bounds & { readonly report: Report }): Child {
  const { report, maxRows } = props;
  if (report.command === 'validate') return null;
  return (
    <Section id="delivery" title="Delivery" lead={leadOf(report)}>
      <Unknown unknown={report.unknown} maxRows={maxRows} />
    </Section>
  );
}

function leadOf({ batches, retries, refusals }: Report): string {
  const again =
    retries === 0
      ? 'none of them a retry'
      : `${retries === 1 ? '1 retry' : `${thousands(retries)} retries`} among them`;
  const sent = `${count(batches, 'request')} with documents${batches === 0 ? '' : `, ${again}`}.`;
  if (refusals === null) return sent;
  const taken = refusals === 'atomic' ? 'none' : 'some';
  return `${sent} Of a batch that it refuses, the service takes ${taken} of the documents.`;
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
        rows={unknown
          .slice(0, maxRows)
          .map(({ source, from, to }) => [
            <Foreign text={source} />,
            thousands(from),
            thousands(to),
          ])}
      />
      <Cut total={unknown.length} max={maxRows} what="ranges" />
    </>
  );
}
