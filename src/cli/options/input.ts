import type { Argv, Options } from 'yargs';
import { FORMAT_NAMES, type SourceOptions } from '../../operations/options.js';

/** The parsed form of {@link INPUT_OPTIONS}, and the inputs themselves. */
export interface InputArguments {
  readonly input: string[];
  readonly mapping: string;
  readonly profile: 'complete' | 'minimal' | undefined;
  readonly schema: string | undefined;
  readonly 'as-of': string | undefined;
  readonly format: SourceOptions['format'] | undefined;
  readonly delimiter: string | undefined;
  readonly quote: string | undefined;
  readonly escape: string | undefined;
  readonly comment: string | undefined;
  readonly encoding: string | undefined;
  readonly header: boolean | undefined;
  readonly 'skip-lines': number | undefined;
  readonly records: string | undefined;
  readonly sheet: string | undefined;
  readonly 'max-record-bytes': number | undefined;
  readonly 'max-expansion': number | undefined;
}

/** The part of it that says how to read an input. */
export type ReadingArguments = Omit<
  InputArguments,
  'input' | 'mapping' | 'profile' | 'schema' | 'as-of'
>;

/** Options of every command that maps records. */
const MAPPING_OPTIONS: Readonly<
  Record<Exclude<keyof InputArguments, 'input' | keyof ReadingArguments>, Options>
> = {
  mapping: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    alias: 'm',
    describe: 'Mapping file (YAML or JSON)',
  },
  profile: {
    choices: ['complete', 'minimal'] as const,
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
};

/** How to read what is read. */
const READING_OPTIONS: Readonly<Record<keyof ReadingArguments, Options>> = {
  format: {
    choices: FORMAT_NAMES,
    describe: 'Format (default: detected)',
  },
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
    describe: 'CSV lines that start so are no records',
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
    describe: 'How many times its packed size an input may have (default 250)',
  },
};

/** Adds the inputs and how to read them to a command. */
export function withInputs<T>(argv: Argv<T>): Argv<T & InputArguments> {
  const inputs = argv.positional('input', {
    type: 'string',
    array: true,
    demandOption: true,
    describe: 'Files, globs, https: links, or - for stdin',
  });
  return withReading(inputs.options(MAPPING_OPTIONS)) as unknown as Argv<T & InputArguments>;
}

/** Adds how to read an input to a command. */
export function withReading<T>(argv: Argv<T>): Argv<T & ReadingArguments> {
  return argv
    .options(READING_OPTIONS)
    .group(
      [
        'format',
        'delimiter',
        'quote',
        'escape',
        'comment',
        'encoding',
        'header',
        'skip-lines',
        'records',
        'sheet',
        'max-record-bytes',
        'max-expansion',
      ],
      'Reading (what is left out is detected):',
    ) as unknown as Argv<T & ReadingArguments>;
}

/** What the flags say about records and mapping, as library options. */
export function recordOptions(args: InputArguments): {
  input: string[];
  mapping: string;
  source: SourceOptions;
  profile?: 'complete' | 'minimal';
  schema?: string;
  asOf?: string;
} {
  return {
    input: args.input,
    mapping: args.mapping,
    source: sourceOptions(args),
    ...(args.profile === undefined ? {} : { profile: args.profile }),
    ...(args.schema === undefined ? {} : { schema: args.schema }),
    ...(args['as-of'] === undefined ? {} : { asOf: args['as-of'] }),
  };
}

/** Ways in which shells let people write a tab. */
const TAB = new Set(['tab', 'TAB', '\\t']);

/** Only what was given: the rest is left to the mapping and to detection. */
export function sourceOptions(args: ReadingArguments): SourceOptions {
  const given = {
    format: args.format,
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
  };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as SourceOptions;
}

/** `--quote ""` says that there is none. */
function noneIfEmpty(mark: string | undefined): string | null | undefined {
  return mark === '' ? null : mark;
}
