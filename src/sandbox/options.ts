import { randomBytes } from 'node:crypto';
import { OptionError } from '../errors.js';

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
  /** Most bytes in the body of a JSON call, at least 1. Default 10,485,760 (10 MiB). */
  maxBodyBytes?: number;
  /** Most documents in one import call, at least 1. Default 1,000. */
  maxDocuments?: number;
  /** Most documents in one response of `POST /documents`, at least 1. Default 100. */
  pageSize?: number;
  /** Default `keep`, so that a double import shows. */
  duplicates?: DuplicatesMode;
}

/** Options with every default filled in. */
export type SandboxSettings = Readonly<Required<SandboxOptions>>;

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
    duplicates: 'keep',
    ...Object.fromEntries(given),
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
  duplicates: {
    expected: 'one of keep, replace, ignore',
    holds: (value) => DUPLICATES_MODES.includes(value as DuplicatesMode),
  },
};

function check(name: string, value: unknown): void {
  const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof SandboxOptions] : undefined;
  if (!rule) {
    throw new OptionError(
      `The sandbox has no option "${name}"; its options are ${Object.keys(RULES).join(', ')}.`,
    );
  }
  if (rule.holds(value)) return;
  // The key is a secret even when it can't be used.
  const found = name === 'apiKey' ? '' : `, not ${String(JSON.stringify(value)).slice(0, 40)}`;
  throw new OptionError(`The sandbox's option "${name}" takes ${rule.expected}${found}.`);
}
