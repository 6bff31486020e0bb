import { createHash } from 'node:crypto';
import { shownInput } from '../input/remote/address.js';
import type { Mapping } from '../mapping/mapping.js';
import type { ImportOptions } from '../operations/options.js';
import type { PreparedRun } from '../operations/pipeline/prepare-run.js';
import type { RunDescription, RunTarget } from './sqlite/description.js';

/** Says what a run is, so that it can be told later whether it is still the same. */
export function describeRun(options: ImportOptions, run: PreparedRun): RunDescription {
  const { sources, transform } = run;
  const { chunkBytes: _, ...reading } = options.source ?? {};
  const layouts = sources.map(({ layout, detected }) => ({ layout, detected }));
  return {
    started: transform.downloaded,
    inputs: sources.map(({ name, size, file }) => ({
      name,
      path: file?.path ?? null,
      size,
      modifiedMs: file?.modifiedMs ?? null,
    })),
    inputKey: options.inputKey ?? null,
    mapping: { name: transform.mapping.name, hash: mappingHash(options, run) },
    validation: hashOf(transform.validation),
    reading: hashOf({ reading, layouts, asOf: transform.asOf ?? null }),
    target: targetOf(options, run),
    options: givenOptions(options),
  };
}

/** Where a run's documents go, by the name under which it is remembered. */
export function targetOf(
  { service, monitoring }: Pick<ImportOptions, 'service' | 'monitoring'>,
  { target }: Pick<PreparedRun, 'target'>,
): RunTarget {
  return { service: service ?? target?.baseUrl ?? '', monitoring };
}

/** Options that say where a run is kept, how it goes on or what it is told, and not what it does. */
const NOT_GIVEN = new Set([
  'connection',
  'signal',
  'abandonSignal',
  'throwOn',
  'withRecords',
  'stateDir',
  'resume',
  'retryRejected',
  'unsent',
  'acceptDrift',
  'force',
]);

/**
 * The options as JSON, and the folder that their paths start from. What can't be read again (a
 * stream, objects) is left out.
 */
export function givenOptions(options: ImportOptions): Readonly<Record<string, unknown>> {
  const entries = Object.entries(options).filter(
    ([name, value]) => !NOT_GIVEN.has(name) && value !== undefined,
  );
  const given = Object.fromEntries(entries);
  return { ...given, input: givenPaths(options), folder: process.cwd() };
}

/** The paths that an input consists of, or `null`; of addresses only what may be written down. */
function givenPaths({ input }: ImportOptions): readonly string[] | null {
  if (typeof input === 'string') return [shownInput(input)];
  const isList = Array.isArray(input) && input.every((item) => typeof item === 'string');
  return isList ? (input as readonly string[]).map(shownInput) : null;
}

/** What a mapping makes of records; to learn what it expects changes nothing about that. */
function what({ expects: _, ...mapping }: Mapping): Omit<Mapping, 'expects'> {
  return mapping;
}

/** What can't be compared is identified by its key; `null` if it has none. */
function mappingHash(
  { mappingKey }: Pick<ImportOptions, 'mappingKey'>,
  { transform: { mapping, maker } }: Pick<PreparedRun, 'transform'>,
): string | null {
  if (typeof maker !== 'function') return hashOf(what(mapping));
  return mappingKey === undefined ? null : hashOf({ mappingKey });
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
