/** Options of commands that map records, and of those that print a report. */
import { OptionError } from '../../model/errors.js';
import { argument, grouped, type OptionTable, omitUndefined, option } from '../../model/options.js';
import {
  IMPORT_OPTIONS,
  MAPPING_OPTIONS,
  RECORD_OPTIONS,
  VALIDATE_OPTIONS,
} from '../../operations/option-table.js';
import type { PreviewOptions } from '../../operations/options.js';
import {
  SOURCE_OPTIONS,
  type SourceOptions,
  type ValidateOptions,
} from '../../operations/options.js';
import { isStdout, pageFile } from '../print.js';
import { SERVICE_OPTIONS } from './connection.js';
import { type OptionValues, pick } from './flags.js';

export const INPUTS = {
  input: argument('Files, globs, https: links, or - for stdin', {
    repeatable: true,
  }),
} as const satisfies OptionTable;

/** Option of commands that print a list or a single thing. */
export const JSON_OPTION = {
  json: option.boolean('json', 'Print JSON'),
} as const satisfies OptionTable;

/** Options for the output of a run and for its metrics. */
export const SHOW_OPTIONS = grouped('Output:', {
  metrics: option.text(
    'metrics',
    "Write Prometheus metrics to this file, for node_exporter's textfile collector",
    { file: 'written' },
  ),
  json: option.boolean('json', 'One JSON report on stdout, nothing else'),
  quiet: option.boolean(
    'quiet',
    'No progress, no notices, and no output at all if the exit code is 0',
    { short: 'q' },
  ),
});

export type ShowArguments = OptionValues<typeof SHOW_OPTIONS> &
  Pick<ValidateOptions, 'reportFile' | 'eventsFile'>;

const JOB_OPTION = {
  job: option.text('job', 'Job of docferry.yaml; options given here take precedence'),
} as const;

export const VALIDATE_FLAGS = {
  ...JOB_OPTION,
  ...MAPPING_OPTIONS,
  ...VALIDATE_OPTIONS,
  ...SHOW_OPTIONS,
};

type MappingArguments = OptionValues<typeof MAPPING_OPTIONS> & OptionValues<typeof INPUTS>;

/** Converts flags for records and mapping to options of the library. */
export function recordOptions(
  args: MappingArguments,
): Omit<PreviewOptions, 'mapping'> & { readonly mapping: string } {
  const given = omitUndefined(pick(RECORD_OPTIONS, args));
  return { ...given, mapping: args.mapping, input: args.input, source: sourceOptions(args) };
}

/** Converts flags for reading the input; missing ones are left to the mapping and to detection. */
export function sourceOptions(args: OptionValues<typeof SOURCE_OPTIONS>): SourceOptions {
  return pick(SOURCE_OPTIONS, args) as SourceOptions;
}

/**
 * Converts the flags of a run to options of the library. Files that are stdout are left to the
 * command.
 * @throws OptionError if two of them are stdout
 */
export function runOptions(
  args: MappingArguments & ShowArguments & OptionValues<typeof VALIDATE_OPTIONS>,
): ValidateOptions {
  const { reportFile: _, eventsFile: __, htmlFile: ___, ...given } = pick(VALIDATE_OPTIONS, args);
  return { ...given, ...recordOptions(args), ...fileOptions(args) };
}

type FileOptions = Pick<
  ValidateOptions,
  'rejects' | 'reportFile' | 'htmlFile' | 'quotes' | 'eventsFile' | 'overwrite'
>;

/** Returns the files that a run writes. @throws OptionError if two of them are stdout */
export function fileOptions(args: FileOptions & ShowArguments): FileOptions {
  const { rejects, reportFile, htmlFile, quotes, eventsFile, overwrite } = args;
  checkStdout(args);
  return omitUndefined({
    rejects,
    overwrite,
    quotes,
    htmlFile: htmlFile === undefined ? undefined : pageFile(htmlFile),
    reportFile: unlessStdout(reportFile),
    eventsFile: unlessStdout(eventsFile),
  });
}

function unlessStdout(file: string | undefined): string | undefined {
  return file === undefined || isStdout(file) ? undefined : file;
}

/** @throws OptionError if report and events are both written to stdout */
function checkStdout({ reportFile = '', eventsFile = '', json }: ShowArguments): void {
  if (!isStdout(eventsFile) || !(json || isStdout(reportFile))) return;
  const other = json ? '--json' : `--report ${reportFile}`;
  throw new OptionError(
    `--events ${eventsFile} and ${other} both write to stdout: name a file for one of them, or use --events alone, as its last event holds the report.`,
  );
}

export const IMPORT_FLAGS = {
  ...VALIDATE_FLAGS,
  ...IMPORT_OPTIONS,
  ...SERVICE_OPTIONS,
} as const satisfies OptionTable;
