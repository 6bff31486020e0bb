import type { Client, FeedOptions } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { type OptionTable, option } from '../../model/options.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS } from '../options/connection.js';
import { FEED_FILTERS, feedFiltersOf } from '../options/filters.js';
import type { Given } from '../options/flags.js';
import { OUTPUT_CONFLICTS, OUTPUT_OPTIONS, outputOf } from '../options/output.js';
import { omitUndefined } from '../options/values.js';
import { say } from '../print.js';
import { untilInterrupted } from '../runs/interruption.js';
import { withClient } from '../service.js';

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
  const { openCursorFile } = await import('./read-feed.js');
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
      '--follow has no end, so that its JSON would never be whole: use --output jsonl.',
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
  const { readFeed } = await import('./read-feed.js');
  const { client, args, options, save } = feed;
  const reading = readFeed(client.feed(feedFiltersOf(args), options), {
    ...omitUndefined({ limit: args.limit, save, signal: options.signal }),
  });
  await printRecords(reading.batches, DOCUMENT_KIND, outputOf(args));
  for (const notice of reading.notices()) say(notice);
}
