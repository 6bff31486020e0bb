import type { InferredOptionTypes } from 'yargs';
import { wholeNumber } from './values.js';

/** Options of every command that shows what the service holds. */
export const OUTPUT_OPTIONS = {
  output: {
    choices: ['table', 'json', 'jsonl', 'csv'],
    requiresArg: true,
    describe:
      'table for people (default); json is one value, jsonl one object a line; csv has a header',
  },
  json: { type: 'boolean', conflicts: 'output', describe: 'The same as --output json' },
} as const;

/** The parsed form of {@link OUTPUT_OPTIONS}. */
export type OutputArguments = InferredOptionTypes<typeof OUTPUT_OPTIONS>;

/** How data is written to stdout. */
export type Output = NonNullable<OutputArguments['output']>;

/** How the data is to be written. */
export function outputOf({ output = 'table', json }: OutputArguments): Output {
  return json ? 'json' : output;
}

/** How much a list may hold. */
export const LIMIT_OPTIONS = {
  limit: {
    type: 'number',
    requiresArg: true,
    alias: 'n',
    describe: 'Most to write (default: 100 in a table, else all)',
  },
} as const;

/** The parsed form of {@link LIMIT_OPTIONS}. */
export type LimitArguments = InferredOptionTypes<typeof LIMIT_OPTIONS>;

/** What a table shows unless it is told otherwise. */
const TABLE_LIMIT = 100;

/** The most to write, perhaps without end. @throws OptionError for a number that can't be one */
export function limitOf({ limit, ...args }: OutputArguments & LimitArguments): number {
  if (limit !== undefined) return wholeNumber('--limit', limit, 1);
  return outputOf(args) === 'table' ? TABLE_LIMIT : Number.POSITIVE_INFINITY;
}
