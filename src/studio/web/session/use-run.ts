/** A check of the whole file, or a rehearsal, as far as it is. */
import { useRef, useState } from 'preact/hooks';
import type { Report } from '../../../index.js';
import type { Progress } from '../../../outcomes/events.js';
import type { RunLine } from '../../wire.js';
import { AnswerError, follow } from './ask.js';

export interface FollowedRun {
  readonly state: 'none' | 'running' | 'ended' | 'failed' | 'cancelled';
  /** The mapping that it is of. */
  readonly text: string;
  readonly progress: Progress | undefined;
  readonly notices: readonly string[];
  readonly report: Report | undefined;
  /** The address of the report's page. */
  readonly page: string;
  /** What the sandbox shows of the documents imported. */
  readonly documents: readonly unknown[];
  /** Why there is no report. */
  readonly failure: string;
}

export interface RunInPage extends FollowedRun {
  start(text: string): void;
  cancel(): void;
}

const NONE: FollowedRun = {
  state: 'none',
  text: '',
  progress: undefined,
  notices: [],
  report: undefined,
  page: '',
  documents: [],
  failure: '',
};

export function useRun(path: string): RunInPage {
  const [run, setRun] = useState(NONE);
  const stop = useRef<AbortController>(undefined);
  return { ...run, start, cancel };

  function start(text: string): void {
    const controller = new AbortController();
    stop.current = controller;
    setRun({ ...NONE, state: 'running', text });
    const question = { body: { text }, signal: controller.signal };
    follow(path, question, (line) => setRun((before) => withLine(before, line))).then(
      () => setRun(atItsEnd),
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

function atItsEnd(run: FollowedRun): FollowedRun {
  if (run.state !== 'running') return run;
  return { ...run, state: 'failed', failure: 'The studio stopped before the end.' };
}

function withFailure(run: FollowedRun, error: unknown, signal: AbortSignal): FollowedRun {
  if (signal.aborted) return { ...run, state: 'cancelled' };
  const failure =
    error instanceof AnswerError ? error.message : 'The studio stopped before the end.';
  return { ...run, state: 'failed', failure };
}
