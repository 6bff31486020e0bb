import { type OptionTable, option } from '../model/options.js';
import type { SandboxOptions } from './options.js';

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
  demo: option.boolean('demo', 'Fill it with synthetic data, in memory unless --data is given', {
    default: false,
  }),
} as const satisfies OptionTable<keyof SandboxOptions>;
