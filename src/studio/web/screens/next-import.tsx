/** What follows a check: the import, made here if the studio has a connection, else by a command. */
import { useState } from 'preact/hooks';
import type { MonitoringSummary } from '../../../api/index.js';
import type { Mapping } from '../../../mapping/mapping.js';
import { undatedFields } from '../../../mapping/rules.js';
import { printable } from '../../../model/text.js';
import type { MonitoringsAnswer } from '../../wire.js';
import {
  Button,
  CopiedCommand,
  counted,
  Dialog,
  ErrorMessage,
  Input,
  Panel,
  Select,
  untrusted,
} from '../parts.js';
import { SaveButton } from '../save-dialog.js';
import { request, useAnswer } from '../session/ask.js';
import type { FollowedJob } from '../session/use-job.js';
import { type MappingSession, useSession } from '../session/use-session.js';

export function NextImport() {
  const { mapping, isSaved, isOpen, isWrong, written, asOf, setDay } = useSession();
  const isUndated = !isWrong && written && undatedFields(written as Mapping, undefined).length > 0;
  if (mapping === undefined || !isOpen) return null;
  if (!isSaved) {
    return (
      <Panel title="Next: the import">
        <p>Save {untrusted(mapping.name)} first: the import reads it from the disk.</p>
        <SaveButton />
      </Panel>
    );
  }
  const { service } = mapping;
  const hasDay = !isUndated || asOf !== undefined;
  return (
    <Panel title="Next: the import">
      {isUndated && (
        <Input
          label="Day of the export, from which dates like “2 weeks ago” count back"
          type="date"
          value={asOf ?? ''}
          sketch={setDay}
        />
      )}
      {service === null ? (
        <NextCommand isUndated={Boolean(isUndated)} hasDay={hasDay} />
      ) : (
        <ImportHere service={service} hasDay={hasDay} />
      )}
    </Panel>
  );
}

/** Imports into the service that the studio was started with, after a confirmation. */
function ImportHere({ service, hasDay }: { service: string; hasDay: boolean }) {
  const { text, asOf, run, openQuestions } = useSession();
  const [id, setId] = useState('');
  const [isAsking, setAsking] = useState(false);
  const load = (signal: AbortSignal) => request<MonitoringsAnswer>('/api/monitorings', { signal });
  const { answer, refused } = useAnswer(load, []);
  const { monitorings = [] } = answer ?? {};
  const chosen = monitorings.find((one) => String(one.id) === id);
  const documents = checkedDocuments(run, text, asOf);
  const options = monitorings.map((one) => [String(one.id), shownMonitoring(one)] as const);
  const start = (monitoring: number): void => {
    setAsking(false);
    run.start('import', { text, asOf, monitoring, stamp: run.stamp });
  };
  return (
    <>
      <ErrorMessage of={refused} />
      <Select
        label="Monitoring to import into"
        value={id}
        options={[['', 'Choose one'], ...options]}
        choose={setId}
      />
      <p class="soft" role="status">
        {missing()}
      </p>
      <Button
        text="Import…"
        class="first"
        disabled={chosen === undefined || missing() !== undefined}
        onClick={() => setAsking(true)}
      />
      {isAsking && chosen !== undefined && documents !== undefined && (
        <Dialog title="Import now?" close={() => setAsking(false)}>
          <p>
            {counted(documents, 'document')} to {untrusted(service)}, into the monitoring{' '}
            {untrusted(shownMonitoring(chosen))}. Those that an earlier import sent are left out.
          </p>
          {openQuestions.length > 0 && (
            <p class="todo">
              {counted(openQuestions.length, 'question')} of the mapping{' '}
              {openQuestions.length === 1 ? 'is' : 'are'} still open.
            </p>
          )}
          <div class="actions">
            <Button text="Don’t import" onClick={() => setAsking(false)} />
            <Button
              text={`Import ${counted(documents, 'document')}`}
              class="first"
              onClick={() => start(chosen.id)}
            />
          </div>
        </Dialog>
      )}
    </>
  );

  function missing(): string | undefined {
    if (answer === undefined) return refused === undefined ? 'Asking the service …' : undefined;
    if (options.length === 0) return 'The service has no monitoring that you can import into.';
    if (!hasDay) return 'Say from which day the dates count back.';
    if (documents === undefined) return uncheckedText(run);
    if (documents === 0) return 'No record became a valid document.';
    return chosen === undefined ? 'Choose a monitoring.' : undefined;
  }
}

/** Why the documents of the file aren't counted, and how they are. */
function uncheckedText({ state, job, report }: FollowedJob): string {
  if (state === 'running') return 'Wait for the end of the run above.';
  if (job !== 'import' || report === undefined) {
    return 'Check the whole file first, to count its documents.';
  }
  return report.status === 'finished'
    ? 'The import is done, and its report is below. Before the next one, check the whole file again.'
    : 'The import ended early: its report below says why. To send the rest, check the whole file again, then import it.';
}

/** Valid documents of the whole file, if it was checked with this mapping and day. */
function checkedDocuments(
  { job, state, report, ...run }: FollowedJob,
  text: string,
  asOf: MappingSession['asOf'],
): number | undefined {
  const isOfThis = state === 'ended' && run.text === text && run.asOf === asOf;
  if (!isOfThis || report === undefined || job === 'import') return undefined;
  return job === 'validate' ? report.counts.unsent : report.counts.accepted;
}

function shownMonitoring({ id, title }: MonitoringSummary): string {
  return `${printable(title)} (${id})`;
}

/** The command for the real import, complete once the monitoring is known. */
function NextCommand({ isUndated, hasDay }: { isUndated: boolean; hasDay: boolean }) {
  const { mapping, asOf } = useSession();
  const [id, setId] = useState('');
  if (mapping === undefined) return null;
  const isId = /^[1-9]\d*$/u.test(id);
  const command = (monitoring: string) =>
    mapping.commands.import.replace(/ID$/u, monitoring) +
    (isUndated || asOf !== undefined ? ` --as-of ${asOf ?? 'DATE'}` : '');
  return (
    <>
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
      <h3>Try it without the service, in a sandbox that stays</h3>
      <CopiedCommand command={`${command(isId ? id : '1')} --sandbox`} isComplete={hasDay} />
    </>
  );
}

function idHint(id: string, isId: boolean, list: string): string {
  if (isId) return 'The command is complete. Run it where your credentials are set.';
  if (id !== '') return `“${id}” is not an id. It is a whole number of at least 1.`;
  return `A whole number. To list the monitorings, run: ${list}`;
}
