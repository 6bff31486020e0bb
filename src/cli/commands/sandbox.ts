import { once } from 'node:events';
import { join } from 'node:path';
import { omitUndefined, option } from '../../model/options.js';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.js';
import { SANDBOX_OPTIONS } from '../../sandbox/option-table.js';
import { type Command, defineCommand } from '../command.js';
import type { OptionValues } from '../options/flags.js';
import { untilInterrupted } from '../runs/interruption.js';

const SANDBOX_FLAGS = {
  ...SANDBOX_OPTIONS,
  faults: { ...SANDBOX_OPTIONS.faults, type: 'text' },
  monitoring: option.integer('monitoring', 'Id of a monitoring to create if it does not exist', {
    min: 1,
  }),
  json: option.boolean('json', 'Print addresses and credentials as one line of JSON'),
} as const;

type SandboxArguments = OptionValues<typeof SANDBOX_FLAGS>;

export const SANDBOX: Command = defineCommand({
  usage: 'sandbox',
  describe: 'Run the service on this machine, for rehearsals and tests',
  options: SANDBOX_FLAGS,
  examples: ['sandbox --monitoring 1', 'sandbox --data reviews-sandbox'],
  run: runSandbox,
});

async function runSandbox(args: SandboxArguments): Promise<number> {
  const { startSandbox } = await import('../../sandbox/index.js');
  const sandbox = await startSandbox(await optionsOf(args));
  try {
    if (args.monitoring !== undefined) await sandbox.ensureMonitoring(args.monitoring);
    await serveUntilInterrupted(sandbox, args.json ?? false);
  } finally {
    await sandbox.close();
  }
  return 0;
}

/** Prints the address and credentials, and waits for an interruption. */
async function serveUntilInterrupted(sandbox: Sandbox, json: boolean): Promise<void> {
  const { baseUrl, legacyBaseUrl, username, apiKey } = sandbox;
  const facts = { baseUrl, legacyBaseUrl, username, apiKey };
  // Listen first: a reader of the address may stop the sandbox immediately.
  const { signal, dispose } = untilInterrupted();
  const stopped = once(signal, 'abort');
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : greeting(facts));
  await stopped;
  dispose();
}

async function optionsOf(args: SandboxArguments): Promise<SandboxOptions> {
  const { json: _, monitoring: __, faults, ...given } = args;
  const { loadFaultPlan } = await import('../../sandbox/faults/load-plan.js');
  return {
    ...given,
    data: args.data ?? join('.docferry', 'sandbox'),
    ...omitUndefined({
      apiKey: process.env['DOCFERRY_API_KEY'] || undefined,
      faults: faults === undefined ? undefined : await loadFaultPlan(faults),
    }),
  };
}

type Facts = Pick<Sandbox, 'baseUrl' | 'legacyBaseUrl' | 'username' | 'apiKey'>;

function greeting(facts: Facts): string {
  return `The sandbox is running. In another terminal:

  export DOCFERRY_BASE_URL=${facts.baseUrl}
  export DOCFERRY_USERNAME=${facts.username}
  export DOCFERRY_API_KEY=${facts.apiKey}

4.0 is at ${facts.legacyBaseUrl}. Ctrl-C stops it.
`;
}
