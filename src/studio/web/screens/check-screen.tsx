/** Runs over the whole file: a check or a rehearsed import, and then the command for the real one. */
import { useState } from 'preact/hooks';
import type { Report } from '../../../index.js';
import type { Mapping } from '../../../mapping/mapping.js';
import { undatedFields } from '../../../mapping/rules.js';
import {
  Button,
  CopiedCommand,
  counted,
  figure,
  Input,
  Notices,
  Panel,
  untrusted,
} from '../parts.js';
import { SaveButton } from '../save-dialog.js';
import type { FollowedJob } from '../session/use-job.js';
import { useSession } from '../session/use-session.js';

export function CheckScreen() {
  const { text, asOf, isWrong, isOpen, pending, run } = useSession();
  const isRunning = run.state === 'running';
  const start = (job: FollowedJob['job']) => ({
    disabled: isRunning || isWrong || !isOpen || pending.length > 0,
    onClick: () => run.start(job, text, asOf),
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
      <NextCommand />
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
      {state === 'ended' && (text !== run.text || asOf !== run.asOf) && (
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
function verdict(job: FollowedJob['job'], { counts }: Report): string {
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

/** The command for the real import, complete once the mapping is saved and the monitoring is known. */
function NextCommand() {
  const { mapping, isSaved, isOpen, isWrong, written, asOf, setDay } = useSession();
  const isUndated = !isWrong && written && undatedFields(written as Mapping, undefined).length > 0;
  const [id, setId] = useState('');
  if (mapping === undefined || !isOpen) return null;
  if (!isSaved) {
    return (
      <Panel title="Next: the import">
        <p>Save {untrusted(mapping.name)} first: the commands read it from the disk.</p>
        <SaveButton />
      </Panel>
    );
  }
  const isId = /^[1-9]\d*$/u.test(id);
  const hasDay = !isUndated || asOf !== undefined;
  const command = (monitoring: string) =>
    mapping.commands.import.replace(/ID$/u, monitoring) +
    (isUndated || asOf !== undefined ? ` --as-of ${asOf ?? 'DATE'}` : '');
  return (
    <Panel title="Next: the import">
      <Input
        label="Id of the monitoring to import into"
        inputMode="numeric"
        autocomplete="off"
        value={id}
        aria-invalid={id !== '' && !isId}
        aria-describedby="id-hint"
        sketch={(value) => setId(value.trim())}
      />
      <p class="soft" id="id-hint" role="status">
        {idHint(id, isId, mapping.commands.monitorings)}
      </p>
      <h3>Import it</h3>
      <CopiedCommand command={command(isId ? id : 'ID')} isComplete={isId && hasDay} />
      {isUndated && (
        <Input
          label="Day of the export, from which dates like “2 weeks ago” count back"
          type="date"
          value={asOf ?? ''}
          sketch={setDay}
        />
      )}
      <h3>Try it without the service, in a sandbox that stays</h3>
      <CopiedCommand command={`${command(isId ? id : '1')} --sandbox`} isComplete={hasDay} />
    </Panel>
  );
}

function idHint(id: string, isId: boolean, list: string): string {
  if (isId) return 'The command is complete. Run it where your credentials are set.';
  if (id !== '') return `“${id}” is not an id. It is a whole number of at least 1.`;
  return `A whole number. To list the monitorings, run: ${list}`;
}

function reportLink(page: string) {
  return (
    <a href={page} target="_blank" rel="noreferrer">
      Open in a new tab
    </a>
  );
}
