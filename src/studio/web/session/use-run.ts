/** State of a check of the whole file, or of a rehearsal. */
import { useRef, useState } from 'preact/hooks';
import type { Report } from '../../../index.js';
import type { Progress } from '../../../outcomes/events.js';
import type { RunLine } from '../../wire.js';
import { AnswerError, follow } from './ask.js';

export interface FollowedRun {
  readonly job: 'validate' | 'rehearse';
  readonly state: 'none' | 'running' | 'ended' | 'failed' | 'cancelled';
  /** Text of the mapping it was started with. */
  readonly text: string;
  readonly progress: Progress | undefined;
  readonly notices: readonly string[];
  readonly report: Report | undefined;
  /** The address of the report's page. */
  readonly page: string;
  /** First imported documents as the sandbox returns them. */
  readonly documents: readonly unknown[];
  /** Why there is no report. */
  readonly failure: string;
}

export interface RunControls extends FollowedRun {
  start(job: FollowedRun['job'], text: string): void;
  cancel(): void;
}

const NOT_STARTED: FollowedRun = {
  job: 'validate',
  state: 'none',
  text: '',
  progress: undefined,
  notices: [],
  report: undefined,
  page: '',
  documents: [],
  failure: '',
};

export function useRun(): RunControls {
  const [run, setRun] = useState(NOT_STARTED);
  const stop = useRef<AbortController>(undefined);
  return { ...run, start, cancel };

  function start(job: FollowedRun['job'], text: string): void {
    const controller = new AbortController();
    stop.current = controller;
    setRun({ ...NOT_STARTED, job, state: 'running', text });
    const request = { body: { text }, signal: controller.signal };
    follow(`/api/${job}`, request, (line) => setRun((before) => withLine(before, line))).then(
      () => setRun(withoutReport),
      (error: unknown) => setRun((before) => withFailure(before, error, controller.signal)),
    );
  }

  function cancel(): void {
    stop.current?.abort();
  }
}

function withLine(run: FollowedRun, line: RunLine): FollowedRun {
  switch (line.type) {
    case 'progress':
      return { ...run, progress: line.progress };
    case 'notice':
      return { ...run, notices: [...run.notices, line.message] };
    case 'documents':
      return { ...run, documents: line.documents };
    case 'report':
      return { ...run, state: 'ended', report: line.report, page: line.page };
    case 'failed':
      return { ...run, state: 'failed', failure: line.message };
  }
}

function withoutReport(run: FollowedRun): FollowedRun {
  if (run.state !== 'running') return run;
  return { ...run, state: 'failed', failure: 'The studio stopped before the run ended.' };
}

function withFailure(run: FollowedRun, error: unknown, signal: AbortSignal): FollowedRun {
  if (signal.aborted) return { ...run, state: 'cancelled' };
  const failure =
    error instanceof AnswerError ? error.message : 'The studio stopped before the run ended.';
  return { ...run, state: 'failed', failure };
}
