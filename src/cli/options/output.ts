import { type OptionTable, option } from '../../model/options.js';

export const JSON_OPTION = {
  json: option.boolean('json', 'Print JSON'),
} as const satisfies OptionTable;
