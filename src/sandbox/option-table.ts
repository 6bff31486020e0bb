import { type OptionTable, option } from '../model/options.js';
import type { SandboxOptions } from './options.js';

/** The options of the sandbox: flags of `docferry sandbox`, checks and defaults derive from here. */
export const SANDBOX_OPTIONS = {
  port: option.integer('port', 'Port on 127.0.0.1', {
    min: 0,
    max: 65_535,
    default: 0,
    defaultText: '0: any free one',
  }),
  data: option.text('data', 'Folder for its data, or :memory: to keep nothing', {
    offers: 'folders',
    default: ':memory:',
    defaultText: '.docferry/sandbox',
  }),
  username: option.text('username', 'User name to accept', { default: 'sandbox@localhost' }),
  apiKey: { type: 'text' },
  maxDocuments: option.integer('max-documents', 'Most documents in an import', {
    min: 1,
    default: 1000,
  }),
  maxBodyBytes: option.integer('max-body', 'Most bytes in a request', {
    min: 1,
    default: 10 * 1024 * 1024,
  }),
  pageSize: option.integer('page-size', 'Most documents in an answer', { min: 1, default: 100 }),
  faults: option.any('faults', 'File that says what is to go wrong', { offers: 'files' }),
  demo: option.boolean('demo', 'Fill it with synthetic data, in memory unless --data says where', {
    default: false,
  }),
} as const satisfies OptionTable<keyof SandboxOptions>;
