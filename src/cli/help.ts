/** Help of commands: its groups of options, its examples, and the page about each. */
import { fileURLToPath } from 'node:url';
import type { Argv } from 'yargs';
import type { OptionEntry } from '../model/options.js';
import { wrapCommand } from '../model/terminal.js';
import type { Command } from './command.js';
import { terminalOf } from './output/terminal-of.js';
import { programName } from './print.js';

export const REQUIRED = 'Required:';
const [COMMON, OTHERS] = ['Common:', 'More:'] as const;
/** Groups of options in the order of the help, the rarest last. Others follow. */
export const GROUPS = [
  ...['Arguments:', REQUIRED, COMMON, 'Filters:', 'Service:', 'Output:', 'Sending:'],
  ...['Mapping:', 'Reading (detected unless given):', OTHERS],
];

/** Flags that most users of a command need. */
const COMMON_FLAGS: ReadonlySet<string> = new Set([
  ...['sandbox', 'rejects', 'html', 'max-errors', 'resume', 'json', 'limit', 'output', 'out'],
  ...['sources', 'query', 'languages', 'sentiments', 'start', 'end', 'since', 'until'],
  ...['cursor-file', 'follow', 'record', 'invalid', 'port', 'open', 'data', 'demo', 'mapping'],
  ...['monitoring', 'config', 'until-done', 'older-than', 'markdown'],
]);

export function groupOf({ flag = '', required, group }: OptionEntry): string {
  if (required || group === REQUIRED) return REQUIRED;
  return COMMON_FLAGS.has(flag) ? COMMON : (group ?? OTHERS);
}

/** Shows the examples before the options, which yargs would list first. */
export function withHelp(
  argv: Argv,
  { usage, describe, examples }: Pick<Command, 'usage' | 'describe' | 'examples'>,
): Argv {
  const program = programName();
  const width = helpWidth();
  const lines = examples.map((line) => wrapCommand(`$ ${program} ${line}`, { width }));
  const text = [`${program} ${usage}`, '', describe, '', 'Examples:', ...lines].join('\n');
  const [command = ''] = usage.split(' ');
  const page = fileURLToPath(new URL(PAGES[command] ?? 'README.md', PACKAGE));
  return argv.usage(text).epilogue(`Documentation: ${page}`);
}

export function helpWidth(): number {
  return Math.min(100, terminalOf(process.stdout).width);
}

const PACKAGE = new URL('../../', import.meta.url);
const QUERIES = ['monitorings', 'documents', 'feed', 'context', 'authors', 'indicators', 'chart'];

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
  worker: 'docs/cluster.md',
  mapping: 'docs/mapping.md',
  sandbox: 'docs/sandbox.md',
  completion: 'docs/completion.md',
  ...Object.fromEntries(QUERIES.map((name) => [name, 'docs/commands.md'])),
};

/** Types, which the texts and examples show better, and what the group or usage line repeats. */
const NOISE = /\[(?:string|boolean|array|required|default: \[\])\]/g;

/** Repairs yargs' help: noise, lines left empty by it, indents dropped, tags glued to texts. */
export function tidyHelp(help: string): string {
  const width = helpWidth();
  return help
    .replaceAll(/ \\\n(?=\S)/g, ' \\\n    ')
    .replaceAll(NOISE, (tag) => ' '.repeat(tag.length))
    .replaceAll(/\n +(?=\n|$)/g, '')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/^(.*\w)(\[(?:choices|default)\b.*\])$/gm, (_, text: string, tag: string) =>
      text.length + tag.length < width
        ? `${text}${tag.padStart(width - text.length)}`
        : `${text}\n${tag.padStart(width)}`,
    );
}
