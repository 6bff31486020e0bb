import { type OptionTable, option } from '../../model/options.js';
import { IMPORT_OPTIONS } from '../../operations/option-table.js';
import { SERVICE_OPTIONS } from './connection.js';
import { VALIDATE_FLAGS } from './run.js';

const {
  monitoring,
  resume,
  work,
  concurrency,
  rate,
  pressureStatuses,
  maxOutageMs,
  onUnknown,
  refusals,
  unsent,
  leftUnconfirmed,
  quietMs,
  skipKnown,
  ledger,
} = IMPORT_OPTIONS;

/** Options that concern sending alone. */
export const SENDING_OPTIONS = {
  ...{ monitoring, resume, work, concurrency, rate, pressureStatuses, maxOutageMs },
  ...{ onUnknown, refusals, unsent, leftUnconfirmed, quietMs, skipKnown, ledger },
};

/** Options of `docferry import`. */
export const IMPORT_FLAGS = {
  ...VALIDATE_FLAGS,
  ...SERVICE_OPTIONS,
  ...SENDING_OPTIONS,
  detach: option.boolean(
    'detach',
    'Where the state is shared: leave the import to workers, and end at once',
  ),
} as const satisfies OptionTable;
