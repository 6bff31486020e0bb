import { type OptionTable, option } from '../../model/options.js';
import type { OptionValues } from './flags.js';

export const JSON_OPTION = {
  json: option.boolean('json', 'Print JSON'),
} as const satisfies OptionTable;

/** Options of all commands that print data of the service. */
export const OUTPUT_OPTIONS = {
  output: option.text(
    'output',
    'table to read; json: one value; jsonl: one object per line; csv; csv-bom: csv for Excel',
    { choices: ['table', 'json', 'jsonl', 'csv', 'csv-bom'], default: 'table' },
  ),
  json: option.boolean('json', 'Short for --output json'),
} as const satisfies OptionTable;

export const OUTPUT_CONFLICTS = [['json', 'output']] as const;

export type OutputArguments = OptionValues<typeof OUTPUT_OPTIONS>;

export type Output = NonNullable<OutputArguments['output']>;

export function outputOf({ output = 'table', json }: OutputArguments): Output {
  return json ? 'json' : output;
}

export const LIMIT_OPTIONS = {
  limit: option.integer('limit', 'Maximum number to print', {
    short: 'n',
    min: 1,
    defaultText: '100 in a table, else all',
  }),
} as const satisfies OptionTable;

export type LimitArguments = OptionValues<typeof LIMIT_OPTIONS>;

const TABLE_LIMIT = 100;

/** Returns the maximum number of records to print; `Infinity` without a limit. */
export function limitOf({ limit, ...args }: OutputArguments & LimitArguments): number {
  if (limit !== undefined) return limit;
  return outputOf(args) === 'table' ? TABLE_LIMIT : Number.POSITIVE_INFINITY;
}
