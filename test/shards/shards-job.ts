import { spawn } from 'node:child_process';
import path from 'node:path';
import { importDocuments, mergeReports, type Report } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';
import { follow, type Started } from '../helpers/run-cli.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring, type TestSandbox } from '../helpers/start-sandbox.js';
import { lines } from '../reliability/job.js';

export const KEY = 'nightly';

type Options = Parameters<typeof importDocuments>[0];

/** An import in shards of one file, in this process. */
export interface ShardsJob {
  readonly sandbox: TestSandbox;
  readonly state: string;
  readonly file: string;
  /** Imports one shard. */
  readonly shard: (index: number, other?: Partial<Options>) => ReturnType<typeof importDocuments>;
  /** Imports the file without shards, on the same state. */
  readonly whole: (other?: Partial<Options>) => ReturnType<typeof importDocuments>;
  readonly merge: () => Promise<Report>;
  /** The options of `shard` and of `whole`. */
  readonly options: { readonly shard: object; readonly whole: object };
}

/** Imports with options of the library in a process of its own. @param shard for example `1/2` */
export function importInProcess(options: object, shard?: string): Started {
  const program = path.join(import.meta.dirname, 'import-one.mjs');
  const file = put(newFolder(), 'options.json', JSON.stringify(options));
  return follow(spawn(process.execPath, [program, file, ...(shard === undefined ? [] : [shard])]));
}

/** @param baseUrl the service's, if it isn't the sandbox's own */
export async function shardsJob(
  records: readonly unknown[],
  {
    shards = 2,
    sandbox,
    baseUrl,
  }: {
    readonly shards?: number;
    readonly sandbox?: TestSandbox;
    readonly baseUrl?: string;
  } = {},
): Promise<ShardsJob> {
  const service = sandbox ?? (await startWithMonitoring());
  const state = await newSharedState();
  const file = put(newFolder(), 'reviews.jsonl', lines(records));
  const { username, apiKey } = service;
  const options = {
    ...{ input: file, mapping: MAPPING, monitoring: 1, state, batchSize: 5 },
    connection: { baseUrl: baseUrl ?? service.baseUrl, username, apiKey },
    // So that a small file is cut.
    source: { chunkBytes: 64 },
    throwOn: 'never' as const,
  };
  const named = { ...options, run: KEY };
  return {
    ...{ sandbox: service, state, file },
    options: { shard: named, whole: options },
    shard: (index, other) =>
      importDocuments({ ...named, shard: { index, count: shards }, ...other }),
    whole: (other) => importDocuments({ ...options, ...other }),
    merge: () => mergeReports({ state, run: KEY }),
  };
}
