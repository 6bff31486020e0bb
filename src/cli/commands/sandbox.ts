import { once } from 'node:events';
import { join } from 'node:path';
import { OptionError } from '../../model/errors.js';
import { type OptionTable, option } from '../../model/options.js';
import type { FaultPlan, Sandbox, SandboxOptions } from '../../sandbox/index.js';
import { type Command, defineCommand } from '../command.js';
import type { Given } from '../options/flags.js';
import { omitUndefined } from '../options/values.js';
import { untilInterrupted } from '../runs/interruption.js';

const SANDBOX_OPTIONS = {
  port: option.integer('port', 'Port on 127.0.0.1', {
    min: 0,
    max: 65_535,
    default: 0,
    defaultText: '0: any free one',
  }),
  data: option.text('data', 'Folder for its data, or :memory: to keep nothing', {
    offers: 'folders',
    defaultText: '.docferry/sandbox',
  }),
  monitoring: option.integer('monitoring', 'Id of a monitoring to make, unless it is there', {
    min: 1,
  }),
  username: option.text('username', 'User name to accept'),
  duplicates: option.text('duplicates', 'What to do with a document that comes twice', {
    choices: ['keep', 'replace', 'ignore'],
    default: 'keep',
  }),
  maxDocuments: option.integer('max-documents', 'Most documents in an import', { min: 1 }),
  maxBodyBytes: option.integer('max-body', 'Most bytes in a request', { min: 1 }),
  pageSize: option.integer('page-size', 'Most documents in an answer', { min: 1 }),
  statuses: option.any('error-status', 'Statuses of refusals, e.g. invalid=422,notFound=400', {
    parse: parseStatuses,
  }),
  faults: option.text('faults', 'File that says what is to go wrong', { offers: 'files' }),
  demo: option.boolean('demo', 'Fill it with synthetic data, in memory unless --data says where'),
  json: option.boolean(
    'json',
    'First line on stdout: one JSON object with addresses and credentials',
  ),
} as const satisfies OptionTable;

type SandboxArguments = Given<typeof SANDBOX_OPTIONS>;

/** `docferry sandbox`: the service, on this machine, until Ctrl-C. */
export const SANDBOX: Command = defineCommand({
  usage: 'sandbox',
  describe: 'Run the service on this machine, for rehearsals and tests',
  options: SANDBOX_OPTIONS,
  examples: ['sandbox --monitoring 1', 'sandbox --demo'],
  run: runSandbox,
});

async function runSandbox(args: SandboxArguments): Promise<number> {
  const { startSandbox } = await import('../../sandbox/index.js');
  const sandbox = await startSandbox(await optionsOf(args));
  try {
    if (args.monitoring !== undefined) await sandbox.ensureMonitoring(args.monitoring);
    await serve(sandbox, args.json ?? false);
  } finally {
    await sandbox.close();
  }
  return 0;
}

/** Until it is told to end. */
async function serve(sandbox: Sandbox, json: boolean): Promise<void> {
  const { baseUrl, legacyBaseUrl, apiKey: key } = sandbox;
  const facts = { baseUrl, legacyBaseUrl, username: sandbox.username, apiKey: key };
  // Whoever reads the address may stop us the next moment.
  const { signal, dispose } = untilInterrupted();
  const stopped = once(signal, 'abort');
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : greeting(facts));
  await stopped;
  dispose();
}

async function optionsOf(args: SandboxArguments): Promise<SandboxOptions> {
  const { json: _, monitoring: __, faults, ...given } = args;
  return {
    ...given,
    // Synthetic data is to be looked at, not to be mixed with what was imported.
    data: args.data ?? (args.demo ? ':memory:' : join('.docferry', 'sandbox')),
    ...omitUndefined({
      apiKey: process.env['DOCFERRY_API_KEY'] || undefined,
      faults: faults === undefined ? undefined : await faultsOf(faults),
    }),
  };
}

/** Reads `invalid=422,notFound=400`; the sandbox knows which kinds and statuses there are. */
function parseStatuses(text: string): Record<string, number> {
  const pairs = text.split(',').map((pair) => {
    const [, kind, status] = /^(\w+)=(\d{3})$/.exec(pair.trim()) ?? [];
    if (kind === undefined) {
      throw new OptionError(`--error-status is "${text}"; expected pairs, e.g. invalid=422.`);
    }
    return [kind, Number(status)] as const;
  });
  return Object.fromEntries(pairs);
}

async function faultsOf(file: string): Promise<FaultPlan> {
  const { loadFaultPlan } = await import('../../sandbox/faults/load-plan.js');
  return await loadFaultPlan(file);
}

function greeting(
  facts: Record<'baseUrl' | 'legacyBaseUrl' | 'username' | 'apiKey', string>,
): string {
  return `The sandbox runs. In another terminal:

  export DOCFERRY_BASE_URL=${facts.baseUrl}
  export DOCFERRY_USERNAME=${facts.username}
  export DOCFERRY_API_KEY=${facts.apiKey}

4.0 is at ${facts.legacyBaseUrl}. Ctrl-C stops it.
`;
}
