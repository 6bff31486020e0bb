/** Runs over the whole file: a check, a rehearsed import, and the real one. */
import type { Report } from '../../../index.js';
import { Button, counted, figure, Notices, Panel, untrusted } from '../parts.js';
import type { FollowedJob } from '../session/use-job.js';
import { useSession } from '../session/use-session.js';
import { NextImport } from './next-import.js';

export function CheckScreen() {
  const { text, asOf, isWrong, isOpen, pending, run } = useSession();
  const isRunning = run.state === 'running';
  const start = (job: 'validate' | 'rehearse') => ({
    disabled: isRunning || isWrong || !isOpen || pending.length > 0,
    onClick: () => run.start(job, { text, asOf }),
  });
  return (
    <>
      <Panel title="Check">
        <p>
          A check reads, maps and validates every record. A rehearsal also imports them, into a
          sandbox on this machine, which is deleted afterwards. Neither contacts the service.
        </p>
        <div class="actions">
          <Button text="Check the whole file" class="first" {...start('validate')} />
          <Button text="Rehearse the import" {...start('rehearse')} />
          {isRunning && <Button text="Cancel" onClick={run.cancel} />}
        </div>
        {isWrong && <p class="wrong">The mapping has mistakes. Correct them first.</p>}
        <RunState />
      </Panel>
      <NextImport />
      {run.page !== undefined && (
        <Panel title="Report" aside={reportLink(run.page)}>
          <iframe title="Report" src={run.page} sandbox="allow-scripts" />
        </Panel>
      )}
    </>
  );
}

function RunState() {
  const { run, text, asOf } = useSession();
  const { state, job, progress, notices, report, failure } = run;
  return (
    <div role="status">
      {state === 'running' && <JobProgress of={progress} />}
      {state === 'cancelled' && <p>Cancelled: there is no report.</p>}
      {state === 'failed' && <p class="wrong">{untrusted(failure)}</p>}
      {report !== undefined && (
        <p class={`verdict ${report.exitCode === 0 ? '' : 'bad'}`}>{verdict(job, report)}</p>
      )}
      {state === 'ended' && job !== 'import' && (text !== run.text || asOf !== run.asOf) && (
        <p class="todo">
          The {text === run.text ? 'day of the export' : 'mapping'} has changed since. Run it again.
        </p>
      )}
      <Notices of={notices} />
    </div>
  );
}

function JobProgress({ of }: { of: FollowedJob['progress'] }) {
  if (of === undefined) return <p>Starting.</p>;
  const { bytesRead, bytesTotal, counts } = of;
  const done = bytesTotal === null ? {} : { max: bytesTotal, value: bytesRead };
  return (
    <p>
      <progress aria-label="Progress" {...done} /> {counted(counts.read, 'record')} read
    </p>
  );
}

/** For example `20 of 24 records are valid, 1 invalid, 3 skipped.` */
function verdict(job: FollowedJob['job'], { counts, target }: Report): string {
  const isCheck = job === 'validate';
  const goodName = isCheck ? 'unsent' : 'accepted';
  const good = counts[goodName];
  const others = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 || name === 'read' || name === goodName ? [] : [`, ${figure(count)} ${name}`],
  );
  const share = `${figure(good)} of ${counted(counts.read, 'record')}`;
  const isOne = good === 1 ? 'is' : 'are';
  // Only a sandbox is called without TLS.
  const taker = target?.baseUrl.startsWith('https:') ? 'service' : 'sandbox';
  return `${isCheck ? `${share} ${isOne} valid` : `The ${taker} accepted ${share}`}${others.join('')}.`;
}

function reportLink(page: string) {
  return (
    <a href={page} target="_blank" rel="noreferrer">
      Open in a new tab
    </a>
  );
}
