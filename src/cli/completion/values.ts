/** What can be offered for the value of a flag or of a positional. */
import { SERVICE_OPTIONS, type StateArguments, sharedState } from '../options/connection.js';
import type { Flag } from './flags.js';

/** What Tab offers. */
export interface Completion {
  /** Files and folders are for the shell to find. */
  readonly kind: 'words' | 'files' | 'folders';
  readonly words: readonly CompletionWord[];
}

/** A word that needs no quotes in any shell. */
export interface CompletionWord {
  readonly word: string;
  /** One line; empty: there is nothing to say. */
  readonly describe: string;
}

/** What values stand for, by the names of their flags and positionals; of the others nothing is known. */
const VALUES: Readonly<Record<string, 'files' | 'folders' | 'runs' | 'mappings' | 'nothing'>> = {
  input: 'files',
  config: 'files',
  file: 'files',
  mapping: 'files',
  schema: 'files',
  out: 'files',
  rejects: 'files',
  report: 'files',
  html: 'files',
  events: 'files',
  metrics: 'files',
  summary: 'files',
  'api-key-file': 'files',
  ca: 'files',
  'cursor-file': 'files',
  searches: 'files',
  faults: 'files',
  'state-dir': 'folders',
  data: 'folders',
  run: 'runs',
  resume: 'runs',
  // It is for runs of a shared state only.
  'runs cancel run': 'nothing',
  name: 'mappings',
};

/** What is offered where nothing is known. */
export const NOTHING: Completion = { kind: 'words', words: [] };

/**
 * What the value of a flag or a positional may be.
 * @param command the words that name its command
 * @param state where runs are kept, as far as it is typed
 * @throws JournalError, OptionError if that can't be read
 */
export async function valuesOf(
  { names, choices }: Flag,
  command: readonly string[],
  state: Partial<StateArguments>,
): Promise<Completion> {
  if (choices.length > 0) return offered(choices.map((word) => ({ word, describe: '' })));
  const keys = [...names.map((name) => [...command, name].join(' ')), ...names];
  const kind = keys.map((key) => VALUES[key]).find((found) => found !== undefined);
  if (kind === 'files' || kind === 'folders') return { kind, words: [] };
  if (kind === 'runs') return offered(await runs(state));
  if (kind === 'mappings') return offered(await readyMappings());
  return NOTHING;
}

/** Offers some words, or nothing if there are none. */
export function offered(words: readonly CompletionWord[]): Completion {
  return { kind: 'words', words };
}

/** The latest first. A shared state isn't asked: a database may keep somebody waiting. */
async function runs(state: Partial<StateArguments>): Promise<readonly CompletionWord[]> {
  if (sharedState(state) !== undefined) return [];
  const { runIdsIn } = await import('../../operations/runs/run-ids.js');
  const ids = runIdsIn(state['state-dir'] ?? SERVICE_OPTIONS['state-dir'].default);
  // They are names of folders: whatever else lies there isn't put on a command line.
  const safe = ids.filter((id) => /^\w[\w.-]*$/.test(id));
  return safe.toReversed().map((word) => ({ word, describe: '' }));
}

async function readyMappings(): Promise<readonly CompletionWord[]> {
  const { readyMappings } = await import('../../operations/ready-mappings.js');
  return readyMappings().map(({ name, export: describe }) => ({ word: name, describe }));
}
