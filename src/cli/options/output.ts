import { type OptionTable, option } from '../../model/options.js';
import type { Given } from './flags.js';

export const JSON_OPTION = {
  json: option.boolean('json', 'Print JSON'),
} as const satisfies OptionTable;

/** Options of every command that shows what the service holds. */
export const OUTPUT_OPTIONS = {
  output: option.text(
    'output',
    'table for people; json is one value, jsonl one object a line; csv has a header',
    { choices: ['table', 'json', 'jsonl', 'csv'], default: 'table' },
  ),
  json: option.boolean('json', 'The same as --output json'),
} as const satisfies OptionTable;

export const OUTPUT_CONFLICTS = [['json', 'output']] as const;

export type OutputArguments = Given<typeof OUTPUT_OPTIONS>;

/** How data is written to stdout. */
export type Output = NonNullable<OutputArguments['output']>;

/** How the data is to be written. */
export function outputOf({ output = 'table', json }: OutputArguments): Output {
  return json ? 'json' : output;
}

/** How much a list may hold. */
export const LIMIT_OPTIONS = {
  limit: option.integer('limit', 'Most to write', {
    short: 'n',
    min: 1,
    defaultText: '100 in a table, else all',
  }),
} as const satisfies OptionTable;

export type LimitArguments = Given<typeof LIMIT_OPTIONS>;

/** Lines of a table unless `--limit` says otherwise. */
const TABLE_LIMIT = 100;

/** Maximum number of records to write; `Infinity` without a limit. */
export function limitOf({ limit, ...args }: OutputArguments & LimitArguments): number {
  if (limit !== undefined) return limit;
  return outputOf(args) === 'table' ? TABLE_LIMIT : Number.POSITIVE_INFINITY;
}
