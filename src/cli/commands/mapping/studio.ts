import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { shellWord } from '../../../report/printable.js';
import { type Command, defineCommand } from '../../command.js';
import { print, say } from '../../print.js';
import { programName } from '../../program-name.js';
import { untilInterrupted } from '../../runs/interruption.js';

/** `docferry studio`: a page on this machine on which a mapping is written. */
export const STUDIO: Command = defineCommand(
  (argv) =>
    argv
      .positional('input', {
        type: 'string',
        demandOption: true,
        describe: 'The file to write a mapping for',
      })
      .option('mapping', {
        type: 'string',
        alias: 'm',
        requiresArg: true,
        describe: 'Mapping file to open, or to make (default: beside the file)',
      })
      .option('ready', {
        type: 'boolean',
        default: true,
        describe: 'Start with a mapping that comes with docferry if it was written for this layout',
      })
      .option('port', {
        type: 'number',
        requiresArg: true,
        default: 0,
        describe: 'Port on 127.0.0.1 (0: any free one)',
      })
      .option('open', {
        type: 'boolean',
        default: true,
        describe: 'Open it in the browser (--no-open: only print its address)',
      }),
  runStudio,
);

interface StudioArguments {
  readonly input: string;
  readonly mapping: string | undefined;
  readonly ready: boolean;
  readonly port: number;
  readonly open: boolean;
}

async function runStudio({ input, mapping, ready, port, open }: StudioArguments): Promise<number> {
  dropCredentials(process.env);
  const { startStudio } = await import('../../../studio/start-studio.js');
  const studio = await startStudio({ file: input, mapping, ready, port, commandLine });
  const { signal, dispose } = untilInterrupted();
  const stopped = once(signal, 'abort');
  try {
    print(studio.url);
    say(`The studio runs at this address, for ${input} and ${studio.mapping}. Ctrl-C stops it.`);
    if (open) openBrowser(studio.url);
    await stopped;
  } finally {
    dispose();
    await studio.close();
  }
  return 0;
}

/** The studio reaches no service, and needs nothing that leads to one. */
export function dropCredentials(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (name.startsWith('DOCFERRY_')) delete env[name];
}

function commandLine(command: 'validate' | 'import', file: string, mapping: string): string {
  const monitoring = command === 'import' ? ['--monitoring', 'ID'] : [];
  const words = [command, shellWord(file), '--mapping', shellWord(mapping), ...monitoring];
  return [programName(), ...words].join(' ');
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Where there is no browser, the address that was printed is enough. */
function openBrowser(url: string): void {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  const browser = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  browser.on('error', () => say('No browser could be opened: open the address yourself.'));
  browser.unref();
}
