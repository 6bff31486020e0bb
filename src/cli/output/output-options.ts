import type { Options } from 'yargs';
import { wholeNumber } from '../numbers.js';

/** How data is written to stdout. */
export const OUTPUTS = ['table', 'json', 'jsonl', 'csv'] as const;

/** See {@link OUTPUTS}. */
export type Output = (typeof OUTPUTS)[number];

/** The parsed form of {@link OUTPUT_OPTIONS}. */
export interface OutputArguments {
  readonly output: Output;
}

/** Options of every command that shows what the service holds. */
export const OUTPUT_OPTIONS: Readonly<Record<keyof OutputArguments, Options>> = {
  output: {
    choices: OUTPUTS,
    default: 'table' as const,
    alias: 'o',
    describe: 'table for people; json is one value, jsonl one object a line; csv has a header',
  },
};

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
export function limitOf({ output, limit }: OutputArguments & LimitArguments): number {
  if (limit !== undefined) return wholeNumber('--limit', limit, 1);
  return output === 'table' ? TABLE_LIMIT : Number.POSITIVE_INFINITY;
}
