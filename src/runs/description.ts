/**
 * What a run is, in terms that can be compared later: whether a resumed run is still the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { ResumeError } from '../model/errors.js';

/** An input as it was when the run began. */
export interface InputIdentity {
  readonly name: string;
  /** Absolute path of a regular file; `null` for all else. */
  readonly path: string | null;
  /** Bytes on disk; `null` when not known. */
  readonly size: number | null;
  /** When it was last written, in milliseconds since 1970; `null` when not known. */
  readonly modifiedMs: number | null;
}

/** Everything that has to be the same when a run is resumed. */
export interface RunDescription {
  /** ISO 8601 in UTC: documents that say no `downloaded` were downloaded then. */
  readonly started: string;
  readonly inputs: readonly InputIdentity[];
  /** What the caller says identifies records that come from no file; `null` if nothing does. */
  readonly inputKey: string | null;
  /** The hash is `null` for a function that has none, of which nothing can be compared. */
  readonly mapping: { readonly name: string; readonly hash: string | null };
  /** Hash of the schema or profile that documents are checked with. */
  readonly validation: string;
  /** Hash of the other options that decide what documents there are: dialect, `asOf`, … */
  readonly reading: string;
  readonly target: RunTarget;
  /** The options as given, but for the connection: what it takes to resume without them. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Where documents go. */
export interface RunTarget {
  /** The service's base address, or another name for it that stays the same. */
  readonly service: string;
  readonly monitoring: number;
}

/**
 * Makes sure that a resumed run is still the same.
 * @throws ResumeError that says what has changed
 */
export function checkUnchanged(id: string, before: RunDescription, now: RunDescription): void {
  const changes = changesSince(before, now);
  if (changes.length === 0) return;
  throw new ResumeError(
    `The run ${id} can't be resumed: ${changes.join('; ')}. Start a new run instead: what was accepted is known, and isn't sent again.`,
  );
}

/** What has changed between a run's beginning and now, as half sentences; empty if nothing has. */
function changesSince(before: RunDescription, now: RunDescription): readonly string[] {
  const changes = [...inputChanges(before, now)];
  if (before.mapping.hash !== now.mapping.hash) {
    changes.push(`the mapping "${now.mapping.name}" is not what it was`);
  }
  if (before.validation !== now.validation) changes.push('the schema or profile is another one');
  if (before.reading !== now.reading) {
    changes.push('the input is to be read in another way (dialect, encoding, asOf, …)');
  }
  if (before.target.service !== now.target.service) {
    changes.push(`the service is ${now.target.service}, and it was ${before.target.service}`);
  }
  if (before.target.monitoring !== now.target.monitoring) {
    changes.push(
      `the monitoring is ${now.target.monitoring}, and it was ${before.target.monitoring}`,
    );
  }
  return changes;
}

function* inputChanges(before: RunDescription, now: RunDescription): Generator<string> {
  if (before.inputs.length !== now.inputs.length) {
    yield `there are ${now.inputs.length} inputs, and there were ${before.inputs.length}`;
    return;
  }
  if (before.inputKey !== now.inputKey) {
    yield `the input's key is ${JSON.stringify(now.inputKey)}, and it was ${JSON.stringify(before.inputKey)}`;
  }
  for (const [index, was] of before.inputs.entries()) {
    const change = inputChange(was, now.inputs[index] as InputIdentity);
    if (change !== undefined) yield change;
  }
}

function inputChange(was: InputIdentity, is: InputIdentity): string | undefined {
  if (was.path !== is.path) {
    return `the input is ${is.path ?? is.name}, and it was ${was.path ?? was.name}`;
  }
  if (was.size !== is.size) return `${is.name} has ${is.size} bytes, and it had ${was.size}`;
  if (was.modifiedMs === is.modifiedMs) return undefined;
  return `${is.name} was written to since (${moment(was.modifiedMs)}, now ${moment(is.modifiedMs)})`;
}

function moment(ms: number | null): string {
  return ms === null ? 'at an unknown time' : new Date(ms).toISOString();
}

/** Whether the run's records and what becomes of them can be had a second time. */
export function isRepeatable(description: RunDescription): boolean {
  return whyOnlyOnce(description) === undefined;
}

/**
 * Makes sure that a run can be resumed at all.
 * @throws ResumeError that says why not, and what would have helped
 */
export function checkRepeatable(id: string, description: RunDescription): void {
  const reason = whyOnlyOnce(description);
  if (reason === undefined) return;
  throw new ResumeError(`The run ${id} can't be resumed: ${reason}`);
}

function whyOnlyOnce({ inputs, inputKey, mapping }: RunDescription): string | undefined {
  const once = inputKey === null ? inputs.find(({ path }) => path === null) : undefined;
  if (once !== undefined) {
    return `${once.name} could be read only once. Give such input a key (inputKey) if it can be had again with the same records in the same order.`;
  }
  if (mapping.hash !== null) return undefined;
  return 'its mapping is a function, and nothing says that it is still the same. Give it a key (mappingKey) that changes when its documents do.';
}

/** Whether two runs send one of the same inputs to the same target. */
export function isTwin(one: RunDescription, other: RunDescription): boolean {
  if (!isDeepStrictEqual(one.target, other.target)) return false;
  if (other.inputKey !== null && one.inputKey === other.inputKey) return true;
  const paths = new Set(one.inputs.map(({ path }) => path));
  return other.inputs.some(({ path }) => path !== null && paths.has(path));
}

/** What tells a run's job, before its inputs are looked at. */
export type Job = Pick<RunDescription, 'options' | 'target'>;

/** The same inputs, mapping and target by name. */
export function isSameJob(one: Job, other: Job): boolean {
  return (
    isDeepStrictEqual(one.target, other.target) && isDeepStrictEqual(namesOf(one), namesOf(other))
  );
}

/** As they are once they were written down. */
function namesOf({ options }: Job): unknown {
  const { input, mapping, inputKey = null, mappingKey = null, folder } = options;
  return JSON.parse(JSON.stringify([input, mapping, inputKey, mappingKey, folder]));
}
