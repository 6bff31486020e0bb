import type { Command, GroupedCommand } from './command.js';

/** What the list of commands says of one, and how to get at the rest of it. */
export interface CommandEntry {
  readonly name: string;
  /** What follows the name, as yargs writes it. */
  readonly positionals?: string;
  readonly describe: string;
  readonly load?: () => Promise<Command>;
  /** Instead, if it is a group: the names of its commands. */
  readonly commands?: readonly string[];
  readonly loadGroup?: () => Promise<readonly GroupedCommand[]>;
}

/** All commands. A module is loaded when its command is named. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'import',
    positionals: '<input..>',
    describe: 'Import records: read, map, validate, post, report',
    load: async () => (await import('./commands/import.js')).IMPORT,
  },
  {
    name: 'validate',
    positionals: '<input..>',
    describe: 'Validate every record; nothing is sent',
    load: async () => (await import('./commands/import.js')).VALIDATE,
  },
  {
    name: 'preview',
    positionals: '<input..>',
    describe: 'Show records beside the documents they become; nothing is sent',
    load: async () => (await import('./commands/mapping/preview.js')).PREVIEW,
  },
  {
    name: 'guess',
    positionals: '<input>',
    describe: 'Propose a mapping for an unknown export',
    load: async () => (await import('./commands/mapping/guess.js')).GUESS,
  },
  {
    name: 'studio',
    positionals: '<input>',
    describe: 'Write a mapping in the browser, looking at the records',
    load: async () => (await import('./commands/mapping/studio.js')).STUDIO,
  },
  {
    name: 'runs',
    commands: ['list', 'show', 'resume', 'retry', 'resolve', 'cancel', 'prune'],
    describe: 'List, show and resume imports',
    loadGroup: async () => (await import('./commands/runs.js')).RUNS,
  },
  {
    name: 'report',
    positionals: '<report>',
    describe: 'Show a report that was kept as JSON, or write it as an HTML page',
    load: async () => (await import('./commands/report.js')).REPORT,
  },
  {
    name: 'verify',
    positionals: '<run>',
    describe: 'Compare what an import sent with what the service shows',
    load: async () => (await import('./commands/runs.js')).VERIFY,
  },
  {
    name: 'target-singer',
    describe: 'Import what a Singer tap writes to stdin; states go to stdout',
    load: async () => (await import('./commands/target-singer.js')).TARGET_SINGER,
  },
  {
    name: 'worker',
    describe: 'Take part in the imports of a shared state, until Ctrl-C',
    load: async () => (await import('./commands/worker.js')).WORKER,
  },
  {
    name: 'mapping',
    commands: ['check', 'test', 'learn', 'list', 'show'],
    describe: 'Work with mapping files',
    loadGroup: async () => (await import('./commands/mapping/mapping.js')).MAPPING,
  },
  {
    name: 'monitorings',
    commands: ['list', 'show', 'create', 'rename', 'add-searches', 'remove-searches'],
    describe: 'List, show, create and change monitorings',
    loadGroup: async () => (await import('./commands/monitorings.js')).MONITORINGS,
  },
  {
    name: 'documents',
    describe: 'Show the documents that filters select',
    load: async () => (await import('./commands/documents.js')).DOCUMENTS,
  },
  {
    name: 'feed',
    describe: 'Download documents in the order of their capture, from where the last run ended',
    load: async () => (await import('./commands/feed.js')).FEED,
  },
  {
    name: 'context',
    positionals: '<document-id>',
    describe: "Show a document's publication, its comments and their replies",
    load: async () => (await import('./commands/context.js')).CONTEXT,
  },
  {
    name: 'authors',
    describe: 'Show the authors of the documents that filters select, as a ranking',
    load: async () => (await import('./commands/documents.js')).AUTHORS,
  },
  {
    name: 'indicators',
    describe: 'Show the indicators of the documents that filters select',
    load: async () => (await import('./commands/figures.js')).INDICATORS,
  },
  {
    name: 'chart',
    describe: 'Show a chart of the documents that filters select, as the service gives it',
    load: async () => (await import('./commands/figures.js')).CHART,
  },
  {
    name: 'sandbox',
    describe: 'Run the service on this machine, for rehearsals and tests',
    load: async () => (await import('./commands/sandbox.js')).SANDBOX,
  },
  {
    name: 'completion',
    positionals: '<shell>',
    describe: 'Print a script with which bash or zsh completes commands at Tab',
    load: async () => (await import('./commands/completion.js')).COMPLETION,
  },
];
