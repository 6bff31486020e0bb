/** What a command's own yargs builder says of its flags. */
import type { Argv } from 'yargs';
import yargs from 'yargs';
import { ALIASES, type Command } from '../command.js';
import { REPEATABLE } from '../options/values.js';

/** A flag, or a positional, which yargs keeps as one. */
export interface Flag {
  /** Without dashes; all mean the same. */
  readonly names: readonly string[];
  readonly describe: string;
  readonly type: 'boolean' | 'number' | 'string';
  /** What its value may be; empty: it isn't one of few. */
  readonly choices: readonly string[];
  readonly isPositional: boolean;
  readonly isRepeatable: boolean;
  /** Whether it is understood, and told nobody. */
  readonly isHidden: boolean;
  /** Whether `--no-NAME` says something that leaving it out doesn't. */
  readonly isNegatable: boolean;
}

/** The flags of a command; without one, those that every command has. */
export function flagsOf(command?: Command): readonly Flag[] {
  const parser = yargs([]).alias(ALIASES);
  command?.build(parser);
  const built = parser as BuiltArgv;
  const { key, alias } = built.getOptions();
  const others = Object.values(alias).flat();
  const names = [...new Set([...Object.keys(alias), ...Object.keys(key)])];
  const firsts = names.filter((name) => !others.includes(name));
  return firsts.map((first) => flagOf(built, [first, ...(alias[first] ?? [])]));
}

function flagOf(built: BuiltArgv, names: readonly string[]): Flag {
  const { boolean, number, choices, default: defaults, hiddenOptions } = built.getOptions();
  const { 'Positionals:': positionals = [] } = built.getGroups();
  const descriptions = built.getInternalMethods().getUsageInstance().getDescriptions();
  const isIn = (list: readonly string[]): boolean => names.some((name) => list.includes(name));
  const describe = names.map((name) => descriptions[name]).find(Boolean) ?? '';
  const isOn = names.some((name) => defaults[name] === true);
  return {
    names,
    describe: describe.replace('__yargsString__:', ''),
    type: isIn(boolean) ? 'boolean' : isIn(number) ? 'number' : 'string',
    choices: names.flatMap((name) => choices[name] ?? []),
    isPositional: isIn(positionals),
    isRepeatable: isIn(REPEATABLE),
    isHidden: isIn(hiddenOptions),
    isNegatable: isIn(boolean) && (isOn || describe.includes('--no-')),
  };
}

/** What its own completion asks of a parser, and its types leave out. */
type BuiltArgv = Argv & {
  getOptions(): {
    readonly key: Readonly<Record<string, boolean>>;
    readonly alias: Readonly<Record<string, readonly string[]>>;
    readonly boolean: readonly string[];
    readonly number: readonly string[];
    readonly choices: Readonly<Record<string, readonly string[]>>;
    readonly default: Readonly<Record<string, unknown>>;
    readonly hiddenOptions: readonly string[];
  };
  getGroups(): Readonly<Record<string, readonly string[]>>;
  getInternalMethods(): {
    getUsageInstance(): { getDescriptions(): Readonly<Record<string, string | undefined>> };
  };
};
