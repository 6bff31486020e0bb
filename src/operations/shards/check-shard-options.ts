import { OptionError } from '../../model/errors.js';
import { isShared } from '../../runs/state-address.js';
import type { ImportOptions } from '../options.js';

/** Options of an import of one shard. */
export type ShardOptions = ImportOptions & Required<Pick<ImportOptions, 'state' | 'run' | 'shard'>>;

/** Returns whether an import takes only one shard. */
export function isOfShard(options: ImportOptions): options is ShardOptions {
  return options.run !== undefined || options.shard !== undefined;
}

/** No slash, which separates the number of a shard in the id of its run. */
const KEY = /^[\p{L}\p{N}][\p{L}\p{N}._:+@=-]{0,199}$/u;

/** @throws OptionError if an option is missing, wrong, or has no effect on a shard */
export function checkShardOptions(options: ImportOptions): void {
  const { run, shard, state } = options;
  if (run === undefined || shard === undefined || state === undefined || !isShared(state)) {
    throw new OptionError(missing(options));
  }
  checkKey(run);
  checkShard(shard);
  const given = UNUSED.find(([name]) => options[name] !== undefined && options[name] !== false);
  if (given === undefined) return;
  throw new OptionError(`${given[1]} can't be used with --shard: ${given[2]}.`);
}

/** @throws OptionError */
function checkShard(shard: NonNullable<ImportOptions['shard']>): void {
  const { index, count } = shard;
  const areNumbers = [index, count].every((number) => Number.isInteger(number) && number >= 1);
  if (areNumbers && index <= count) return;
  const shown = typeof shard === 'object' ? `${index}/${count}` : JSON.stringify(shard);
  const last = Number.isInteger(count) && count >= 1 ? count : 'the number of shards';
  throw new OptionError(
    `--shard is ${shown}; expected a part from 1 to ${last}, for example 1/16 (in a program { index: 1, count: 16 }).`,
  );
}

/** @throws OptionError */
export function checkKey(key: string): void {
  if (typeof key === 'string' && KEY.test(key)) return;
  throw new OptionError(
    `--run is ${JSON.stringify(key)}; expected a name of letters, digits and . _ : + @ = - , at most 200 of them, for example nightly-2026-11-29.`,
  );
}

function missing({ run, shard }: ImportOptions): string {
  if (shard === undefined) {
    return '--run names an import in shards, so it needs the part that this process imports: give --shard, for example --shard 1/16, or leave out --run.';
  }
  if (run === undefined) {
    return '--shard needs a name that all processes of the import share: give --run, for example --run nightly-2026-11-29.';
  }
  return '--shard needs a Postgres database that all processes of the import share: give --state postgres://USER:PASSWORD@HOST:PORT/DATABASE.';
}

const BY_REPORT =
  'the shards store it, and `docferry report KEY --state ADDRESS` writes it for all of them';

type Unused = readonly [name: keyof ImportOptions, shown: string, remedy: string];

const UNUSED: readonly Unused[] = [
  ['rejects', '--rejects', BY_REPORT],
  ['reportFile', '--report', BY_REPORT],
  ['htmlFile', '--html', BY_REPORT],
  ['resume', '--resume', 'start the shard again with the same command, which continues it'],
  [
    'retryRejected',
    'retryRejected',
    'write the rejects with `docferry report KEY --rejects FILE`, and import that file',
  ],
];
