import type { Argv, InferredOptionTypes } from 'yargs';
import { FORMAT_NAMES, type SourceOptions } from '../../operations/options.js';
import { type With, withGroup } from '../command.js';
import { given } from './values.js';

/** Options of every command that maps records. */
const MAPPING_OPTIONS = {
  mapping: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    alias: 'm',
    describe: 'Mapping file (YAML or JSON)',
  },
  profile: {
    choices: ['complete', 'minimal'],
    describe: 'Which fields a document must have (default: as the mapping says, else complete)',
  },
  schema: {
    type: 'string',
    requiresArg: true,
    describe: 'Your own JSON Schema for documents, instead of a profile',
  },
  'as-of': {
    type: 'string',
    requiresArg: true,
    describe: 'When the export was taken, for relative dates such as "2 months ago"',
  },
} as const;

/** How to read what is read. */
const READING_OPTIONS = {
  delimiter: {
    type: 'string',
    requiresArg: true,
    describe: 'What separates CSV fields; "tab" for a tab (default: detected)',
  },
  quote: {
    type: 'string',
    requiresArg: true,
    describe: 'CSV quote; "" for none (default: detected)',
  },
  escape: {
    type: 'string',
    requiresArg: true,
    describe: 'CSV escape (default: the quote, doubled)',
  },
  comment: {
    type: 'string',
    requiresArg: true,
    describe: 'Ignore CSV lines that start with this',
  },
  encoding: {
    type: 'string',
    requiresArg: true,
    describe: 'Such as windows-1252 (default: detected)',
  },
  header: { type: 'boolean', describe: 'Whether CSV starts with column names (--no-header)' },
  'skip-lines': { type: 'number', requiresArg: true, describe: 'Lines before the CSV starts' },
  records: {
    type: 'string',
    requiresArg: true,
    describe: 'Path of the list in a JSON document, such as result.reviews',
  },
  sheet: {
    type: 'string',
    requiresArg: true,
    describe: 'Sheet of a workbook, by name or number (default: the first)',
  },
  'max-record-bytes': {
    type: 'number',
    requiresArg: true,
    describe: 'Largest record (default 1048576)',
  },
  'max-expansion': {
    type: 'number',
    requiresArg: true,
    describe: 'How many times its compressed size an input may have (default 250)',
  },
} as const;

/** How an input is to be read. */
export type ReadingArguments = InferredOptionTypes<typeof READING_OPTIONS> & {
  readonly format: string | undefined;
};

/** The inputs, their mapping, and how they are to be read. */
export type InputArguments = ReadingArguments &
  InferredOptionTypes<typeof MAPPING_OPTIONS> & { readonly input: string[] };

/** Adds the inputs and how to read them to a command. */
export function withInputs(argv: Argv): Argv<InputArguments> {
  const inputs = argv.positional('input', {
    type: 'string',
    array: true,
    demandOption: true,
    describe: 'Files, globs, https: links, or - for stdin',
  });
  return withReading(inputs.options(MAPPING_OPTIONS));
}

/** Adds how to read an input to a command. */
export function withReading<Before>(argv: Argv<Before>): Argv<With<Before, ReadingArguments>> {
  const format = { choices: FORMAT_NAMES, describe: 'Format (default: detected)' };
  const options = { format, ...READING_OPTIONS };
  return withGroup(argv, 'Reading (what is left out is detected):', options);
}

/** What the flags say about records and mapping, as library options. */
export function recordOptions(args: InputArguments): {
  readonly input: string[];
  readonly mapping: string;
  readonly source: SourceOptions;
  readonly profile?: 'complete' | 'minimal';
  readonly schema?: string;
  readonly asOf?: string;
} {
  const { input, mapping, profile, schema, 'as-of': asOf } = args;
  return { input, mapping, source: sourceOptions(args), ...given({ profile, schema, asOf }) };
}

/** Ways in which shells let people write a tab. */
const TAB = new Set(['tab', 'TAB', '\\t']);

/** Only what was given: the rest is left to the mapping and to detection. */
export function sourceOptions(args: ReadingArguments): SourceOptions {
  return given({
    // yargs has seen to it that it is one of the names.
    format: args.format as SourceOptions['format'],
    delimiter: TAB.has(args.delimiter ?? '') ? '\t' : args.delimiter,
    quote: noneIfEmpty(args.quote),
    escape: noneIfEmpty(args.escape),
    comment: args.comment,
    encoding: args.encoding,
    header: args.header,
    records: args.records,
    skipLines: args['skip-lines'],
    sheet: args.sheet,
    maxRecordBytes: args['max-record-bytes'],
    maxExpansion: args['max-expansion'],
  });
}

/** `--quote ""` says that there is none. */
function noneIfEmpty(mark: string | undefined): string | null | undefined {
  return mark === '' ? null : mark;
}
