import { join } from 'node:path';
import type { Argv, CommandModule, Options } from 'yargs';

interface SandboxArguments {
  readonly port: number;
  readonly data: string | undefined;
  readonly username: string | undefined;
  readonly duplicates: 'keep' | 'replace' | 'ignore';
  readonly 'max-documents': number | undefined;
  readonly 'max-body': number | undefined;
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
  username: { type: 'string', requiresArg: true, describe: 'User name to accept' },
  duplicates: {
    choices: ['keep', 'replace', 'ignore'] as const,
    default: 'keep' as const,
    describe: 'What becomes of a document that comes twice',
  },
  'max-documents': { type: 'number', requiresArg: true, describe: 'Most documents in an import' },
  'max-body': { type: 'number', requiresArg: true, describe: 'Most bytes in a request' },
  json: {
    type: 'boolean',
    default: false,
    describe: 'First line on stdout: one JSON object with addresses and credentials',
  },
};

/** `docferry sandbox`: the service, on this machine, until Ctrl-C. */
export function sandboxCommand(
  finish: (status: number) => void,
): CommandModule<object, SandboxArguments> {
  return {
    command: 'sandbox',
    describe: 'Run the service on this machine, for rehearsals and tests',
    builder: (argv) => argv.options(SANDBOX_OPTIONS) as Argv<SandboxArguments>,
    handler: async (args) => finish(await runSandbox(args)),
  };
}

async function runSandbox(args: SandboxArguments): Promise<number> {
  const { startSandbox } = await import('../../sandbox/index.js');
  const { username, 'max-documents': maxDocuments, 'max-body': maxBodyBytes } = args;
  const apiKey = process.env['DOCFERRY_API_KEY'];
  const sandbox = await startSandbox({
    port: args.port,
    data: args.data ?? join('.docferry', 'sandbox'),
    duplicates: args.duplicates,
    ...(apiKey ? { apiKey } : {}),
    ...(username === undefined ? {} : { username }),
    ...(maxDocuments === undefined ? {} : { maxDocuments }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  });
  const { baseUrl, legacyBaseUrl, apiKey: key } = sandbox;
  const facts = { baseUrl, legacyBaseUrl, username: sandbox.username, apiKey: key };
  // Whoever reads the address may stop us the next moment.
  const stopped = untilStopped();
  process.stdout.write(args.json ? `${JSON.stringify(facts)}\n` : greeting(facts));
  await stopped;
  await sandbox.close();
  return 0;
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

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
