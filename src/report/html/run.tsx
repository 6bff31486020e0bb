import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { byteSize, count, duration, thousands } from '../../model/figures.js';
import type { InputReport } from '../../outcomes/events.js';
import type { Report } from '../report.js';
import { type Bounds, Cut, Foreign, OutcomeBar, outcomesText, Section, Table } from './parts.js';

/** Sections on inputs, notices, rejects and the run. */
export function RunSections(props: Bounds & { readonly report: Report }): JSX.Element {
  const { report, maxRows } = props;
  return (
    <>
      <Inputs inputs={report.inputs} maxRows={maxRows} />
      <Notices notices={report.notices} maxRows={maxRows} />
      <Rejects rejects={report.rejects} maxRows={maxRows} />
      <Run report={report} />
    </>
  );
}

function Inputs(props: Bounds & { readonly inputs: Report['inputs'] }): JSX.Element {
  const { inputs, maxRows } = props;
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
          <Outcomes counts={input.counts} />,
          thousands(input.records),
        ]}
        cut={{ maxRows, what: 'inputs' }}
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
function Outcomes({ counts }: { readonly counts: InputReport['counts'] | undefined }): Child {
  if (counts === undefined) return null;
  return (
    <>
      <OutcomeBar counts={counts} />
      <small class="line">{outcomesText(counts)}</small>
    </>
  );
}

function Notices(props: Bounds & { readonly notices: Report['notices'] }): Child {
  const { notices, maxRows } = props;
  if (notices.length === 0) return null;
  return (
    <Section id="notices" title="Notices">
      <ul class="notices">
        {notices.slice(0, maxRows).map((notice) => (
          <li>
            {notice.split('\n').map((line) => (
              <div>
                <Foreign text={line} />
              </div>
            ))}
          </li>
        ))}
      </ul>
      <Cut total={notices.length} max={maxRows} what="notices" />
    </Section>
  );
}

function Rejects(props: Bounds & { readonly rejects: Report['rejects'] }): Child {
  const { rejects, maxRows } = props;
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
        cut={{ maxRows, what: 'files' }}
      />
    </Section>
  );
}

function Run({ report }: { readonly report: Report }): JSX.Element {
  const { run, command, mapping, target, stop, resumable } = report;
  const speed = `${duration(report.elapsedMs)}, ${thousands(report.recordsPerSecond)} records a second`;
  const facts: readonly (readonly [string, Child])[] = [
    ['Run', <Foreign text={run} />],
    ['Command', command],
    ['Status', stop === null ? report.status : `${report.status} (${stop.kind})`],
    ['Mapping', <Foreign text={mapping} />],
    ...(target === null
      ? []
      : ([
          ['Service', <Foreign text={target.baseUrl} />],
          ['Monitoring', `${target.monitoring}`],
        ] as const)),
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
