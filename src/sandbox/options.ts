import { randomBytes } from 'node:crypto';
import { OptionError } from '../model/errors.js';
import { checkOptionTable, omitUndefined } from '../model/options.js';
import { checkFaultPlan } from './faults/load-plan.js';
import type { FaultPlan } from './faults/plan.js';
import { SANDBOX_OPTIONS } from './option-table.js';

/** How a sandbox is to be started. Everything has a default. */
export interface SandboxOptions {
  /** Port on 127.0.0.1, 0 to 65535. Default 0: any free port. */
  port?: number;
  /** Folder that holds the database file; made if missing. `:memory:` (default) keeps nothing. */
  data?: string;
  /** User name of the Basic credentials, without a colon. Default `sandbox@localhost`. */
  username?: string;
  /** API key of the Basic credentials. Default: a random one for each start. */
  apiKey?: string;
  /** Most bytes in the body of a call, at least 1. Default 10,485,760 (10 MiB). */
  maxBodyBytes?: number;
  /** Most documents in one import call, at least 1. Default 1,000. */
  maxDocuments?: number;
  /** Most documents or authors in one response, the feed aside; at least 1. Default 100. */
  pageSize?: number;
  /** What is to go wrong. Default: nothing. */
  faults?: FaultPlan;
  /** Whether synthetic data is put into a sandbox that has no monitorings. Default `false`. */
  demo?: boolean;
}

/** Options with every default filled in. */
export type SandboxSettings = Readonly<Required<Omit<SandboxOptions, 'faults'>>> & {
  readonly faults: FaultPlan | undefined;
};

/** Fills in the defaults. @throws OptionError for an option that can't be used */
export function settle(options: SandboxOptions): SandboxSettings {
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
