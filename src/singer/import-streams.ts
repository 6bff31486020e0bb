import { startImport } from '../operations/import-documents.js';
import type { ImportOptions } from '../operations/options.js';
import { pruneRuns } from '../operations/runs/prune-runs.js';
import { validateDocuments } from '../operations/validate-documents.js';
import type { SingerConfig, StreamConfig } from './config.js';
import type { BeginRun } from './epoch.js';

/** As for an import. */
const OUTAGE_MS = 30 * 60_000;

/** What a config doesn't say, or says in another form. */
export type TargetSurroundings = Pick<
  ImportOptions,
  'connection' | 'service' | 'refusals' | 'signal' | 'abandonSignal'
> & { readonly stateDir: string };

/**
 * Makes sure that every stream's mapping and schema can be used.
 * @throws OptionError, MappingError
 */
export async function checkStreams({ streams }: SingerConfig): Promise<void> {
  for (const stream of Object.values(streams)) {
    await validateDocuments({ input: [], ...stream });
  }
}

/** Imports as a config says. */
export function importAs(config: SingerConfig, surroundings: TargetSurroundings): BeginRun {
  const shared = { ...surroundings, ...sendingOptions(config), throwOn: 'never' as const };
  let isReached = false;
  return (name, records) => {
    // One that was there may be down for a while; one that never was may not be the right one.
    const maxOutageAtStartMs = isReached ? (milliseconds(config.maxOutage) ?? OUTAGE_MS) : 0;
    const options = {
      ...shared,
      ...(config.streams[name] as StreamConfig),
      input: records,
      source: { name: inputName(name) },
      monitoring: config.monitoring,
      maxOutageAtStartMs,
    };
    // Streams of a tap come interleaved: none can wait for the end of another.
    const run = startImport(options, 'target-singer');
    run.then(
      ({ stop }) => {
        isReached ||= stop === null;
      },
      () => {},
    );
    return run;
  };
}

/** The latest of a config's finished runs stay for a person to look at. */
const MAX_KEPT_RUNS = 100;

/** Removes finished runs of a config's streams, but for the latest ones: each epoch makes some. */
export function pruneStreams({ streams }: SingerConfig, stateDir: string): void {
  const inputs = Object.keys(streams).map(inputName);
  pruneRuns({ stateDir, olderThanDays: 0, inputs, keepLatest: MAX_KEPT_RUNS });
}

/** What runs call a stream. */
function inputName(stream: string): string {
  return `stream ${stream}`;
}

function sendingOptions(config: SingerConfig): Partial<ImportOptions> {
  const { throttleStatus, maxOutage, settleTime } = config;
  const { batchSize, batchBytes, concurrency, rate, onUnknown, refusals } = config;
  const { maxErrors, acceptDrift, rejects } = config;
  const options = {
    ...{ batchSize, batchBytes, concurrency, rate, onUnknown, refusals },
    ...{ maxErrors, acceptDrift, rejects },
    throttleStatuses: throttleStatus,
    maxOutageMs: milliseconds(maxOutage),
    quietMs: milliseconds(settleTime),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<ImportOptions>;
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}
