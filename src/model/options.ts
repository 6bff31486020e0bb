/** Options as data: each entry has a name, flag, type, default and help. */
import { didYouMean, OptionError } from './errors.js';
import { fileWord, shellWord, typeText } from './text.js';

/** An option of a function, a command, or both. */
export interface OptionEntry {
  /** Flag without dashes; absent if only programs can set the option. */
  readonly flag?: string;
  readonly short?: string;
  /** `any` isn't checked by the table, but where it is used. */
  readonly type: 'text' | 'boolean' | 'integer' | 'number' | 'any';
  readonly choices?: readonly string[];
  /** Range of numbers, in the unit of the library. */
  readonly min?: number;
  readonly max?: number;
  /** Unit of the flag if the library takes milliseconds. */
  readonly unit?: 'seconds';
  readonly default?: unknown;
  /** The default in words, if it is computed. */
  readonly defaultText?: string;
  /** Environment variable used if the flag is missing. */
  readonly env?: string;
  readonly required?: true;
  /** Whether the flag may be repeated to form a list. */
  readonly repeatable?: true;
  /** Value of the flag alone, without a text: `--resume`. */
  readonly bare?: unknown;
  /** Parses the flag's text if it isn't the value itself. @throws OptionError */
  readonly parse?: (text: string) => unknown;
  /** `false` if it isn't stored with the run, so that resuming the run doesn't repeat it. */
  readonly storedWithRun?: false;
  readonly group?: string;
  /** Whether its value is a file that the command reads (and no output may replace), or writes. */
  readonly file?: 'read' | 'written';
  readonly help?: string;
}

export type OptionTable<Name extends string = string> = Readonly<Record<Name, OptionEntry>>;

type Entry<Type extends OptionEntry['type'], Facts, More> = Facts &
  More & { readonly type: Type; readonly help: string };

/** Builds the constructor of entries of one type. */
function flagOf<const Type extends OptionEntry['type']>(type: Type) {
  return <const More extends Partial<OptionEntry> = Record<never, never>>(
    flag: string,
    help: string,
    more?: More,
  ): Entry<Type, { readonly flag: string }, More> =>
    ({ type, flag, help, ...more }) as Entry<Type, { readonly flag: string }, More>;
}

/** Entries of options that have a flag: `option.text('ca', 'PEM file of a private authority')`. */
export const option = {
  text: flagOf('text'),
  boolean: flagOf('boolean'),
  integer: flagOf('integer'),
  number: flagOf('number'),
  any: flagOf('any'),
};

export function argument<const More extends Partial<OptionEntry> = Record<never, never>>(
  help: string,
  more?: More,
): Entry<'text', { readonly required: true }, More> {
  return { type: 'text', help, required: true, ...more } as Entry<
    'text',
    { readonly required: true },
    More
  >;
}

export function grouped<const Table extends OptionTable>(group: string, table: Table): Table {
  const entries = Object.entries(table).map(([name, entry]) => [name, { ...entry, group }]);
  return Object.fromEntries(entries) as Table;
}

export type OptionValue<Entry extends OptionEntry> = Entry extends {
  parse: (text: string) => infer V;
}
  ? V | BareValue<Entry>
  : Entry extends { repeatable: true }
    ? readonly string[]
    : Entry extends { choices: readonly (infer Choice)[] }
      ? Choice
      : Entry extends { type: 'boolean' }
        ? boolean
        : Entry extends { type: 'integer' | 'number' }
          ? number
          : string | BareValue<Entry>;

type BareValue<Entry> = Entry extends { bare: infer V } ? V : never;

/**
 * Checks a program's options: their names, and values whose type the table declares.
 * @param of the function's name, for messages
 * @throws OptionError
 */
export function checkOptionTable(given: object, table: OptionTable, of: string): void {
  checkNames(given, table, of);
  for (const [name, entry] of Object.entries(table)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) checkOption(name, value, entry);
  }
}

/** All names of an options object; the compiler ensures that none is missing. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Rejects unknown options; if they were ignored, the caller would believe that they work.
 * @param of the function's name, for messages
 * @throws OptionError that suggests the nearest option
 */
export function checkNames(
  given: unknown,
  known: Readonly<Record<string, unknown>>,
  of: string,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new OptionError(`The options of ${of} are ${typeText(given)}; expected an object.`);
  }
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, names) || `; expected ${names.join(', ')}.`;
  throw new OptionError(`${of} has no option ${JSON.stringify(unknown)}${hint}`);
}

/** @throws OptionError if the value isn't one that the option takes */
export function checkOption(name: string, value: unknown, entry: OptionEntry): void {
  if (isValidOption(value, entry)) return;
  throw OptionError.of(name, `is ${shownValue(value, entry)}; expected ${expected(entry)}.`);
}

/** Shows the given value; only its type where text is expected, because it may be a key. */
function shownValue(value: unknown, { type, choices }: OptionEntry): string {
  if (type === 'text' && choices === undefined) return `a ${typeof value}`;
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return choices === undefined ? `${shown} (${typeof value})` : shown;
}

export function isValidOption(value: unknown, { type, choices, min, max }: OptionEntry): boolean {
  if (choices !== undefined) return choices.includes(value as string);
  switch (type) {
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' &&
        (type === 'number' || Number.isInteger(value)) &&
        value >= (min ?? Number.NEGATIVE_INFINITY) &&
        value <= (max ?? Number.MAX_SAFE_INTEGER)
      );
    case 'boolean':
      return typeof value === 'boolean';
    case 'text':
      return typeof value === 'string';
    case 'any':
      return true;
    default:
      return type satisfies never;
  }
}

/**
 * Describes the values that an option takes.
 * @param scale divisor of numbers, for a flag in another unit
 */
export function expected(entry: OptionEntry, scale = 1): string {
  const { type, choices, min, max } = entry;
  if (choices !== undefined) {
    return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);
  }
  if (type !== 'integer' && type !== 'number') return `a ${type}`;
  const kind = type === 'integer' && scale === 1 ? 'a whole number' : 'a number';
  const upTo = max === undefined ? '' : ` to ${max / scale}`;
  if (min === undefined) return `${kind}${upTo}`;
  return `${kind} ${max === undefined ? 'of at least' : 'from'} ${min / scale}${upTo}`;
}

type Defined<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

export function omitUndefined<Options extends object>(options: Options): Defined<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Options>;
}

/** Formats values as flags, quoted for a shell. */
export function toFlags(table: OptionTable, given: object): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const entry = table[name];
    if (entry?.flag === undefined || value === undefined || value === false) return [];
    if (value === true) return [`--${entry.flag}`];
    const quote = entry.file === undefined ? shellWord : fileWord;
    const values: readonly unknown[] = entry.repeatable ? [value].flat() : [value];
    return values.flatMap((one) => [`--${entry.flag}`, quote(typedText(one, entry))]);
  });
}

/** Writes a value as its flag takes it: `null` stands for nothing, and a tab has a name. */
function typedText(value: unknown, entry: OptionEntry): string {
  if (value === null) return '';
  if (value === '\t') return 'tab';
  return String(typeof value === 'number' ? value / unitScale(entry) : value);
}

/** Divisor that turns a value of the library into that of the flag. */
export function unitScale({ unit }: OptionEntry): number {
  return unit === 'seconds' ? 1_000 : 1;
}
