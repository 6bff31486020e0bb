import type { Progress } from '../../index.js';
import { OptionError } from '../../model/errors.js';
import { followRun } from '../../operations/runs/follow-run.js';
import { EventLog } from '../../report/event-log.js';
import type { Report, RunEvent } from '../../report/report.js';
import { type StateArguments, stateOf } from '../options/connection.js';
import { isStdout, say } from '../print.js';
import { INTERRUPTED, untilInterrupted } from './interruption.js';
import { printEvents } from './print-events.js';
import { showProgress } from './progress-display.js';
import { printRun } from './show-runs.js';

type FollowArguments = StateArguments &
  Parameters<typeof printRun>[1] & { readonly eventsFile?: string };

/** `docferry runs show --follow`; gives the run's exit status, or 4 if it was cut off. */
export async function followOnCommand(args: FollowArguments): Promise<number> {
  const { run, eventsFile: events } = args;
  if (events !== undefined && isStdout(events) && args.json) {
    throw new OptionError(
      `--events ${events} is stdout, which is to have the report (--json): the last event holds the report, or name a file.`,
    );
  }
  const { signal, dispose } = untilInterrupted();
  try {
    const followed = shown(followRun({ state: stateOf(args), run, signal }));
    await handOn(followed.events, args);
    if (signal.aborted) return INTERRUPTED;
    if (events === undefined || !isStdout(events)) await printRun(args, args);
    const report = followed.report();
    if (report === undefined) say(`The run ${run} was cut off.`);
    return report?.exitCode ?? CUT_OFF;
  } finally {
    dispose();
  }
}

const CUT_OFF = 4;

interface Followed {
  readonly events: AsyncIterable<RunEvent>;
  /** Once they have ended: that of the run; `undefined` if it was cut off. */
  readonly report: () => Report | undefined;
}

/** Shows progress beside the events that are handed on. */
function shown(events: AsyncIterable<RunEvent>): Followed {
  let report: Report | undefined;
  return { events: watched(), report: () => report };

  async function* watched(): AsyncGenerator<RunEvent, void, undefined> {
    let progress: Progress | undefined;
    const display = showProgress({ progress: () => progress, notices: () => [] }, process.stderr);
    try {
      for await (const event of events) {
        if (event.type === 'progress') progress = event.progress;
        if (event.type === 'end') report = event.report;
        yield event;
      }
    } finally {
      display.stop();
    }
  }
}

/** Hands events on to where they are asked for, if they are. */
async function handOn(
  followed: AsyncIterable<RunEvent>,
  { eventsFile: events }: Pick<FollowArguments, 'eventsFile'>,
): Promise<void> {
  if (events !== undefined && isStdout(events)) {
    await printEvents(followed);
    return;
  }
  const fail = (error: unknown): never => {
    throw error;
  };
  const log = events === undefined ? undefined : new EventLog(events, fail);
  for await (const event of followed) log?.write(event);
  log?.close();
}
