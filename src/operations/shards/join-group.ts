/** Makes sure that all processes of a group import the same thing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InterruptedError, ResumeError } from '../../model/errors.js';
import { VERSION } from '../../model/version.js';
import { checkRepeatable, groupChanges, type RunDescription } from '../../runs/description.js';
import type { Group, GroupDefinition, PlannedGroup } from '../../runs/postgres/groups.js';
import type { PostgresStore } from '../../runs/postgres/store.js';
import { checkEarlierImports } from '../pipeline/check-earlier-imports.js';
import { describeRun } from '../pipeline/open-run.js';
import type { PipelineRun } from '../pipeline/pipeline-run.js';
import type { ShardOptions } from './check-shard-options.js';
import { type GroupPlan, readPlan, writePlan } from './group-plan.js';
import { checkFiles, planShards } from './plan-shards.js';

const POLL_MS = 300;

const PLANNED_ELSEWHERE =
  'Another process of this import divides its inputs into shards. Waiting for it.';

/**
 * Defines a group, or joins it after a check that its inputs, mapping, version and number of shards
 * are those of this process.
 * @throws ResumeError that lists what differs; MappingError as `checkEarlierImports` does; OptionError
 *   for an input that other processes can't read
 */
export async function joinGroup(
  store: PostgresStore,
  group: Group,
  options: ShardOptions,
  prepared: PipelineRun,
): Promise<GroupPlan> {
  checkFiles(prepared.sources);
  const now = describeRun(options, prepared);
  checkRepeatable(group.key, now);
  const defined = group.defined ?? (await define(store, group, { options, prepared, now }));
  const changes = [...differences(defined, options, now)];
  if (changes.length > 0) {
    throw new ResumeError(
      `This process can't join the import ${group.key}, which began ${group.started.toISOString()}: ${changes.join('; ')}. Give all of its processes the same; for another import, choose another --run (accepted documents aren't sent again).`,
    );
  }
  return readPlan(defined.plan);
}

interface Defining {
  readonly options: ShardOptions;
  readonly prepared: PipelineRun;
  readonly now: RunDescription;
}

/** Plans the shards, or waits until another process has: finding where records begin takes a while. */
async function define(
  store: PostgresStore,
  group: Group,
  defining: Defining,
): Promise<GroupDefinition> {
  for (let isSaid = false; ; ) {
    const isDefined = await store.groups.define(group, () => planGroup(store, defining));
    const found = isDefined ? await store.groups.find(group.key) : undefined;
    if (found?.defined !== undefined) return found.defined;
    if (!isSaid) defining.prepared.hub.warn(PLANNED_ELSEWHERE);
    isSaid = true;
    await sleep(POLL_MS, undefined, { signal: defining.prepared.signal });
  }
}

async function planGroup(
  store: PostgresStore,
  { options, prepared, now }: Defining,
): Promise<PlannedGroup> {
  const { count } = options.shard;
  const { signal, sources } = prepared;
  const { mapping } = prepared.plan;
  const warning = await checkEarlierImports(store, now, { options, mapping });
  if (warning !== undefined) prepared.notice(warning, true);
  const shards = await planShards(sources, count, signal).catch((error: unknown) => {
    throw signal.aborted ? new InterruptedError(signal) : error;
  });
  return { shards: count, description: now, plan: writePlan(shards, prepared) };
}

function* differences(
  { shards, version, description }: GroupDefinition,
  { shard: { index, count } }: ShardOptions,
  now: RunDescription,
): Generator<string> {
  if (version !== VERSION) {
    yield `it began with docferry ${version}, and this is docferry ${VERSION}, which may make other documents`;
  }
  if (shards !== count) yield `it has ${shards} shards, and --shard is ${index}/${count}`;
  yield* groupChanges(description, now);
}
