import { once } from 'node:events';
import { join } from 'node:path';
import type { Argv, Options } from 'yargs';
import { OptionError } from '../../model/errors.js';
import type { FaultPlan, Sandbox, SandboxOptions } from '../../sandbox/index.js';
import type { CommandBody, Start } from '../command.js';
import { untilInterrupted } from '../runs/interruption.js';

interface SandboxArguments {
  readonly port: number;
  readonly monitoring: number | undefined;
  readonly data: string | undefined;
  readonly username: string | undefined;
  readonly duplicates: 'keep' | 'replace' | 'ignore';
  readonly 'max-documents': number | undefined;
  readonly 'max-body': number | undefined;
  readonly 'page-size': number | undefined;
  readonly 'error-status': string | undefined;
  readonly faults: string | undefined;
  readonly demo: boolean;
  readonly json: boolean;
}

const SANDBOX_OPTIONS: Readonly<Record<keyof SandboxArguments, Options>> = {
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
    choices: ['keep', 'replace', 'ignore'] as const,
    default: 'keep' as const,
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
};

/** `docferry sandbox`: the service, on this machine, until Ctrl-C. */
export function sandboxCommand(start: Start): CommandBody<SandboxArguments> {
  return {
    builder: (argv) => argv.options(SANDBOX_OPTIONS) as Argv<SandboxArguments>,
    handler: (args) => start(() => runSandbox(args)),
  };
}

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
  const options = {
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
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as SandboxOptions;
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
