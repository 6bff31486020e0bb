import type { Options } from 'yargs';
import type { ValidateOptions } from '../../operations/options.js';
import { isStdout } from '../print.js';

/** The parsed form of {@link RUN_OPTIONS}. */
export interface RunArguments {
  readonly threads: number | undefined;
  readonly 'remember-bytes': number | undefined;
  readonly 'max-errors': string | undefined;
  readonly 'accept-drift': boolean;
  readonly rejects: string | undefined;
  readonly report: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Options of the commands that end with a report. */
export const RUN_OPTIONS: Readonly<Record<keyof RunArguments, Options>> = {
  threads: {
    type: 'number',
    requiresArg: true,
    describe: 'Worker threads for large inputs; 0 for none (default: one a processor, at most 8)',
  },
  'remember-bytes': {
    type: 'number',
    requiresArg: true,
    describe: 'Memory for telling repeats; beyond it, a temporary file (default 268435456)',
  },
  'max-errors': {
    type: 'string',
    requiresArg: true,
    describe: 'Stop once more records than this are invalid or rejected: 100, or 5%',
  },
  'accept-drift': {
    type: 'boolean',
    default: false,
    describe: 'Go on although an input no longer looks as the mapping expects',
  },
  rejects: {
    type: 'string',
    requiresArg: true,
    describe: "File for invalid and rejected records, as they were read ({run}: the run's id)",
  },
  report: {
    type: 'string',
    requiresArg: true,
    describe: "Write the report as JSON to this file (- for stdout; {run}: the run's id)",
  },
  force: {
    type: 'boolean',
    default: false,
    describe: 'Replace the files of --rejects and --report, whoever made them',
  },
  json: { type: 'boolean', default: false, describe: 'One JSON report on stdout, nothing else' },
  quiet: { type: 'boolean', default: false, alias: 'q', describe: 'No progress and no notices' },
};

type EndOptions = Pick<
  ValidateOptions,
  'threads' | 'rememberBytes' | 'maxErrors' | 'acceptDrift' | 'rejects' | 'reportFile' | 'force'
>;

/** What the flags say about how a run goes and how it ends, as library options. */
export function endOptions(args: RunArguments): EndOptions {
  return {
    ...(args.threads === undefined ? {} : { threads: args.threads }),
    ...(args['remember-bytes'] === undefined ? {} : { rememberBytes: args['remember-bytes'] }),
    ...(args['max-errors'] === undefined ? {} : { maxErrors: args['max-errors'] }),
    ...(args['accept-drift'] ? { acceptDrift: true } : {}),
    ...fileOptions(args),
  };
}

/** The parsed form of what says which files a run writes. */
export type FileArguments = Pick<RunArguments, 'rejects' | 'report' | 'force'>;

/** What the flags say about the files that a run writes, as library options. */
export function fileOptions({
  rejects,
  report,
  force,
}: FileArguments): Pick<EndOptions, 'rejects' | 'reportFile' | 'force'> {
  return {
    ...(rejects === undefined ? {} : { rejects }),
    ...(report === undefined || isStdout(report) ? {} : { reportFile: report }),
    ...(force ? { force } : {}),
  };
}
