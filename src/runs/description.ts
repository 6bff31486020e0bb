/** Describes a run so that a resumed run can be checked for changes. */
import { isDeepStrictEqual } from 'node:util';
import { ResumeError } from '../model/errors.js';

export interface InputIdentity {
  readonly name: string;
  /** Absolute path of a regular file; `null` for anything else. */
  readonly path: string | null;
  /** Bytes on disk; `null` if unknown. */
  readonly size: number | null;
  /** In milliseconds since 1970; `null` if unknown. */
  readonly modifiedMs: number | null;
}

/** Everything that must not change before a run is resumed. */
export interface RunDescription {
  /** ISO 8601 in UTC; the default of `downloaded`. */
  readonly started: string;
  readonly inputs: readonly InputIdentity[];
  /** The caller's key for records that don't come from a file; `null` if there is none. */
  readonly inputKey: string | null;
  /** The hash is `null` for a function without `mappingKey`, whose changes can't be detected. */
  readonly mapping: {
    readonly name: string;
    readonly hash: string | null;
    /** Its rule for `sourceId`; `null` for a function. */
    readonly sourceId: unknown;
  };
  /** Hash of the schema or profile that documents are checked with. */
  readonly validation: string;
  /** Hash of everything else that decides what the documents are: dialect, `asOf`, … */
  readonly reading: string;
  readonly target: RunTarget;
  /** Options except the connection, so that the run can be resumed without repeating them. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface RunTarget {
  /** The service's base URL, or another stable name for it. */
  readonly service: string;
  readonly monitoring: number;
}

/**
 * Checks that nothing has changed since the run began.
 * @throws ResumeError that lists the changes
 */
export function checkUnchanged(id: string, before: RunDescription, now: RunDescription): void {
  const changes = changesSince(before, now);
  if (changes.length === 0) return;
  throw new ResumeError(
    `The run ${id} can't be resumed: ${changes.join('; ')}. ${remedyFor(before, now)}`,
  );
}

/**
 * Lists what differs between the import of a group and what another of its processes would import.
 * Machines may have the same file under different paths, with different times.
 */
export function groupChanges(before: RunDescription, now: RunDescription): readonly string[] {
  const changes = changesSince(portable(before), portable(now));
  const isSame = (before.options['skipKnown'] === false) === (now.options['skipKnown'] === false);
  return isSame ? changes : [...changes, "--no-skip-known (skipKnown) isn't the same"];
}

function portable({ inputs, ...description }: RunDescription): RunDescription {
  const named = inputs.map((input) => ({ ...input, path: input.name, modifiedMs: null }));
  return { ...description, inputs: named };
}

/** Names the way out that leads on, as a new run would be checked, too. */
function remedyFor({ mapping, target, options }: RunDescription, now: RunDescription): string {
  if (!isSameTarget(target, now.target)) {
    return `To resume it, name its service and monitoring again: ${target.service}, ${target.monitoring}.`;
  }
  if (mapping.sourceId !== null && !isSameRule(mapping.sourceId, now.mapping.sourceId)) {
    return `Put its rule back (sourceId: ${JSON.stringify(mapping.sourceId)}) and resume: under other ids, what it sent would be there a second time, so a new run is refused as well.`;
  }
  const without = options['skipKnown'] === false ? ', without --no-skip-known (skipKnown)' : '';
  return `Start a new run instead${without}: it doesn't resend accepted documents.`;
}

function isSameTarget(one: RunTarget, other: RunTarget): boolean {
  return one.monitoring === other.monitoring && one.service === other.service;
}

/** Returns whether two rules for `sourceId` are the same, in the form that they are stored in. */
export function isSameRule(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, JSON.parse(JSON.stringify(other)));
}

function changesSince(before: RunDescription, now: RunDescription): readonly string[] {
  const changes = [...inputChanges(before, now)];
  if (before.mapping.hash !== now.mapping.hash) {
    const isSame = isSameRule(before.mapping.sourceId, now.mapping.sourceId);
    changes.push(
      `the mapping "${now.mapping.name}" has changed${isSame ? '' : ', and its rule for sourceId'}`,
    );
  }
  if (before.validation !== now.validation) changes.push('the schema or profile has changed');
  if (before.reading !== now.reading) {
    changes.push(
      'options that decide how records are read or mapped have changed, for example asOf or encoding',
    );
  }
  if (before.target.service !== now.target.service) {
    changes.push(`the service is ${now.target.service} instead of ${before.target.service}`);
  }
  if (before.target.monitoring !== now.target.monitoring) {
    changes.push(
      `the monitoring is ${now.target.monitoring} instead of ${before.target.monitoring}`,
    );
  }
  return changes;
}

function* inputChanges(before: RunDescription, now: RunDescription): Generator<string> {
  if (before.inputs.length !== now.inputs.length) {
    yield `there are ${now.inputs.length} inputs instead of ${before.inputs.length}`;
    return;
  }
  if (before.inputKey !== now.inputKey) {
    yield `the input's key is ${JSON.stringify(now.inputKey)} instead of ${JSON.stringify(before.inputKey)}`;
  }
  for (const [index, was] of before.inputs.entries()) {
    const change = inputChange(was, now.inputs[index] as InputIdentity);
    if (change !== undefined) yield change;
  }
}

function inputChange(was: InputIdentity, is: InputIdentity): string | undefined {
  if (was.path !== is.path) {
    return `the input is ${is.path ?? is.name} instead of ${was.path ?? was.name}`;
  }
  if (was.size !== is.size) return `${is.name} has ${is.size} bytes instead of ${was.size}`;
  if (was.modifiedMs === is.modifiedMs) return undefined;
  return `${is.name} was modified (${moment(was.modifiedMs)} before, ${moment(is.modifiedMs)} now)`;
}

function moment(ms: number | null): string {
  return ms === null ? 'at an unknown time' : new Date(ms).toISOString();
}

/** Returns whether the run's documents can be produced a second time. */
export function isRepeatable(description: RunDescription): boolean {
  return whyReadOnce(description) === undefined;
}

/**
 * Checks that a run can be resumed at all.
 * @throws ResumeError with the reason, and what would have helped
 */
export function checkRepeatable(id: string, description: RunDescription): void {
  const reason = whyReadOnce(description);
  if (reason === undefined) return;
  throw new ResumeError(`The run ${id} can't be resumed: ${reason}`);
}

function whyReadOnce({ inputs, inputKey, mapping }: RunDescription): string | undefined {
  const once = inputKey === null ? inputs.find(({ path }) => path === null) : undefined;
  if (once !== undefined) {
    return `${once.name} could be read only once. Give such an input a key (inputKey) if the same records can be read again in the same order.`;
  }
  if (mapping.hash !== null) return undefined;
  return "its mapping is a function, whose changes can't be detected. Give it a key (mappingKey) that changes when its documents do.";
}

/** Finds an input that an earlier run with the same target read, perhaps under another path or touched. */
export function sharedExport(
  now: RunDescription,
  earlier: RunDescription,
): InputIdentity | undefined {
  return now.inputs.find(({ path, size, modifiedMs }) =>
    earlier.inputs.some(
      (one) =>
        path !== null && one.size === size && (one.path === path || one.modifiedMs === modifiedMs),
    ),
  );
}

/** Identifies a run's job before its inputs are opened. */
export type Job = Pick<RunDescription, 'options' | 'target'>;

/** Returns whether inputs, mapping and target have the same names. */
export function isSameJob(one: Job, other: Job): boolean {
  return isSameTarget(one.target, other.target) && isDeepStrictEqual(namesOf(one), namesOf(other));
}

/** Names in the form that they have after a round trip through JSON. */
function namesOf({ options }: Job): unknown {
  const { input, mapping, inputKey = null, mappingKey = null, folder } = options;
  return JSON.parse(JSON.stringify([input, mapping, inputKey, mappingKey, folder]));
}
