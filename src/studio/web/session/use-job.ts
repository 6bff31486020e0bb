/** State of a check of the whole file, a rehearsal, or an import. */
import { useRef, useState } from 'preact/hooks';
import type { Report } from '../../../index.js';
import type { Progress } from '../../../outcomes/events.js';
import type { JobLine } from '../../wire.js';
import { AnswerError, followJob, request } from './ask.js';

export interface FollowedJob {
  readonly job: 'validate' | 'rehearse' | 'import';
  /** Names this run, so that no other tab's is cancelled. */
  readonly name: string;
  readonly state: 'none' | 'running' | 'ended' | 'failed' | 'cancelled';
  /** Text of the mapping it was started with. */
  readonly text: string;
  /** The day from which its dates counted back. */
  readonly asOf?: string | undefined;
  readonly notices: readonly string[];
  readonly progress?: Progress;
  readonly report?: Report;
  /** The address of the report's page. */
  readonly page?: string;
  /** Version of the file when it was started. */
  readonly stamp?: string;
  /** Why there is no report. */
  readonly failure?: string;
}

export interface JobStart {
  readonly text: string;
  readonly asOf: string | undefined;
  /** For an import: the id of the monitoring, and the version of the file that was checked. */
  readonly monitoring?: number;
  readonly stamp?: string | undefined;
}

const NONE: FollowedJob = { job: 'validate', name: '', state: 'none', text: '', notices: [] };
const STOPPED =
  'The studio stopped before the run ended. An import remembers what it sent: docferry runs list shows it.';

export function useJob() {
  const [run, setRun] = useState(NONE);
  const stop = useRef<AbortController>(undefined);
  return { ...run, start, cancel };

  function cancel(): void {
    // What was sent has to be reported.
    if (run.job === 'import') {
      void request('/api/interrupt', { body: { job: run.name } }).catch(() => {});
    } else stop.current?.abort();
  }

  function start(job: FollowedJob['job'], { text, asOf, ...target }: JobStart): void {
    stop.current = new AbortController();
    const { signal } = stop.current;
    const name = crypto.randomUUID();
    setRun({ ...NONE, job, name, state: 'running', text, asOf });
    const take = (line: JobLine): void => setRun((before) => withLine(before, line));
    followJob(`/api/${job}`, { body: { text, asOf, ...target, job: name }, signal }, take).then(
      () => setRun((before) => (before.state === 'running' ? failed(before, STOPPED) : before)),
      (error: unknown) => {
        const failure = error instanceof AnswerError ? error.message : STOPPED;
        const state = signal.aborted ? 'cancelled' : 'failed';
        setRun((before) => ({ ...before, state, failure }));
      },
    );
  }
}

function withLine(run: FollowedJob, line: JobLine): FollowedJob {
  switch (line.type) {
    case 'notice':
      return { ...run, notices: [...run.notices, line.message] };
    case 'report':
      return { ...run, ...line, state: 'ended' };
    case 'failed':
      return failed(run, line.message);
    default:
      return { ...run, ...line };
  }
}

function failed(run: FollowedJob, failure: string): FollowedJob {
  return { ...run, state: 'failed', failure };
}
