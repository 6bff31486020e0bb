/** Merges what the shards of an import have left into one report. */
import { ResumeError } from '../../model/errors.js';
import { omitUndefined } from '../../model/options.js';
import { StopConditions, type StopReport } from '../../outcomes/stop-conditions.js';
import { Tally } from '../../outcomes/tally.js';
import { writeRejectLines } from '../../report/rejects/reject-lines.js';
import type { RejectsReport } from '../../report/rejects/rejects.js';
import type { Report } from '../../report/report.js';
import type {
  Group,
  GroupDefinition,
  ShardState,
  StoredShard,
} from '../../runs/postgres/groups.js';
import { PostgresStore } from '../../runs/postgres/store.js';
import { readingFlags, stateFlags } from '../option-table.js';
import type { ImportOptions, MergeOptions } from '../options.js';
import type { RunFigures } from '../pipeline/close-figures.js';
import { writeReportFiles } from '../pipeline/finish-run.js';
import { type PlannedOutputs, planOutputs } from '../pipeline/plan-outputs.js';
import { runReport } from '../pipeline/run-report.js';
import { type GroupPlan, readPlan } from './group-plan.js';
import { mergeShards, type ShardFigures, shardFigures } from './shard-figures.js';

/** Merges the reports of the shards; its options are checked. */
export async function mergeShardReports(options: MergeOptions): Promise<Report> {
  const { run: key, state } = options;
  await using store = await PostgresStore.open(state);
  const found = await findImport(store, key);
  const plan = readPlan(found.defined.plan);
  const files = await planFiles(found, plan, options);
  const report = await mergedReport(store, found, plan);
  const rejects = await writeRejects(store, found.group, plan, {
    files,
    isWhole: report.stop === null,
  });
  const stops = new StopConditions({ kind: 'never' });
  return await writeReportFiles({ ...report, rejects }, files, stops);
}

export interface FoundImport {
  readonly group: Group;
  readonly defined: GroupDefinition;
  readonly states: readonly ShardState[];
}

/** @throws ResumeError if there is no import with this name, or none of its shards has begun */
export async function findImport(store: PostgresStore, key: string): Promise<FoundImport> {
  const group = await store.groups.find(key);
  if (group === undefined) {
    const keys = [...(await store.groups.counts()).keys()];
    const known = keys.length === 0 ? 'it has none' : `the latest is ${keys.at(-1)}`;
    throw new ResumeError(
      `There is no import in shards named ${JSON.stringify(key)} in ${store.database.address.shown}: ${known}. The name is that of --run.`,
    );
  }
  const { defined } = group;
  if (defined === undefined) {
    throw new ResumeError(
      `No shard of ${key} has begun yet: its inputs are still being read, or its processes ended before that.`,
    );
  }
  await store.endExpired();
  return { group, defined, states: await store.groups.states(group) };
}

async function planFiles(
  { group, defined }: FoundImport,
  plan: GroupPlan,
  { rejects, reportFile, htmlFile, overwrite }: MergeOptions,
): Promise<PlannedOutputs> {
  const { inputs, options } = defined.description;
  // They need not be on this machine.
  const reads = inputs.flatMap(({ path }) => path ?? []);
  const mapping = typeof options['mapping'] === 'string' ? options['mapping'] : {};
  const given = omitUndefined({ rejects, reportFile, htmlFile, overwrite });
  return await planOutputs(
    { ...given, input: [], mapping: mapping as ImportOptions['mapping'] },
    { id: group.key, sources: plan.sources, reads },
  );
}

/**
 * Writes the rejects of all shards, and returns their files.
 * @throws OutputError
 */
async function writeRejects(
  { groups }: PostgresStore,
  group: Group,
  { sources }: GroupPlan,
  { files: { rejects }, isWhole }: { readonly files: PlannedOutputs; readonly isWhole: boolean },
): Promise<readonly RejectsReport[]> {
  if (rejects === undefined) return [];
  await writeRejectLines(groups.rejects(group), sources, rejects);
  return rejects.close(isWhole);
}

async function mergedReport(
  store: PostgresStore,
  { group, defined, states }: FoundImport,
  plan: GroupPlan,
): Promise<Report> {
  const names = plan.inputs.map(({ name }) => name);
  const startedMs = group.started.getTime();
  const shards = figuresOf(store, { group, states, names });
  const merged = await mergeShards(shards, { inputs: names, startedMs, plan: plan.transform });
  const stop = isFinished(states, merged) ? null : unfinished(states, merged.stop);
  const { monitoring } = defined.description.target;
  const { inputs, transform, drift, baseUrl } = plan;
  const report = await runReport(
    { ...merged, stop },
    {
      id: group.key,
      startedMs,
      inputs,
      plan: transform,
      drift,
      target: { baseUrl, monitoring },
      readingFlags: readingFlags(defined.description.options as Partial<ImportOptions>),
      stateFlags: stateFlags({ state: store.database.address.shown }),
      isStored: true,
      canBeResumed: true,
    },
  );
  if (stop !== null) return report;
  const endedMs = Math.max(...states.map(({ sinceMs }) => sinceMs ?? 0));
  return { ...report, ...timesOf(report, startedMs, endedMs) };
}

/** Times of an import whose report is made later. */
function timesOf({ counts }: Report, startedMs: number, endedMs: number) {
  const elapsedMs = Math.max(0, Math.round(endedMs) - startedMs);
  const recordsPerSecond = Math.round((counts.read * 1_000) / Math.max(1, elapsedMs));
  return { ended: new Date(endedMs).toISOString(), elapsedMs, recordsPerSecond };
}

/**
 * Returns whether every shard has ended with its inputs. The outcome of some documents may be unknown
 * then, which another process of their shard would look into.
 */
function isFinished(states: readonly ShardState[], { readToEnd, stop }: RunFigures): boolean {
  return readToEnd && stop === null && states.every(({ state }) => state !== 'running');
}

/** Counts the shards that are missing. If none is, the reason is that there are too many errors. */
function unfinished(states: readonly ShardState[], cause: StopReport | null): StopReport | null {
  const number = (state: ShardState['state']): number =>
    states.filter((one) => one.state === state).length;
  if (number('done') === states.length) return cause;
  const left = LEFT.filter((state) => number(state) > 0).map(
    (state) => `${number(state)} ${state}`,
  );
  const reason = cause === null ? '' : `. One of them ended early: ${cause.message}`;
  const message = `${number('done')} of ${states.length} shards done, ${left.join(', ')}${reason}`;
  return { kind: 'shards', message };
}

const LEFT = ['running', 'stopped', 'waiting'] as const;

interface StoredFigures {
  readonly group: Group;
  readonly states: readonly ShardState[];
  readonly names: readonly string[];
}

/** Figures of all shards, in their order. */
async function* figuresOf(
  store: PostgresStore,
  { group, states, names }: StoredFigures,
): AsyncGenerator<ShardFigures, void, undefined> {
  let seen = 0;
  for await (const shard of store.groups.stored(group)) {
    seen += 1;
    const figures =
      shard.figures === null
        ? await figuresFromEntries(store, shard, names)
        : (JSON.parse(shard.figures) as ShardFigures);
    yield figures;
  }
  // Those that no process has taken.
  if (seen < states.length) yield await noFigures(names);
}

/** Counts from the journal of a shard whose last process, killed or still running, has stored no figures. */
async function figuresFromEntries(
  store: PostgresStore,
  { id }: StoredShard,
  names: readonly string[],
): Promise<ShardFigures> {
  const tally = new Tally(names);
  const records = names.map(() => 0);
  const states = await (await store.openReadOnly(id)).states();
  for (const [range, { kind, sentOther }] of states.entries()) {
    const number = range.to - range.from + 1;
    const outcome =
      kind === 'sending' ? 'unknown' : kind === 'accepted' && sentOther ? 'duplicate' : kind;
    records[range.input] = (records[range.input] ?? 0) + number;
    tally.add(range.input, 'read', number);
    tally.add(range.input, outcome, number);
    if (outcome === 'unknown') tally.addUnknown(names[range.input] ?? '', range);
  }
  return { ...(await noFigures(names)), tally: tally.snapshot(), records };
}

/** Figures of shards of which nothing is known yet. */
async function noFigures(names: readonly string[]): Promise<ShardFigures> {
  const none = await mergeShards([], { inputs: names, startedMs: 0, plan: { surveys: false } });
  return { ...shardFigures(none), readToEnd: false };
}
