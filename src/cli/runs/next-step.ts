import { nextCommands } from '../../report/next-command.js';
import { programName } from '../../report/program-name.js';
import type { Report } from '../../report/report.js';
import type { ServiceArguments } from '../options/connection.js';
import type { ShowArguments } from '../options/run.js';
import { printDateHint } from '../output/mapping-hints.js';
import { logCommand } from '../print.js';
import { serviceFlags, stateFlag } from './resume-hint.js';

interface NextStepArguments extends ShowArguments, ServiceArguments {
  readonly input?: readonly string[];
}

/** Prints the command after a run, with the flags of this one, for people. */
export async function printNextStep(report: Report, args: NextStepArguments): Promise<void> {
  const { read, skipped } = report.counts;
  // A diagnosis of records that were all skipped ends with its own command.
  const isDiagnosed = report.diagnosis !== null && skipped === read;
  if (args.quiet || args.json || read === 0 || isDiagnosed) return;
  const commands = nextCommands(report, {
    program: programName(),
    ...(args.input === undefined ? {} : { inputs: args.input }),
    service: serviceFlags(args),
    state: stateFlag(args),
  });
  for (const { why, command } of commands) logCommand(why, command);
  if (commands.some(({ asksForDate }) => asksForDate)) {
    await printDateHint(report.inputs);
  }
}
