/** The options of the functions that read records, by name. */

import type { Names } from '../model/known-names.js';
import type { ImportOptions, ValidateOptions } from './options.js';

/** Options that concern single records. */
export const RECORD_NAMES: Names<
  Pick<ValidateOptions, 'input' | 'mapping' | 'source' | 'profile' | 'schema' | 'asOf'>
> = { input: true, mapping: true, source: true, profile: true, schema: true, asOf: true };

/**
 * Options of an import. A validation takes them, too, so that both can be given the same; it has no
 * use for those that concern sending.
 */
export const RUN_NAMES: Names<ImportOptions> = {
  ...RECORD_NAMES,
  maxErrors: true,
  rejects: true,
  reportFile: true,
  force: true,
  threads: true,
  rememberBytes: true,
  acceptDrift: true,
  batchSize: true,
  batchBytes: true,
  signal: true,
  throwOn: true,
  withRecords: true,
  monitoring: true,
  connection: true,
  concurrency: true,
  rate: true,
  pressureStatuses: true,
  maxOutageMs: true,
  onUnknown: true,
  refusals: true,
  unsent: true,
  quietMs: true,
  lookForMs: true,
  stateDir: true,
  resume: true,
  retryRejected: true,
  ledger: true,
  skipKnown: true,
  inputKey: true,
  mappingKey: true,
  service: true,
  abandonSignal: true,
};
