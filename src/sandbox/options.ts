import { randomBytes } from 'node:crypto';
import { OptionError } from '../model/errors.js';
import { didYouMean } from '../model/names.js';
import { checkFaultPlan } from './faults/load-plan.js';
import type { FaultPlan } from './faults/plan.js';
import { REFUSAL_STATUSES, type RefusalKind } from './refusal.js';

const DUPLICATES_MODES = ['keep', 'replace', 'ignore'] as const;

/**
 * What becomes of a document whose source and sourceId its monitoring already holds: `keep` stores
 * it beside the first, `replace` puts it in the first one's place under a new id, `ignore` leaves
 * it out.
 */
export type DuplicatesMode = (typeof DUPLICATES_MODES)[number];

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
  /** Longest time for a request to arrive whole, in milliseconds, at least 1. Default 60,000. */
  requestTimeoutMs?: number;
  /** The status for each kind of refusal, from 400 to 599. Defaults: {@link REFUSAL_STATUSES}. */
  statuses?: Partial<Record<RefusalKind, number>>;
  /** Default `keep`, so that a double import shows. */
  duplicates?: DuplicatesMode;
  /** What is to go wrong. Default: nothing. */
  faults?: FaultPlan;
  /** Whether synthetic data is put into a sandbox that has no monitorings. Default `false`. */
  demo?: boolean;
}

/** Options with every default filled in. */
export type SandboxSettings = Readonly<Required<Omit<SandboxOptions, 'faults'>>> & {
  readonly faults: FaultPlan | undefined;
  readonly statuses: Readonly<Record<RefusalKind, number>>;
};

/** Fills in the defaults. Throws {@link OptionError} for an option that can't be used. */
export function settle(options: SandboxOptions): SandboxSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) check(name, value);
  return {
    port: 0,
    data: ':memory:',
    username: 'sandbox@localhost',
    apiKey: randomBytes(24).toString('base64url'),
    maxBodyBytes: 10 * 1024 * 1024,
    maxDocuments: 1000,
    pageSize: 100,
    requestTimeoutMs: 60_000,
    duplicates: 'keep',
    demo: false,
    ...Object.fromEntries(given),
    statuses: { ...REFUSAL_STATUSES, ...options.statuses },
    faults: options.faults && checkFaultPlan(options.faults, 'faults'),
  };
}

interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const FILLED: Rule = {
  expected: 'a string that is not empty',
  holds: (value) => typeof value === 'string' && value !== '',
};

const AT_LEAST_ONE: Rule = {
  expected: 'a whole number of at least 1',
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};

const RULES: Readonly<Record<keyof SandboxOptions, Rule>> = {
  port: {
    expected: 'a whole number from 0 to 65535',
    holds: (value) => Number.isInteger(value) && (value as number) >= 0 && Number(value) <= 65_535,
  },
  data: FILLED,
  username: {
    expected: 'a string that is not empty and holds no colon',
    holds: (value) => FILLED.holds(value) && !(value as string).includes(':'),
  },
  apiKey: FILLED,
  maxBodyBytes: AT_LEAST_ONE,
  maxDocuments: AT_LEAST_ONE,
  pageSize: AT_LEAST_ONE,
  requestTimeoutMs: AT_LEAST_ONE,
  statuses: {
    expected: `an object with a status from 400 to 599 for any of ${Object.keys(REFUSAL_STATUSES).join(', ')}`,
    holds: (value) =>
      isObject(value) &&
      Object.entries(value as object).every(
        ([kind, status]) => kind in REFUSAL_STATUSES && isError(status),
      ),
  },
  duplicates: {
    expected: 'one of keep, replace, ignore',
    holds: (value) => DUPLICATES_MODES.includes(value as DuplicatesMode),
  },
  faults: { expected: 'a plan of faults', holds: isObject },
  demo: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isError(status: unknown): boolean {
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;
}

function check(name: string, value: unknown): void {
  const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof SandboxOptions] : undefined;
  if (!rule) {
    const names = Object.keys(RULES);
    const hint = didYouMean(name, names) || `; its options are ${names.join(', ')}.`;
    throw new OptionError(`The sandbox has no option "${name}"${hint}`);
  }
  if (rule.holds(value)) return;
  // The key is a secret even when it can't be used.
  const found = name === 'apiKey' ? '' : `, not ${String(JSON.stringify(value)).slice(0, 40)}`;
  throw new OptionError(`The sandbox's option "${name}" takes ${rule.expected}${found}.`);
}
