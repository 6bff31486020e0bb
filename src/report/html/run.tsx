import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { byteSize, count, duration, thousands } from '../../model/figures.js';
import type { InputReport } from '../../outcomes/events.js';
import type { Report } from '../report.js';
import { Foreign, MAX_ROWS, Omitted, OutcomeBar, outcomesText, Section, Table } from './parts.js';

export function Inputs({ inputs, command }: Pick<Report, 'inputs' | 'command'>): JSX.Element {
  return (
    <Section id="inputs" title="Inputs">
      <Table
        caption="Inputs"
        columns={['Input', 'Outcomes', { figures: 'Records' }]}
        rows={inputs}
        cells={(input) => [
          <>
            <Foreign text={input.name} />
            <small class="line">
              <Foreign text={readAs(input)} />
            </small>
          </>,
          <Outcomes counts={input.counts} command={command} />,
          thousands(input.records),
        ]}
        what="inputs"
      />
    </Section>
  );
}

function readAs({ format, encoding, delimiter, compression, bytes }: InputReport): string {
  const shown = delimiter === null ? null : `delimiter ${JSON.stringify(delimiter)}`;
  const size = bytes === null ? null : byteSize(bytes);
  return [format, encoding, shown, compression, size].filter((fact) => fact !== null).join(', ');
}

/** Absent in reports of earlier versions. */
function Outcomes(props: {
  readonly counts: InputReport['counts'] | undefined;
  readonly command: Report['command'];
}): Child {
  const { counts, command } = props;
  if (counts === undefined) return null;
  return (
    <>
      <OutcomeBar counts={counts} />
      <small class="line">{outcomesText(counts, command)}</small>
    </>
  );
}

export function Notices({ notices }: Pick<Report, 'notices'>): Child {
  if (notices.length === 0) return null;
  return (
    <Section id="notices" title="Notices">
      <ul class="notices">
        {notices.slice(0, MAX_ROWS).map((notice) => (
          <li>
            {notice.split('\n').map((line) => (
              <div>
                <Foreign text={line} />
              </div>
            ))}
          </li>
        ))}
      </ul>
      <Omitted total={notices.length} what="notices" />
    </Section>
  );
}

export function Rejects({ rejects }: Pick<Report, 'rejects'>): Child {
  if (rejects.length === 0) return null;
  const lead = 'Records that were not accepted, as they were read, to fix and import again.';
  return (
    <Section id="rejects" title="Rejects" lead={lead}>
      <Table
        caption="Rejects"
        columns={['File', 'Reasons', { figures: 'Records' }]}
        rows={rejects}
        cells={({ file, reasons, records }) => [
          <Foreign text={file} />,
          <Foreign text={reasons} />,
          thousands(records),
        ]}
        what="files"
      />
    </Section>
  );
}

export function Run({ report }: { readonly report: Report }): JSX.Element {
  const { run, command, mapping, target, stop, resumable } = report;
  const speed = `${duration(report.elapsedMs)}, ${thousands(report.recordsPerSecond)} records a second`;
  const facts: readonly (readonly [string, Child])[] = [
    ['Run', <Foreign text={run} />],
    ['Command', command],
    ['Status', stop === null ? report.status : `${report.status} (${stop.kind})`],
    ['Mapping', <Foreign text={mapping} />],
    ['Service', target === null ? 'none' : <Foreign text={target.baseUrl} />],
    ['Monitoring', target === null ? 'none' : `${target.monitoring}`],
    ['Time', speed],
    ['Inputs', count(report.inputs.length, 'input')],
    ['Can be resumed', resumable ? 'yes' : 'no'],
  ];
  return (
    <Section id="run" title="Run">
      <dl class="run">
        {facts.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
