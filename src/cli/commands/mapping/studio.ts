import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OptionError } from '../../../model/errors.js';
import { argument, option } from '../../../model/options.js';
import { fileWord } from '../../../model/text.js';
import { programName } from '../../../report/program-name.js';
import type { Sandbox } from '../../../sandbox/index.js';
import { SANDBOX_OPTIONS } from '../../../sandbox/option-table.js';
import type { StudioService } from '../../../studio/service.js';
import { type Command, defineCommand } from '../../command.js';
import {
  connectionTo,
  givenServiceFlags,
  refuseSharedSandbox,
  SANDBOX_BEHAVIOUR,
  SANDBOX_SERVICE,
  SERVICE_OPTIONS,
  type ServiceArguments,
  sharedState,
  startEmbeddedSandbox,
  stateDirOf,
} from '../../options/connection.js';
import type { OptionValues } from '../../options/flags.js';
import { log, print } from '../../print.js';
import { EXIT_INTERRUPTED, untilInterrupted } from '../../runs/interruption.js';
import { READY_OPTION } from './guess.js';

const STUDIO_OPTIONS = {
  mapping: option.text('mapping', 'Mapping file to open or create', {
    short: 'm',
    defaultText: 'next to the input',
    file: 'written',
  }),
  ...READY_OPTION,
  port: SANDBOX_OPTIONS.port,
  open: option.boolean('open', 'Open it in the browser (--no-open: only print its address)', {
    default: true,
  }),
  ...SERVICE_OPTIONS,
} as const;

export const STUDIO: Command = defineCommand({
  usage: 'studio <input>',
  describe: 'Write a mapping in the browser, with the records in view',
  positionals: {
    input: argument('The file to write a mapping for'),
  },
  options: STUDIO_OPTIONS,
  examples: [
    'studio reviews.csv',
    'studio reviews.csv --sandbox',
    'studio reviews.csv -m mapping.yaml --port 8080 --no-open',
  ],
  run: runStudio,
});

type StudioArguments = OptionValues<typeof STUDIO_OPTIONS> & { readonly input: string };

async function runStudio(args: StudioArguments): Promise<number> {
  refuseSharedSandbox(args.sandbox, sharedState(args));
  const sandbox = await startEmbeddedSandbox(args);
  try {
    await sandbox?.ensureMonitoring(1);
    return await serveStudio(args, serviceOf(sandbox, args));
  } finally {
    await sandbox?.close();
  }
}

/** Runs the studio until it is interrupted. */
async function serveStudio(
  args: StudioArguments,
  service: StudioService | undefined,
): Promise<number> {
  const { input, mapping, ready = true, port = SANDBOX_OPTIONS.port.default, open = true } = args;
  dropCredentials(process.env);
  const { startStudio } = await import('../../../studio/start-studio.js');
  const studio = await startStudio({ file: input, mapping, ready, port, service, commandLine });
  const { signal, dispose } = untilInterrupted();
  const stopped = once(signal, 'abort');
  try {
    print(studio.url);
    log(`The studio runs at this address, for ${input} and ${studio.mapping}. Ctrl-C stops it.`);
    if (open) openBrowser(studio.url);
    await stopped;
    if (!studio.isBusy) return 0;
    log(STOPPING);
    return EXIT_INTERRUPTED;
  } finally {
    dispose();
    await studio.close();
  }
}

const STOPPING =
  'Stopping: an import waits up to 30 s for its requests in flight; `docferry runs list` shows it afterwards. Press Ctrl-C again to stop at once.';

/**
 * Returns the service to import into; `undefined` if the variables of the environment don't suffice,
 * which is logged, as a mapping can be made without one.
 * @throws OptionError
 */
function serviceOf(
  sandbox: Sandbox | undefined,
  args: ServiceArguments,
): StudioService | undefined {
  const state = sharedState(args);
  const place = state === undefined ? { stateDir: stateDirOf(args) } : { state };
  try {
    const connection = connectionTo(sandbox, args);
    const known = sandbox === undefined ? {} : { ...SANDBOX_BEHAVIOUR, service: SANDBOX_SERVICE };
    const name = sandbox === undefined ? {} : { name: 'the embedded sandbox' };
    return { connection, ...name, options: { ...place, ...known } };
  } catch (error) {
    if (givenServiceFlags(args).length > 0 || !(error instanceof OptionError)) throw error;
    const isMeant = /^DOCFERRY_(BASE_URL|USERNAME|API_KEY)/m.test(
      Object.keys(process.env).join('\n'),
    );
    if (isMeant) log(`The studio can't import by itself. ${error.message}`);
    return undefined;
  }
}

/** Removes the credentials from the environment: programs that this one starts don't need them. */
export function dropCredentials(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (name.startsWith('DOCFERRY_')) delete env[name];
}

function commandLine(command: 'import' | 'studio', file: string, mapping: string): string {
  const monitoring = command === 'import' ? ['--monitoring', 'ID'] : [];
  const words = [command, fileWord(file), '--mapping', fileWord(mapping), ...monitoring];
  return [programName(), ...words].join(' ');
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the browser; without one, the printed address is enough. */
function openBrowser(url: string): void {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  const browser = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  browser.on('error', () => log('No browser could be opened: open the address yourself.'));
  browser.unref();
}
