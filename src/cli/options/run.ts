import type { InferredOptionTypes } from 'yargs';
import type { ValidateOptions } from '../../operations/options.js';
import { isStdout, pageFile } from '../print.js';
import { given } from './values.js';

/** Options of the commands that end with a report. */
export const RUN_OPTIONS = {
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
    describe: 'Continue although an input no longer looks as the mapping expects',
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
  html: {
    type: 'string',
    requiresArg: true,
    describe: "Write the report as an HTML page to this file ({run}: the run's id)",
  },
  force: {
    type: 'boolean',
    default: false,
    describe: 'Replace the files of --rejects, --report and --html, whoever made them',
  },
  json: { type: 'boolean', default: false, describe: 'One JSON report on stdout, nothing else' },
  quiet: { type: 'boolean', default: false, alias: 'q', describe: 'No progress and no notices' },
} as const;

/** The parsed form of {@link RUN_OPTIONS}. */
export type RunArguments = InferredOptionTypes<typeof RUN_OPTIONS>;

/** What the flags say about how a run goes and how it ends, as library options. */
export function endOptions(args: RunArguments): Partial<ValidateOptions> {
  return {
    ...given({
      threads: args.threads,
      rememberBytes: args['remember-bytes'],
      maxErrors: args['max-errors'],
      acceptDrift: args['accept-drift'] || undefined,
    }),
    ...fileOptions(args),
  };
}

/** What the flags say about the files that a run writes, as library options. */
export function fileOptions({
  rejects,
  report,
  html,
  force,
}: Pick<RunArguments, 'rejects' | 'report' | 'html' | 'force'>): Partial<ValidateOptions> {
  const reportFile = report === undefined || isStdout(report) ? undefined : report;
  return given({
    rejects,
    reportFile,
    htmlFile: html === undefined ? undefined : pageFile(html),
    force: force || undefined,
  });
}
