import { randomBytes } from 'node:crypto';
import { OptionError } from '../model/errors.js';
import { checkOptionTable, omitUndefined } from '../model/options.js';
import { checkFaultPlan } from './faults/load-plan.js';
import type { FaultPlan } from './faults/plan.js';
import { SANDBOX_OPTIONS, type SandboxOptions } from './option-table.js';

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
