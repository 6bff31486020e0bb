import { OptionError } from '../model/errors.js';
import { didYouMean } from '../model/nearest-name.js';
import type { CommandBody, Start } from './command.js';
import { programName } from './program-name.js';

/** What the list of commands says of one, and how to get at the rest of it. */
interface CommandEntry {
  readonly name: string;
  /** What follows the name, as yargs writes it. */
  readonly positionals?: string;
  /** The names of the commands that it consists of, if it is a group of such. */
  readonly commands?: readonly string[];
  readonly describe: string;
  // biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own
  readonly load: (start: Start) => Promise<CommandBody<any>>;
}

/** All commands. A module is loaded when its command is named. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'import',
    positionals: '<input..>',
    describe: 'Import records: read, map, validate, post, report',
    load: async (start) => (await import('./commands/import.js')).importCommand(start),
  },
  {
    name: 'validate',
    positionals: '<input..>',
    describe: 'Say of every record whether it is good; nothing is sent',
    load: async (start) => (await import('./commands/import.js')).validateCommand(start),
  },
  {
    name: 'preview',
    positionals: '<input..>',
    describe: 'Show records beside the documents they become; nothing is sent',
    load: async (start) => (await import('./commands/preview.js')).previewCommand(start),
  },
  {
    name: 'guess',
    positionals: '<input>',
    describe: 'Propose a mapping for an export that nobody has mapped yet',
    load: async (start) => (await import('./commands/guess.js')).guessCommand(start),
  },
  {
    name: 'runs',
    commands: ['list', 'show', 'resume', 'retry', 'resolve', 'prune'],
    describe: 'Look at imports and resume them',
    load: async (start) => (await import('./commands/runs.js')).runsCommand(start),
  },
  {
    name: 'verify',
    positionals: '<run>',
    describe: 'Compare what an import sent with what the service shows',
    load: async (start) => (await import('./commands/verify.js')).verifyCommand(start),
  },
  {
    name: 'mapping',
    commands: ['test', 'learn', 'list', 'show'],
    describe: 'Work with mapping files',
    load: async (start) => (await import('./commands/mapping.js')).mappingCommand(start),
  },
  {
    name: 'monitorings',
    commands: ['list', 'show', 'create', 'rename', 'add-searches', 'remove-searches'],
    describe: 'Look at monitorings, make and change them',
    load: async (start) => (await import('./commands/monitorings.js')).monitoringsCommand(start),
  },
  {
    name: 'documents',
    describe: 'Show the documents that filters select',
    load: async (start) => (await import('./commands/documents.js')).documentsCommand(start),
  },
  {
    name: 'feed',
    describe: 'Download documents in the order of their capture, from where the last run ended',
    load: async (start) => (await import('./commands/feed.js')).feedCommand(start),
  },
  {
    name: 'context',
    positionals: '<document-id>',
    describe: "Show a document's publication, its comments and their replies",
    load: async (start) => (await import('./commands/context.js')).contextCommand(start),
  },
  {
    name: 'authors',
    describe: 'Show the authors of the documents that filters select, as a ranking',
    load: async (start) => (await import('./commands/authors.js')).authorsCommand(start),
  },
  {
    name: 'indicators',
    describe: 'Show the indicators of the documents that filters select',
    load: async (start) => (await import('./commands/figures.js')).indicatorsCommand(start),
  },
  {
    name: 'chart',
    describe: 'Show a chart of the documents that filters select, as the service gives it',
    load: async (start) => (await import('./commands/figures.js')).chartCommand(start),
  },
  {
    name: 'sandbox',
    describe: 'Run the service on this machine, for rehearsals and tests',
    load: async (start) => (await import('./commands/sandbox.js')).sandboxCommand(start),
  },
];

/**
 * The words that name the command, such as `runs`, `resume`, if the line begins with them.
 * @throws OptionError that names the nearest command, if there is none of this name
 */
export function findCommand([first, second]: readonly string[]): readonly string[] {
  if (!isWord(first)) return [];
  const { commands } = COMMANDS.find(({ name }) => name === first) ?? {};
  const names = COMMANDS.map(({ name }) => name);
  if (!names.includes(first)) throw unknownCommand(first, names, []);
  if (commands === undefined || !isWord(second)) return [first];
  if (!commands.includes(second)) {
    const ofGroup = commands.map((name) => `${first} ${name}`);
    throw unknownCommand(`${first} ${second}`, ofGroup, [first]);
  }
  return [first, second];
}

/** Whether words found in a line are too few: none, or a group's alone. */
export function needsCommand([first, second]: readonly string[]): boolean {
  const entry = COMMANDS.find(({ name }) => name === first);
  return entry === undefined || (entry.commands !== undefined && second === undefined);
}

function isWord(arg: string | undefined): arg is string {
  return arg !== undefined && /^[^-]/.test(arg);
}

function unknownCommand(
  given: string,
  names: readonly string[],
  group: readonly string[],
): OptionError {
  const meant = didYouMean(given, names) || '.';
  const help = [programName(), ...group, '--help'].join(' ');
  return new OptionError(
    `There is no command ${JSON.stringify(given)}${meant}\n${help} lists those that there are.`,
  );
}
