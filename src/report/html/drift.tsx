import type { Child } from 'hono/jsx';
import { count } from '../../model/figures.js';
import type { Report } from '../report.js';
import { Foreign, Section, Table } from './parts.js';

/**
 * Differences between the inputs and what the mapping expects. Absent in reports of earlier
 * versions.
 */
export function Drift({ drift }: { readonly drift: Report['drift'] | undefined }): Child {
  if (drift == null) return null;
  if (drift.length === 0) {
    return <Section id="drift" title="Drift" lead="The inputs match what the mapping expects." />;
  }
  return (
    <Section
      id="drift"
      title="Drift"
      lead={`${count(drift.length, 'difference')} from what the mapping expects, accepted for this run.`}
    >
      <Table
        caption="Drift"
        columns={['Input', 'What', 'Expected', 'Found']}
        rows={drift}
        cells={({ source, kind, name, expected, found }) => [
          <Foreign text={source} />,
          <>
            {NAMES[kind]}
            {name === null ? '' : ' '}
            {name === null ? null : <Foreign text={name} />}
          </>,
          <Foreign text={expected} />,
          <Foreign text={found} />,
        ]}
        what="differences"
      />
    </Section>
  );
}

const NAMES: Readonly<Record<NonNullable<Report['drift']>[number]['kind'], string>> = {
  columns: 'Columns',
  blank: 'Blank cells of',
  invalid: 'Invalid records',
  skipped: 'Skipped records',
  metric: 'Range of',
  dates: 'Dates',
  language: 'Share of the language',
  length: 'Median length of texts',
};
