/** Public entry point for the merged report of shards; its implementation is loaded on the first call. */
import { OptionError } from '../model/errors.js';
import { checkNames, type Names } from '../model/options.js';
import type { Report } from '../report/report.js';
import type { MergeOptions } from './options.js';
import { checkKey } from './shards/check-shard-options.js';

const NAMES: Names<MergeOptions> = {
  state: true,
  run: true,
  rejects: true,
  reportFile: true,
  htmlFile: true,
  quotes: true,
  overwrite: true,
};

/**
 * Makes one report, and one set of files, of all shards of an import, on any machine and as often as
 * wanted. While shards are missing, the report's `stop` names them (kind `shards`), and its exit code
 * is 4.
 * @throws ResumeError if there is no import with that name; OptionError; JournalError; OutputError
 */
export async function mergeReports(options: MergeOptions): Promise<Report> {
  checkNames(options, NAMES, 'mergeReports');
  const { run: key, state } = options;
  checkKey(key);
  if (typeof state !== 'string') {
    throw new OptionError(
      'mergeReports needs the state that the shards share: the address of a Postgres database.',
    );
  }
  const { mergeShardReports } = await import('./shards/merge-shards.js');
  return await mergeShardReports(options);
}
