import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { argument, option } from '../../../model/options.js';
import { fileWord } from '../../../model/text.js';
import { programName } from '../../../report/program-name.js';
import { SANDBOX_OPTIONS } from '../../../sandbox/option-table.js';
import { type Command, defineCommand } from '../../command.js';
import type { OptionValues } from '../../options/flags.js';
import { log, print } from '../../print.js';
import { untilInterrupted } from '../../runs/interruption.js';
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
} as const;

export const STUDIO: Command = defineCommand({
  usage: 'studio <input>',
  describe: 'Write a mapping in the browser, with the records in view',
  positionals: {
    input: argument('The file to write a mapping for'),
  },
  options: STUDIO_OPTIONS,
  examples: ['studio reviews.csv', 'studio reviews.csv -m mapping.yaml --port 8080 --no-open'],
  run: runStudio,
});

async function runStudio(
  args: OptionValues<typeof STUDIO_OPTIONS> & { readonly input: string },
): Promise<number> {
  const { input, mapping, ready = true, port = SANDBOX_OPTIONS.port.default, open = true } = args;
  dropCredentials(process.env);
  const { startStudio } = await import('../../../studio/start-studio.js');
  const studio = await startStudio({ file: input, mapping, ready, port, commandLine });
  const { signal, dispose } = untilInterrupted();
  const stopped = once(signal, 'abort');
  try {
    print(studio.url);
    log(`The studio runs at this address, for ${input} and ${studio.mapping}. Ctrl-C stops it.`);
    if (open) openBrowser(studio.url);
    await stopped;
  } finally {
    dispose();
    await studio.close();
  }
  return 0;
}

/** Removes the credentials from the environment, because the studio never calls the service. */
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
