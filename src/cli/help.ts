/** Help of commands: its groups of options and its examples. */
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
  ...['field', 'input', 'paginate', 'follow', 'record', 'invalid', 'port', 'open', 'data'],
  ...['mapping', 'monitoring', 'config', 'older-than', 'markdown'],
]);

export function helpGroup({ flag = '', required, group }: OptionEntry): string {
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
  // Otherwise yargs would break them without a backslash, and the first line alone is another command.
  const lines = examples.map((line) => {
    return wrapCommand(`${programName()} ${line}`, { width: helpWidth() - 4 });
  });
  return argv
    .usage(text)
    .example(lines.map((line) => [line]))
    .epilogue(`Documentation:\n${README}`);
}

export function helpWidth(): number {
  return Math.min(100, terminalOf(process.stdout).width);
}

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
