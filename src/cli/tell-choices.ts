import { ownVersion } from '../operations/cluster/version.js';
import { usageMistake } from './arguments/usage-mistake.js';
import { ALIASES, helpWidth } from './command.js';
import { examplesFor } from './examples.js';
import type { Named } from './find-command.js';
import { programName } from './program-name.js';

/**
 * Answers a line that names no command: with the commands there are, or the version. It does so
 * without yargs, which takes longer than all else.
 * @throws OptionError for anything but a flag that asks for one of these
 */
export function tellChoices(named: Named, args: readonly string[]): number {
  if (args.length === 0) {
    // A line without a command is a slip; what it needs is the list.
    process.stderr.write(helpOf(named));
    return 2;
  }
  const asks = (flag: keyof typeof ALIASES): boolean =>
    named.rest.some((arg) => arg === `-${flag}` || arg === `--${ALIASES[flag]}`);
  if (asks('h')) process.stdout.write(helpOf(named));
  else if (asks('v')) process.stdout.write(`${ownVersion()}\n`);
  else throw usageMistake(missing(named), named);
  return 0;
}

function missing({ words, choices }: Named): string {
  if (words.length === 0) return 'Name a command first, then its options.';
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' });
  return `Say what to do: ${names.format(choices.map(({ name }) => name))}.`;
}

/** A help as yargs lays out those of commands. */
function helpOf({ words, positionals, describe, choices }: Named): string {
  const name = [programName(), ...words].join(' ');
  const commands = choices.map(({ name: word, positionals, describe, commands }) => ({
    term: [name, word, positionals].filter((part) => part !== undefined).join(' '),
    describe: commands === undefined ? describe : `${describe}: ${commands.join(', ')}`,
  }));
  return [
    `${[name, positionals].join(' ').trimEnd()}\n`,
    `${describe}\n`,
    `Commands:\n${table(commands)}`,
    `Options:\n${table(FLAGS)}`,
    `${examplesFor(words)}\n`,
  ].join('\n');
}

const FLAGS: readonly Row[] = [
  { term: '-h, --help', describe: 'Show help' },
  { term: '-v, --version', describe: 'Show version number' },
];

interface Row {
  readonly term: string;
  readonly describe: string;
}

/** In a narrow terminal, lines had better be too long than have a word each. */
const MIN_WIDTH = 30;

/** Terms in one column, wrapped descriptions in the other. */
function table(rows: readonly Row[]): string {
  const column = Math.max(...rows.map(({ term }) => term.length)) + 4;
  return rows
    .map(({ term, describe }) => {
      const lines = wrapped(describe, Math.max(MIN_WIDTH, helpWidth() - column));
      return `  ${term.padEnd(column - 2)}${lines.join(`\n${' '.repeat(column)}`)}\n`;
    })
    .join('');
}

/** @param width a word that is longer has a line of its own */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
