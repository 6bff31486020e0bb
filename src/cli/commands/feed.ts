import type { InferredOptionTypes } from 'yargs';
import type { Client, FeedOptions } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { type Command, defineCommand } from '../command.js';
import { type ServiceArguments, withService } from '../options/connection.js';
import { type FeedFilterArguments, feedFiltersOf, withFeedFilters } from '../options/filters.js';
import { OUTPUT_OPTIONS, type OutputArguments, outputOf } from '../options/output.js';
import { given, wholeNumber } from '../options/values.js';
import { say } from '../print.js';
import { untilInterrupted } from '../runs/interruption.js';
import { withClient } from '../service.js';

const OWN_OPTIONS = {
  follow: { type: 'boolean', default: false, describe: 'Wait for more, until Ctrl-C' },
  interval: {
    type: 'number',
    requiresArg: true,
    describe: 'Seconds between polls with --follow (default 60)',
  },
  'cursor-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File that keeps the cursor, so that the next run continues from there',
  },
  cursor: { type: 'string', requiresArg: true, describe: 'Start at this cursor' },
  since: {
    type: 'string',
    requiresArg: true,
    describe: 'Begin with what was downloaded at this moment (UTC) or later',
  },
  limit: {
    type: 'number',
    requiresArg: true,
    alias: 'n',
    describe: 'Most to write (default: all); with --cursor-file, whole pages',
  },
  start: { type: 'string', hidden: true },
  end: { type: 'string', hidden: true },
} as const;

type FeedArguments = FeedFilterArguments &
  OutputArguments &
  ServiceArguments &
  InferredOptionTypes<typeof OWN_OPTIONS>;

/** `docferry feed`: everything captured, by time of download, from where the last run ended. */
export const FEED: Command = defineCommand(
  (argv) => withService(withFeedFilters(argv)).options(OWN_OPTIONS).options(OUTPUT_OPTIONS),
  runFeed,
);

async function runFeed(args: FeedArguments): Promise<number> {
  checkOptions(args);
  const { openCursorFile } = await import('./read-feed.js');
  const filters = feedFiltersOf(args);
  const file = args['cursor-file'];
  const cursorFile = file === undefined ? undefined : openCursorFile(file, filters);
  const start = await startOf(args, cursorFile?.cursor);
  const interruption = untilInterrupted();
  try {
    return await withClient(args, async (client) => {
      const options = { ...start, ...pace(args), signal: interruption.signal };
      await show({ client, args, options, save: cursorFile?.save });
      // Following ends no other way; a download that was cut short is not whole.
      return interruption.signal.aborted && !args.follow ? 130 : 0;
    });
  } finally {
    interruption.dispose();
  }
}

function checkOptions(args: FeedArguments): void {
  const { start, end, follow, interval, since, cursor } = args;
  if (start !== undefined || end !== undefined) {
    throw new OptionError(
      'The feed ignores --start and --end: use --since to begin with a download, or `docferry documents`.',
    );
  }
  if (follow && outputOf(args) === 'json') {
    throw new OptionError(
      '--follow has no end, so that its JSON would never be whole: use --output jsonl.',
    );
  }
  if (interval !== undefined && !follow) {
    throw new OptionError('--interval says how long --follow waits: give both, or neither.');
  }
  if (since !== undefined && cursor !== undefined) {
    throw new OptionError('--since and --cursor both say where to begin: leave one.');
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

function pace({ follow, interval = 60 }: FeedArguments): FeedOptions {
  if (!(interval > 0)) {
    throw new OptionError(`--interval is ${interval}; expected seconds, more than 0.`);
  }
  return { follow, intervalMs: interval * 1000 };
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
  const limit = args.limit === undefined ? undefined : wholeNumber('--limit', args.limit, 1);
  const reading = readFeed(client.feed(feedFiltersOf(args), options), {
    ...given({ limit, save, signal: options.signal }),
  });
  await printRecords(reading.batches, DOCUMENT_KIND, outputOf(args));
  for (const notice of reading.notices()) say(notice);
}
