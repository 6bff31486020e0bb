import { once } from 'node:events';
import { join } from 'node:path';
import type { InferredOptionTypes } from 'yargs';
import { OptionError } from '../../model/errors.js';
import type { FaultPlan, Sandbox, SandboxOptions } from '../../sandbox/index.js';
import { type Command, defineCommand } from '../command.js';
import { given } from '../options/values.js';
import { untilInterrupted } from '../runs/interruption.js';

const SANDBOX_OPTIONS = {
  port: {
    type: 'number',
    requiresArg: true,
    default: 0,
    describe: 'Port on 127.0.0.1 (0: any free one)',
  },
  data: {
    type: 'string',
    requiresArg: true,
    describe: 'Folder for its data, or :memory: to keep nothing (default: .docferry/sandbox)',
  },
  monitoring: {
    type: 'number',
    requiresArg: true,
    describe: 'Id of a monitoring to make, unless it is there',
  },
  username: { type: 'string', requiresArg: true, describe: 'User name to accept' },
  duplicates: {
    choices: ['keep', 'replace', 'ignore'],
    default: 'keep',
    describe: 'What becomes of a document that comes twice',
  },
  'max-documents': { type: 'number', requiresArg: true, describe: 'Most documents in an import' },
  'max-body': { type: 'number', requiresArg: true, describe: 'Most bytes in a request' },
  'page-size': { type: 'number', requiresArg: true, describe: 'Most documents in an answer' },
  'error-status': {
    type: 'string',
    requiresArg: true,
    describe: 'Statuses of refusals, such as invalid=422,notFound=400',
  },
  faults: { type: 'string', requiresArg: true, describe: 'File that says what is to go wrong' },
  demo: {
    type: 'boolean',
    default: false,
    describe: 'Fill it with synthetic data, in memory unless --data says where',
  },
  json: {
    type: 'boolean',
    default: false,
    describe: 'First line on stdout: one JSON object with addresses and credentials',
  },
} as const;

type SandboxArguments = InferredOptionTypes<typeof SANDBOX_OPTIONS>;

/** `docferry sandbox`: the service, on this machine, until Ctrl-C. */
export const SANDBOX: Command = defineCommand((argv) => argv.options(SANDBOX_OPTIONS), runSandbox);

async function runSandbox(args: SandboxArguments): Promise<number> {
  const { startSandbox } = await import('../../sandbox/index.js');
  const sandbox = await startSandbox(await optionsOf(args));
  try {
    if (args.monitoring !== undefined) await sandbox.ensureMonitoring(args.monitoring);
    await serve(sandbox, args.json);
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
  return given({
    port: args.port,
    // Synthetic data is to be looked at, not to be mixed with what was imported.
    data: args.data ?? (args.demo ? ':memory:' : join('.docferry', 'sandbox')),
    duplicates: args.duplicates,
    demo: args.demo,
    username: args.username,
    apiKey: process.env['DOCFERRY_API_KEY'] || undefined,
    maxDocuments: args['max-documents'],
    maxBodyBytes: args['max-body'],
    pageSize: args['page-size'],
    statuses: args['error-status'] === undefined ? undefined : statusesOf(args['error-status']),
    faults: args.faults === undefined ? undefined : await faultsOf(args.faults),
  });
}

/** Reads `invalid=422,notFound=400`; the sandbox itself knows which kinds and statuses there are. */
function statusesOf(text: string): Record<string, number> {
  const pairs = text.split(',').map((pair) => {
    const [, kind, status] = /^(\w+)=(\d{3})$/.exec(pair.trim()) ?? [];
    if (kind === undefined) {
      throw new OptionError(`--error-status is "${text}"; expected pairs such as invalid=422.`);
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
