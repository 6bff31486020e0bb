/** Converts between tables of options and flags of the command line. */
import type { Options } from 'yargs';
import { OptionError } from '../../model/errors.js';
import {
  expected,
  isValidOption,
  type OptionEntry,
  type OptionTable,
  type OptionValue,
  omitUndefined,
  unitScale,
} from '../../model/options.js';
import type { JobOptions } from '../../operations/jobs.js';

/** Option values by name; options that weren't given are absent. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table as Table[Name] extends { required: true }
    ? Name
    : never]: OptionValue<Table[Name]>;
} & {
  readonly [Name in keyof Table as Table[Name] extends { required: true }
    ? never
    : Name]?: OptionValue<Table[Name]>;
};

type WithFlag<Table extends OptionTable> = {
  [Name in keyof Table as Table[Name] extends { flag: string } ? Name : never]: Table[Name];
};

/** Formats the help of an option, with its environment variable and whether it is repeatable. */
export function helpText({ help = '', env, repeatable }: OptionEntry): string {
  return `${help}${env === undefined ? '' : ` (or ${env})`}${repeatable ? ' (repeatable)' : ''}`;
}

/**
 * Converts an option to yargs. The default is for display only; real defaults are filled in later.
 */
export function yargsOption(entry: OptionEntry): Options {
  const { short, type, choices, bare, group } = entry;
  return {
    describe: helpText(entry),
    // readFlags parses numbers itself, so that its messages can quote the input.
    ...(type === 'boolean' ? { type: 'boolean' } : isNumber(entry) ? {} : { type: 'string' }),
    ...(type !== 'boolean' && bare === undefined ? { requiresArg: true } : {}),
    ...omitUndefined({ alias: short, choices, group, defaultDescription: defaultText(entry) }),
  };
}

/** Formats the default as in `--help` and the docs, in the flag's unit. */
export function defaultText(entry: OptionEntry): string | undefined {
  const { default: value, defaultText } = entry;
  if (defaultText !== undefined || value === undefined || value === false) return defaultText;
  return typeof value === 'number' ? String(value / unitScale(entry)) : String(value);
}

/**
 * Reads option values from the result of yargs.
 * @throws OptionError naming the flag, for an invalid value
 */
export function readFlags<Table extends OptionTable>(
  table: Table,
  parsed: Readonly<Record<string, unknown>>,
): OptionValues<Table> {
  const entries = Object.entries(table).flatMap(([name, entry]) => {
    const written = entry.flag === undefined ? undefined : parsed[entry.flag];
    return written === undefined ? [] : [[name, readFlag(entry, written)] as const];
  });
  return Object.fromEntries(entries) as unknown as OptionValues<Table>;
}

/** Converts values of a job file to what yargs would have parsed. */
export function writtenValues(table: OptionTable, job: JobOptions): JobOptions {
  const entries = Object.values(table).flatMap((entry) => {
    const value = entry.flag === undefined ? undefined : job[entry.flag];
    const isAbsent = value === undefined || (value === false && entry.bare !== undefined);
    return isAbsent ? [] : [[entry.flag, writtenValue(entry, value)]];
  });
  return Object.fromEntries(entries);
}

function writtenValue(entry: OptionEntry, value: unknown): unknown {
  if (entry.bare !== undefined && value === entry.bare) return '';
  if (entry.type === 'boolean' || isNumber(entry)) return value;
  if (!Array.isArray(value)) return String(value);
  return entry.repeatable ? value.map(String) : value.join(',');
}

function readFlag(entry: OptionEntry, written: unknown): unknown {
  const { flag, repeatable, bare, parse } = entry;
  if (repeatable) return Array.isArray(written) ? written : [written];
  if (Array.isArray(written)) {
    throw new OptionError(`--${flag} is given more than once: give it once.`);
  }
  if (bare !== undefined && written === '') return bare;
  if (parse !== undefined) return parse(String(written));
  if (!isNumber(entry)) return written;
  const scale = unitScale(entry);
  const value = typeof written === 'number' && scale !== 1 ? Math.round(written * scale) : written;
  if (isValidOption(value, entry)) return value;
  const unit = scale === 1 ? '' : `, in ${entry.unit}`;
  throw OptionError.of(
    `--${flag}`,
    `is ${JSON.stringify(written)}; expected ${expected(entry, scale)}${unit}.`,
  );
}

function isNumber({ type, parse }: OptionEntry): boolean {
  return parse === undefined && (type === 'integer' || type === 'number');
}

export function pick<Table extends OptionTable>(
  table: Table,
  given: object,
): Partial<OptionValues<WithFlag<Table>>> {
  const entries = Object.entries(given).filter(([name]) => table[name]?.flag !== undefined);
  return Object.fromEntries(entries) as unknown as Partial<OptionValues<WithFlag<Table>>>;
}
