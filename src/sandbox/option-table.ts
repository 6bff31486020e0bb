import { type OptionTable, option } from '../model/options.js';
import type { FaultPlan } from './faults/plan.js';

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
}

/**
 * Options of the sandbox: the flags of `docferry sandbox`, checks and defaults derive from this
 * table.
 */
export const SANDBOX_OPTIONS = {
  port: option.integer('port', 'Port on 127.0.0.1', {
    min: 0,
    max: 65_535,
    default: 0,
    defaultText: '0: any free one',
  }),
  data: option.text('data', 'Folder for its data, or :memory: to store nothing on disk', {
    default: ':memory:',
    defaultText: '.docferry/sandbox',
  }),
  username: option.text('username', 'User name to accept', { default: 'sandbox@localhost' }),
  apiKey: { type: 'text' },
  maxDocuments: option.integer('max-documents', 'Maximum number of documents in an import', {
    min: 1,
    default: 1000,
  }),
  maxBodyBytes: option.integer('max-body', 'Maximum number of bytes in a request body', {
    min: 1,
    default: 10 * 1024 * 1024,
  }),
  pageSize: option.integer('page-size', 'Maximum number of documents in a response', {
    min: 1,
    default: 100,
  }),
  faults: option.any('faults', 'Fault plan: a YAML or JSON file'),
} as const satisfies OptionTable<keyof SandboxOptions>;
