/** Runs over the whole file: a check or a rehearsed import, and then the command for the real one. */
import type { JSX } from 'preact';
import type { Report } from '../../../index.js';
import type { ImportedDocument } from '../../../model/document.js';
import { counted, figure, Notices, Panel, UntrustedText } from '../parts.js';
import { ReviewCard } from '../review-card.js';
import type { FollowedRun, RunControls } from '../session/use-run.js';
import type { MappingSession } from '../session/use-session.js';
import { NextCommand } from './next-command.js';

interface CheckProps {
  readonly session: MappingSession;
  readonly run: RunControls;
  /** Opens the dialog for saving. */
  save(): void;
}

export function CheckScreen({ session, run, save }: CheckProps): JSX.Element {
  const { text, mistakes, isOpen } = session;
  const isRunning = run.state === 'running';
  const isWrong = mistakes.some(({ severity }) => severity === 'error');
  const start = (job: RunControls['job']) => (
    <button
      type="button"
      class={job === 'validate' ? 'first' : ''}
      disabled={isRunning || isWrong || !isOpen}
      onClick={() => run.start(job, text)}
    >
      {job === 'validate' ? 'Check the whole file' : 'Rehearse the import'}
    </button>
  );
  return (
    <>
      <Panel title="Check">
        <p>
          A check reads, maps and validates every record. A rehearsal also imports them, into a
          sandbox on this machine, which is deleted afterwards. Neither contacts the service.
        </p>
        <div class="actions">
          {start('validate')}
          {start('rehearse')}
          {isRunning ? (
            <button type="button" onClick={run.cancel}>
              Cancel
            </button>
          ) : null}
        </div>
        {isWrong ? <p class="refusal">The mapping has mistakes. Correct them first.</p> : null}
        <RunState run={run} isOld={text !== run.text} />
      </Panel>
      <NextCommand session={session} save={save} />
      {run.documents.length === 0 ? null : (
        <Panel title="What the service would return">
          <p class="soft">The first {counted(run.documents.length, 'document')}.</p>
          <div class="cards">
            {run.documents.map((document, index) => (
              <ReviewCard key={index} of={document as ImportedDocument} />
            ))}
          </div>
        </Panel>
      )}
      <ReportFrame run={run} />
    </>
  );
}

function RunState(props: { readonly run: FollowedRun; readonly isOld: boolean }): JSX.Element {
  const { state, job, progress, notices, report, failure } = props.run;
  return (
    <div role="status">
      {state === 'running' ? <RunProgress of={progress} /> : null}
      {state === 'cancelled' ? <p>Cancelled: there is no report.</p> : null}
      {state === 'failed' ? (
        <p class="refusal">
          <UntrustedText value={failure} />
        </p>
      ) : null}
      {report === undefined ? null : (
        <p class={`verdict ${report.exitCode === 0 ? 'valid' : 'invalid'}`}>
          {verdict(job, report)}
        </p>
      )}
      {state === 'ended' && props.isOld ? (
        <p class="todo">The mapping has changed since. Run it again.</p>
      ) : null}
      <Notices of={notices} />
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

/** For example `20 of 24 records are valid, 1 invalid, 3 skipped.` */
function verdict(job: FollowedRun['job'], { counts }: Report): string {
  const isCheck = job === 'validate';
  const goodName = isCheck ? 'unsent' : 'accepted';
  const good = counts[goodName];
  const others = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 || name === 'read' || name === goodName ? [] : [`, ${figure(count)} ${name}`],
  );
  const share = `${figure(good)} of ${counted(counts.read, 'record')}`;
  const isOne = good === 1 ? 'is' : 'are';
  return `${isCheck ? `${share} ${isOne} valid` : `The sandbox accepted ${share}`}${others.join('')}.`;
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
