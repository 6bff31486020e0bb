import type { Client, Document, FeedOptions, FeedPage } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { type OptionTable, option } from '../../model/options.js';
import { isObject } from '../../model/record.js';
import { readSmallFile, unreadableReason } from '../../model/small-file.js';
import { checkOutput } from '../../outputs/check-output.js';
import { writeOutput } from '../../outputs/output-file.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, withClient } from '../options/connection.js';
import { agoOption, FEED_FILTERS, feedFiltersOf } from '../options/filters.js';
import { type OptionValues, pick, toFlags } from '../options/flags.js';
import { OUTPUT_CONFLICTS, OUTPUT_OPTIONS, outputOf } from '../options/output.js';
import { DOCUMENT_KIND } from '../output/kinds.js';
import { log, logCommand, programName } from '../print.js';
import { untilInterrupted } from '../runs/interruption.js';
import { stateFlag } from '../runs/resume-hint.js';

const FEED_OPTIONS = {
  ...FEED_FILTERS,
  ...SERVICE_OPTIONS,
  follow: option.boolean('follow', 'Keep waiting for new documents until Ctrl-C'),
  intervalMs: option.number('interval', 'Seconds between polls with --follow', {
    min: 1,
    unit: 'seconds',
    default: 60_000,
  }),
  cursorFile: option.text(
    'cursor-file',
    'File that stores the cursor, so that the next run continues there',
  ),
  cursor: option.text('cursor', 'Start at this cursor'),
  since: agoOption(
    'since',
    'Start with documents downloaded at this time (UTC) or later, or an age: 12h, 7d, 4w',
  ),
  limit: option.integer('limit', 'Maximum number to print; with --cursor-file, whole pages', {
    short: 'n',
    min: 1,
    defaultText: 'all',
  }),
  ...OUTPUT_OPTIONS,
} as const satisfies OptionTable;

type FeedArguments = OptionValues<typeof FEED_OPTIONS>;

export const FEED: Command = defineCommand({
  usage: 'feed',
  describe: 'Download documents in order of capture, from where the last run ended',
  options: FEED_OPTIONS,
  conflicts: [...OUTPUT_CONFLICTS, ['since', 'cursor']],
  examples: ['feed --monitorings 1 --output jsonl --cursor-file hotels.cursor >> hotels.jsonl'],
  run: runFeed,
});

async function runFeed(args: FeedArguments): Promise<number> {
  checkOptions(args);
  const filters = feedFiltersOf(args);
  const file = args.cursorFile;
  const cursorFile = file === undefined ? undefined : openCursorFile(file, filters);
  const start = await startOf(args, cursorFile?.cursor);
  const interruption = untilInterrupted();
  try {
    return await withClient(args, async (client) => {
      const options = {
        ...start,
        follow: args.follow ?? false,
        intervalMs: args.intervalMs ?? FEED_OPTIONS.intervalMs.default,
        signal: interruption.signal,
      };
      await show({ client, args, options, save: cursorFile?.save });
      // Following always ends by an interruption; a download is incomplete after one.
      return interruption.signal.aborted && !args.follow ? 130 : 0;
    });
  } finally {
    interruption.dispose();
  }
}

function checkOptions(args: FeedArguments): void {
  const { follow, intervalMs } = args;
  if (follow && outputOf(args) === 'json') {
    throw new OptionError(
      "--follow doesn't end, so it can't write one JSON value: use --output jsonl.",
    );
  }
  if (intervalMs !== undefined && !follow) {
    throw new OptionError('--interval needs --follow: give both, or neither.');
  }
}

/** Returns where to start. The cursor file takes precedence, because the last run wrote it. */
async function startOf(
  { cursor, since }: FeedArguments,
  storedCursor: string | undefined,
): Promise<FeedOptions> {
  if (storedCursor !== undefined) return { cursor: storedCursor };
  if (cursor !== undefined) return { cursor };
  if (since === undefined) return {};
  const { cursorAt } = await import('../../api/index.js');
  return { cursor: cursorAt(since, '--since') };
}

interface Feed {
  readonly client: Client;
  readonly args: FeedArguments;
  readonly options: FeedOptions;
  /** Stores the cursor of a page that has been written. */
  readonly save: ((cursor: string) => void) | undefined;
}

/**
 * Prints the pages of a feed, and then how to continue. With a cursor file, pages are printed
 * whole, even at the limit, because no cursor points into the middle of a page.
 */
async function show({ client, args, options, save }: Feed): Promise<void> {
  const { printRecords } = await import('../output/print-records.js');
  const { limit = Number.POSITIVE_INFINITY } = args;
  let count = 0;
  let left = 0;
  let next: string | undefined;

  async function* batches(): AsyncGenerator<readonly Document[]> {
    for await (const page of pagesOf(client.feed(feedFiltersOf(args), options), options)) {
      const { documents, remaining, nextCursor } = page;
      const wanted = save === undefined ? documents.slice(0, limit - count) : documents;
      yield wanted;
      // The next batch is asked for once this one was written.
      count += wanted.length;
      left = remaining + documents.length - wanted.length;
      next = wanted.length === documents.length ? nextCursor : undefined;
      save?.(nextCursor);
      if (count >= limit) return;
    }
  }

  await printRecords(batches(), DOCUMENT_KIND, outputOf(args));
  if (count === 0) log('No new documents.');
  if (left > 0) log(`${count} documents; ${left} more remain.`);
  if (next !== undefined && save === undefined) {
    const { since: _, state: __, stateDir: ___, ...typed } = args;
    const flags = toFlags(FEED_OPTIONS, pick(FEED_OPTIONS, { ...typed, cursor: next }));
    logCommand('To continue:', [programName(), 'feed', ...stateFlag(args), ...flags].join(' '));
  }
}

/** Yields pages until the interruption, which isn't an error. */
async function* pagesOf(
  pages: AsyncIterable<FeedPage>,
  { signal }: FeedOptions,
): AsyncGenerator<FeedPage> {
  try {
    yield* pages;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

type Filters = Readonly<Record<string, unknown>>;

/** A file that stores the position in a feed, and its filters. */
interface CursorFile {
  /** `undefined` if the file didn't exist. */
  readonly cursor: string | undefined;
  /** Replaces the file atomically, so that a reader finds the last cursor or this one. */
  readonly save: (cursor: string) => void;
}

/**
 * Opens a cursor file, which need not exist.
 * @throws OptionError if it can't be used, or was made with other filters: a cursor is only valid
 * with its filters (reference, "POST /documents/feed", rule 4)
 */
function openCursorFile(file: string, given: object): CursorFile {
  const filters = normalise(given as Filters);
  const content = read(file);
  const state = content === undefined ? undefined : parse(file, content);
  if (state !== undefined) refuseOtherFilters(file, state.filters, filters);
  const what = 'cursor file';
  checkOutput({ path: file, what, mayReplace: true, remedy: '' }, { inputs: [] });
  const save = (cursor: string): void => {
    const text = `${JSON.stringify({ cursor, filters }, null, 2)}\n`;
    try {
      writeOutput(file, text, { mayReplace: () => true });
    } catch (error) {
      log("The cursor wasn't stored, so the next run repeats the last page of this one.");
      throw error;
    }
  };
  return { cursor: state?.cursor, save };
}

interface State {
  readonly cursor: string;
  readonly filters: Filters;
}

/** Normalises filters: for the service, lists are sets, and the order of names is irrelevant. */
function normalise(filters: Filters): Filters {
  const entries = Object.entries(filters).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? [...new Set(value.map(String))].toSorted() : value,
  ]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function read(file: string): string | undefined {
  try {
    return readSmallFile(file).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OptionError(`The cursor file ${file} can't be read (${unreadableReason(error)}).`);
  }
}

function parse(file: string, content: string): State {
  try {
    const { cursor, filters } = JSON.parse(content);
    if (typeof cursor === 'string' && isObject(filters)) return { cursor, filters };
  } catch {
    // Reported below.
  }
  throw new OptionError(
    `${file} is not a docferry cursor file: name another one, or remove it to read the feed from its beginning.`,
  );
}

function refuseOtherFilters(file: string, made: Filters, given: Filters): void {
  const names = [...new Set([...Object.keys(made), ...Object.keys(given)])];
  const differences = names
    .filter((name) => JSON.stringify(made[name]) !== JSON.stringify(given[name]))
    .map((name) => `${name} ${made[name] ?? 'none'}, now ${given[name] ?? 'none'}`);
  if (differences.length === 0) return;
  throw new OptionError(
    `${file} was written with other filters (${differences.join('; ')}): use those, or another cursor file.`,
  );
}
