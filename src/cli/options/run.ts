import type { InferredOptionTypes } from 'yargs';
import { OptionError } from '../../model/errors.js';
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
  events: {
    type: 'string',
    requiresArg: true,
    describe:
      "Add what happens to this file, one JSON object a line (- for stdout; {run}: the run's id)",
  },
  metrics: {
    type: 'string',
    requiresArg: true,
    describe: "Write Prometheus metrics to this file, for node_exporter's textfile collector",
  },
  summary: {
    type: 'string',
    requiresArg: true,
    describe:
      'Append a Markdown summary to this file, such as "$GITHUB_STEP_SUMMARY" ({run}: the run\'s id)',
  },
  annotations: {
    type: 'boolean',
    default: false,
    describe: 'Print the first problems on stderr as annotations of a GitHub workflow',
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

/** What tells a scheduler or a CI job of a run. */
export type JobArguments = Pick<RunArguments, 'metrics' | 'summary' | 'annotations'>;

/** What the flags say about how a run goes and how it ends, as library options. */
export function endOptions(args: RunArguments): Partial<ValidateOptions> {
  return {
    ...given({
      threads: args.threads,
      maxErrors: args['max-errors'],
      acceptDrift: args['accept-drift'] || undefined,
    }),
    ...fileOptions(args),
  };
}

/**
 * What the flags say about the files that a run writes, as library options.
 * @throws OptionError if two are to be on stdout
 */
export function fileOptions(
  args: Pick<RunArguments, 'rejects' | 'report' | 'html' | 'events' | 'force' | 'json'>,
): Partial<ValidateOptions> {
  const { rejects, report, html, events, force } = args;
  checkStdout(args);
  return given({
    rejects,
    reportFile: fileOf(report),
    eventsFile: fileOf(events),
    htmlFile: html === undefined ? undefined : pageFile(html),
    force: force || undefined,
  });
}

function checkStdout({
  report = '',
  events = '',
  json,
}: Pick<RunArguments, 'report' | 'events' | 'json'>): void {
  if (!isStdout(events) || !(json || isStdout(report))) return;
  throw new OptionError(
    `--events ${events} is stdout, which is to have the report (${json ? '--json' : `--report ${report}`}): the last event holds the report, or name a file.`,
  );
}

/** `undefined` also for stdout, to which the command itself writes. */
function fileOf(given: string | undefined): string | undefined {
  return given === undefined || isStdout(given) ? undefined : given;
}
