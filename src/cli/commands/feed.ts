import type { Client, Document, FeedOptions, FeedPage } from '../../api/index.js';
import { DocferryError, OptionError } from '../../model/errors.js';
import { type OptionTable, omitUndefined, option } from '../../model/options.js';
import { isObject } from '../../model/record.js';
import { readSmallTextSync, unreadableReason } from '../../model/small-file.js';
import { checkOutput } from '../../outputs/check-output.js';
import { OutputError, writeOutput } from '../../outputs/output-file.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, withClient } from '../options/connection.js';
import { FEED_FILTERS, feedFiltersOf } from '../options/filters.js';
import type { Given } from '../options/flags.js';
import { OUTPUT_CONFLICTS, OUTPUT_OPTIONS, outputOf } from '../options/output.js';
import type { Batches } from '../output/print-records.js';
import { say } from '../print.js';
import { untilInterrupted } from '../runs/interruption.js';

const FEED_OPTIONS = {
  ...FEED_FILTERS,
  ...SERVICE_OPTIONS,
  follow: option.boolean('follow', 'Wait for more, until Ctrl-C'),
  intervalMs: option.number('interval', 'Seconds between polls with --follow', {
    min: 1,
    unit: 'seconds',
    default: 60_000,
  }),
  cursorFile: option.text(
    'cursor-file',
    'File that keeps the cursor, so that the next run continues from there',
    { offers: 'files' },
  ),
  cursor: option.text('cursor', 'Start at this cursor'),
  since: option.text('since', 'Begin with what was downloaded at this moment (UTC) or later'),
  limit: option.integer('limit', 'Most to write; with --cursor-file, whole pages', {
    short: 'n',
    min: 1,
    defaultText: 'all',
  }),
  ...OUTPUT_OPTIONS,
} as const satisfies OptionTable;

type FeedArguments = Given<typeof FEED_OPTIONS>;

/** `docferry feed`: everything captured, by time of download, from where the last run ended. */
export const FEED: Command = defineCommand({
  usage: 'feed',
  describe: 'Download documents in the order of their capture, from where the last run ended',
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
      // Following ends no other way; a download that was cut short is not whole.
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
    throw new OptionError('--interval says how long --follow waits: give both, or neither.');
  }
}

/** Where to begin: the cursor file knows best, for it was written by the last run. */
async function startOf(
  { cursor, since }: FeedArguments,
  remembered: string | undefined,
): Promise<FeedOptions> {
  if (remembered !== undefined) return { cursor: remembered };
  if (cursor !== undefined) return { cursor };
  if (since === undefined) return {};
  const { cursorAt } = await import('../../api/index.js');
  return { cursor: cursorAt(since, '--since') };
}

async function show(feed: {
  readonly client: Client;
  readonly args: FeedArguments;
  readonly options: FeedOptions;
  readonly save: ((cursor: string) => void) | undefined;
}): Promise<void> {
  const { DOCUMENT_KIND } = await import('../output/kinds.js');
  const { printRecords } = await import('../output/print-records.js');
  const { client, args, options, save } = feed;
  const reading = readFeed(client.feed(feedFiltersOf(args), options), {
    ...omitUndefined({ limit: args.limit, save, signal: options.signal }),
  });
  await printRecords(reading.batches, DOCUMENT_KIND, outputOf(args));
  for (const notice of reading.notices()) say(notice);
}

/** How far to read, and who remembers it. */
interface ReadingOptions {
  /** Default: all there is. */
  readonly limit?: number;
  /**
   * Told how far the feed was read, once a page has been written. Its pages stay whole then, even
   * at the limit: no cursor points into the middle of one.
   */
  readonly save?: (cursor: string) => void;
  /** Whether reading was ended from outside, which is no failure. */
  readonly signal?: AbortSignal;
}

/** A feed that is being read. */
interface Reading {
  readonly batches: Batches<Document>;
  /** At the end: what a person should know to continue. */
  notices(): readonly string[];
}

/** Turns pages into batches. A page's cursor counts only after whoever writes wants the next page. */
function readFeed(pages: AsyncIterable<FeedPage>, options: ReadingOptions): Reading {
  const { limit = Number.POSITIVE_INFINITY, save, signal } = options;
  let count = 0;
  let left = 0;
  let next: string | undefined;

  async function* batches(): AsyncGenerator<readonly Document[]> {
    for await (const { documents, remaining, nextCursor } of endedBy(pages, signal)) {
      const wanted = save === undefined ? documents.slice(0, limit - count) : documents;
      yield wanted;
      count += wanted.length;
      left = remaining + documents.length - wanted.length;
      // A cut page has no cursor where it was cut.
      next = wanted.length === documents.length ? nextCursor : undefined;
      save?.(nextCursor);
      if (count >= limit) return;
    }
  }

  const notices = (): readonly string[] => [
    ...(count === 0 ? ['No documents, or none that are new.'] : []),
    ...(left > 0 ? [`${count} documents; ${left} more remain.`] : []),
    ...(next !== undefined && save === undefined ? [`To continue: --cursor ${next}`] : []),
  ];
  return { batches: batches(), notices };
}

async function* endedBy(
  pages: AsyncIterable<FeedPage>,
  signal: AbortSignal | undefined,
): AsyncGenerator<FeedPage> {
  try {
    yield* pages;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

type Filters = Readonly<Record<string, unknown>>;

/** A file that remembers how far a feed was read, and with which filters. */
interface CursorFile {
  /** Nothing if the file was not there yet. */
  readonly cursor: string | undefined;
  /** Puts the file in place whole: whoever reads it finds the last cursor or this one. */
  readonly save: (cursor: string) => void;
}

/** How far the feed was read can't be remembered. */
class CursorFileError extends DocferryError {
  override readonly name = 'CursorFileError';
  readonly exitCode = 4;
}

/**
 * Opens a cursor file, which need not be there yet.
 * @throws OptionError if it can't be used, or was made with other filters: a cursor means
 *   nothing without its filters (reference, "POST /documents/feed", rule 4)
 */
export function openCursorFile(file: string, given: object): CursorFile {
  const filters = ordered(given as Filters);
  const content = read(file);
  const state = content === undefined ? undefined : parse(file, content);
  if (state !== undefined) refuseOtherFilters(file, state.filters, filters);
  checkPlace(file);
  return { cursor: state?.cursor, save: (cursor) => replace(file, { cursor, filters }) };
}

interface State {
  readonly cursor: string;
  readonly filters: Filters;
}

/** Lists are sets to the service, and the order of names means nothing either. */
function ordered(filters: Filters): Filters {
  const entries = Object.entries(filters).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? [...new Set(value.map(String))].toSorted() : value,
  ]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function read(file: string): string | undefined {
  try {
    return readSmallTextSync(file);
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
    // Said below.
  }
  throw new OptionError(
    `${file} is not a cursor file of docferry: name another one, or remove it to read the feed from its beginning.`,
  );
}

function refuseOtherFilters(file: string, made: Filters, given: Filters): void {
  const names = [...new Set([...Object.keys(made), ...Object.keys(given)])];
  const differences = names
    .filter((name) => JSON.stringify(made[name]) !== JSON.stringify(given[name]))
    .map((name) => `${name} ${wording(made[name])}, now ${wording(given[name])}`);
  if (differences.length === 0) return;
  throw new OptionError(
    `${file} was made with other filters (${differences.join('; ')}): use those, or another cursor file.`,
  );
}

function wording(value: unknown): string {
  return value === undefined ? 'none' : String(value);
}

/** Better now than after the first page. What is there is a cursor file of these filters. */
function checkPlace(file: string): void {
  const what = 'cursor file';
  checkOutput({ path: file, what, mayReplace: true, remedy: '' }, { inputs: [] });
}

function replace(file: string, state: State): void {
  try {
    writeOutput(file, `${JSON.stringify(state, null, 2)}\n`, { mayReplace: () => true });
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    throw new CursorFileError(
      `${error.message} The next run will repeat what this one wrote last.`,
    );
  }
}
