/** Runs over the whole file: a check, and a rehearsed import. */
import type { JSX } from 'preact';
import type { Report } from '../../../index.js';
import { CopiedCommand, counted, figure, Notices, Panel, UntrustedText } from '../parts.js';
import type { FollowedRun, RunControls } from '../session/use-run.js';
import type { MappingSession } from '../session/use-session.js';

interface RunProps {
  readonly session: MappingSession;
  readonly run: RunControls;
}

export function CheckScreen({ session, run }: RunProps): JSX.Element {
  return (
    <>
      <Panel
        title="Check the whole file"
        aside={<RunButtons session={session} run={run} verb="Check" />}
      >
        <p>Every record is read, mapped and validated. Nothing is sent.</p>
        <RunState session={session} run={run} />
        {session.mapping === undefined ? null : (
          <CopiedCommand command={session.mapping.commands.validate} />
        )}
      </Panel>
      <ReportFrame run={run} />
    </>
  );
}

export function RehearseScreen({ session, run }: RunProps): JSX.Element {
  return (
    <>
      <Panel
        title="Rehearse the import"
        aside={<RunButtons session={session} run={run} verb="Rehearse" />}
      >
        <p>
          The whole file is imported into a sandbox on this machine, which is thrown away
          afterwards.
        </p>
        <RunState session={session} run={run} />
        {session.mapping === undefined ? null : (
          <>
            <p>For the real import, save the mapping and run, with the id of your monitoring:</p>
            <CopiedCommand command={session.mapping.commands.import} />
          </>
        )}
      </Panel>
      {run.documents.length === 0 ? null : (
        <Panel title="What the service would return">
          {run.documents.map((document, index) => (
            <details key={index} open={index === 0}>
              <summary>Document {index + 1}</summary>
              <pre>
                <UntrustedText value={JSON.stringify(document, null, 2)} />
              </pre>
            </details>
          ))}
        </Panel>
      )}
      <ReportFrame run={run} />
    </>
  );
}

function RunButtons({ session, run, verb }: RunProps & { readonly verb: string }): JSX.Element {
  const { mistakes, isOpen, text } = session;
  const isWrong = mistakes.some(({ severity }) => severity === 'error');
  return (
    <div class="actions">
      {run.state === 'running' ? (
        <button type="button" onClick={run.cancel}>
          Cancel
        </button>
      ) : null}
      <button
        type="button"
        class="first"
        disabled={run.state === 'running' || isWrong || !isOpen}
        onClick={() => run.start(text)}
      >
        {run.state === 'none' ? verb : `${verb} again`}
      </button>
    </div>
  );
}

function RunState({ session, run }: RunProps): JSX.Element {
  const { state, progress, notices, report, text, failure } = run;
  return (
    <div role="status">
      {state === 'running' ? <RunProgress of={progress} /> : null}
      {state === 'cancelled' ? <p>Cancelled: there is no report.</p> : null}
      {state === 'failed' ? (
        <p class="refusal">
          <UntrustedText value={failure} />
        </p>
      ) : null}
      <Notices of={notices} />
      {report === undefined ? null : <Verdict of={report} />}
      {state === 'ended' && text !== session.text ? (
        <p class="refusal">The mapping has changed since this run.</p>
      ) : null}
    </div>
  );
}

function RunProgress({ of: progress }: { readonly of: FollowedRun['progress'] }): JSX.Element {
  if (progress === undefined) return <p>Starting.</p>;
  const { bytesRead, bytesTotal, counts } = progress;
  return (
    <p>
      {bytesTotal === null ? (
        <progress aria-label="Progress" />
      ) : (
        <progress aria-label="Progress" max={bytesTotal} value={bytesRead} />
      )}{' '}
      {counted(counts.read, 'record')} read
    </p>
  );
}

function Verdict({ of: { counts } }: { readonly of: Report }): JSX.Element {
  const outcomes = Object.entries(counts).filter(([name, count]) => count > 0 && name !== 'read');
  const parts = outcomes.map(([name, count]) => `${figure(count)} ${name}`);
  return (
    <p class="verdict">
      {counted(counts.read, 'record')} read: {parts.join(', ')}.
    </p>
  );
}

function ReportFrame({ run: { page } }: { readonly run: FollowedRun }): JSX.Element | null {
  if (page === '') return null;
  return (
    <Panel
      title="Report"
      aside={
        <a href={page} target="_blank" rel="noreferrer">
          Open in a new tab
        </a>
      }
    >
      <iframe title="Report" src={page} sandbox="allow-scripts" />
    </Panel>
  );
}
