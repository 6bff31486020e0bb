/** Help of commands: its groups of options, its examples, and the page about each. */
import { fileURLToPath } from 'node:url';
import type { Argv } from 'yargs';
import type { OptionEntry, OptionTable } from '../model/options.js';
import { wrapCommand } from '../model/terminal.js';
import { programName } from '../report/program-name.js';
import type { Command } from './command.js';
import { terminalOf } from './output/terminal-of.js';

const [REQUIRED, COMMON, OTHERS] = ['Required:', 'Common:', 'More:'] as const;
/** Groups of options in the order of the help, the rarest last. Others follow. */
export const GROUPS = [
  ...[REQUIRED, COMMON, 'Service:', 'Output:', 'Sending:'],
  ...['Mapping:', 'Reading (detected unless given):', OTHERS],
];

/** Flags that most users of a command need. */
const COMMON_FLAGS: ReadonlySet<string> = new Set([
  ...['sandbox', 'rejects', 'html', 'max-errors', 'resume', 'json', 'limit', 'out'],
  ...['field', 'input', 'paginate', 'follow', 'record', 'invalid', 'port', 'open', 'data', 'demo'],
  ...['mapping', 'monitoring', 'config', 'until-done', 'older-than', 'markdown'],
]);

export function groupOf({ flag = '', required, group }: OptionEntry): string {
  if (required) return REQUIRED;
  return COMMON_FLAGS.has(flag) ? COMMON : (group ?? OTHERS);
}

export function withHelp(
  argv: Argv,
  { usage, describe, examples }: Pick<Command, 'usage' | 'describe' | 'examples'>,
  positionals: OptionTable = {},
): Argv {
  const words = Object.entries(positionals).map(([name, { help = '' }]) => `${name}: ${help}`);
  const text = [`${programName()} ${usage}`, '', describe, ...words].join('\n');
  const [command = ''] = usage.split(' ');
  const page = fileURLToPath(new URL(PAGES[command] ?? 'README.md', PACKAGE));
  // Otherwise yargs would break them without a backslash, and the first line alone is another command.
  const lines = examples.map((line) => {
    return wrapCommand(`${programName()} ${line}`, { width: helpWidth() - 4 });
  });
  return argv
    .usage(text)
    .example(lines.map((line) => [line]))
    .epilogue(`Documentation:\n${page}`);
}

export function helpWidth(): number {
  return Math.min(100, terminalOf(process.stdout).width);
}

const PACKAGE = new URL('../../', import.meta.url);

/** Page of the documentation about each command; the README is about all. */
const PAGES: Readonly<Record<string, string>> = {
  import: 'docs/options.md',
  validate: 'docs/validation.md',
  preview: 'docs/mapping.md',
  guess: 'docs/guess.md',
  studio: 'docs/studio.md',
  jobs: 'docs/jobs.md',
  runs: 'docs/runs.md',
  report: 'docs/report.md',
  verify: 'docs/runs.md',
  'target-singer': 'docs/singer.md',
  mapping: 'docs/mapping.md',
  sandbox: 'docs/sandbox.md',
  monitorings: 'docs/commands.md',
  api: 'docs/commands.md',
};
