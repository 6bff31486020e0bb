import type { Options } from 'yargs';
import { wholeNumber } from './values.js';

/** How data is written to stdout. */
export const OUTPUTS = ['table', 'json', 'jsonl', 'csv'] as const;

/** See {@link OUTPUTS}. */
export type Output = (typeof OUTPUTS)[number];

/** The parsed form of {@link OUTPUT_OPTIONS}. */
export interface OutputArguments {
  readonly output: Output | undefined;
  readonly json: boolean | undefined;
}

/** Options of every command that shows what the service holds. */
export const OUTPUT_OPTIONS: Readonly<Record<keyof OutputArguments, Options>> = {
  output: {
    choices: OUTPUTS,
    requiresArg: true,
    describe:
      'table for people (default); json is one value, jsonl one object a line; csv has a header',
  },
  json: { type: 'boolean', conflicts: 'output', describe: 'The same as --output json' },
};

/** How the data is to be written. */
export function outputOf({ output = 'table', json }: OutputArguments): Output {
  return json ? 'json' : output;
}

/** The parsed form of {@link LIMIT_OPTIONS}. */
export interface LimitArguments {
  readonly limit: number | undefined;
}

/** How much a list may hold. */
export const LIMIT_OPTIONS: Readonly<Record<keyof LimitArguments, Options>> = {
  limit: {
    type: 'number',
    requiresArg: true,
    alias: 'n',
    describe: 'Most to write (default: 100 in a table, else all)',
  },
};

/** What a table shows unless it is told otherwise. */
const TABLE_LIMIT = 100;

/** The most to write, perhaps without end. @throws OptionError for a number that can't be one */
export function limitOf({ limit, ...args }: OutputArguments & LimitArguments): number {
  if (limit !== undefined) return wholeNumber('--limit', limit, 1);
  return outputOf(args) === 'table' ? TABLE_LIMIT : Number.POSITIVE_INFINITY;
}
