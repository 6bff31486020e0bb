import { randomBytes } from 'node:crypto';
import { OptionError } from '../model/errors.js';
import { checkOptionTable, omitUndefined } from '../model/options.js';
import { checkFaultPlan } from './faults/load-plan.js';
import type { FaultPlan } from './faults/plan.js';
import { SANDBOX_OPTIONS } from './option-table.js';

/** Options for starting a sandbox. All of them have defaults. */
export interface SandboxOptions {
  /** Port on 127.0.0.1, 0 to 65535. Default 0: any free port. */
  port?: number;
  /**
   * Folder for the database file, created if missing. Default `:memory:`: nothing is stored on
   * disk.
   */
  data?: string;
  /** User name of the Basic credentials, without a colon. Default `sandbox@localhost`. */
  username?: string;
  /** API key of the Basic credentials. Default: a random one at each start. */
  apiKey?: string;
  /** Maximum size of a request body in bytes, at least 1. Default 10,485,760 (10 MiB). */
  maxBodyBytes?: number;
  /** Maximum number of documents in one import call, at least 1. Default 1,000. */
  maxDocuments?: number;
  /**
   * Maximum number of documents or authors in one response, except the feed; at least 1. Default
   * 100.
   */
  pageSize?: number;
  /** Faults to inject. Default: none. */
  faults?: FaultPlan;
  /** Whether to fill a sandbox that has no monitorings with synthetic data. Default `false`. */
  demo?: boolean;
}

/** Options with all defaults filled in. */
export type SandboxSettings = Readonly<Required<Omit<SandboxOptions, 'faults'>>> & {
  readonly faults: FaultPlan | undefined;
};

/** Fills in the defaults. @throws OptionError for an invalid option */
export function resolveOptions(options: SandboxOptions): SandboxSettings {
  const given: SandboxOptions = omitUndefined(options);
  checkOptionTable(given, SANDBOX_OPTIONS, 'startSandbox');
  const { data, username, apiKey, faults } = given;
  for (const [name, text] of Object.entries({ data, username, apiKey })) {
    if (text === '') throw new OptionError(`The sandbox's ${name} is empty: leave it out.`);
  }
  if (username?.includes(':')) {
    throw new OptionError(`The sandbox's username ${username} holds a colon: leave it out.`);
  }
  const defaults = Object.entries(SANDBOX_OPTIONS).flatMap(([name, option]) =>
    'default' in option ? [[name, option.default]] : [],
  );
  return {
    ...Object.fromEntries(defaults),
    apiKey: randomBytes(24).toString('base64url'),
    ...given,
    faults: faults && checkFaultPlan(faults, 'faults'),
  };
}
