import type { OptionTable } from '../../model/options.js';
import { option } from '../../model/options.js';
import { IMPORT_OPTIONS } from '../../operations/option-table.js';
import { SERVICE_OPTIONS } from './connection.js';
import { VALIDATE_FLAGS } from './run.js';

/** Options of `docferry import`. */
export const IMPORT_FLAGS = {
  ...VALIDATE_FLAGS,
  ...IMPORT_OPTIONS,
  ...SERVICE_OPTIONS,
  detach: option.boolean(
    'detach',
    'Where the state is shared: leave the import to workers, and end at once',
  ),
} as const satisfies OptionTable;
