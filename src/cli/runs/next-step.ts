import { nextCommand } from '../../report/next-command.js';
import type { Report } from '../../report/report.js';
import type { ServiceArguments } from '../options/connection.js';
import { pick, toFlags } from '../options/flags.js';
import { MAPPING_OPTIONS, type ShowArguments } from '../options/run.js';
import { logCommand, programName } from '../print.js';
import { serviceFlags } from './resume-hint.js';

interface RunArguments extends ShowArguments, ServiceArguments {
  readonly input?: readonly string[];
}

/** Prints the command after a run, with the flags of this one, for people. */
export function printNextStep(report: Report, args: RunArguments): void {
  const { read, skipped } = report.counts;
  // A diagnosis of records that were all skipped ends with its own command.
  const isDiagnosed = report.diagnosis !== null && skipped === read;
  if (args.quiet || args.json || read === 0 || isDiagnosed) return;
  const { mapping: _, ...reading } = pick(MAPPING_OPTIONS, args);
  const { why, command } = nextCommand(report, {
    program: programName(),
    ...(args.input === undefined ? {} : { inputs: args.input }),
    reading: toFlags(MAPPING_OPTIONS, reading),
    service: serviceFlags(args),
  });
  logCommand(why, command);
}
