/**
 * Remembers the last finished run, for later ones of its kind to be compared with: in a small file of
 * the state folder, so that no journal has to be read.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Coverage } from '../../coverage/coverage.js';
import type { Counted } from '../../coverage/value-counts.js';
import { isObject, NO_COUNTS } from '../../model/record.js';
import { makeFolder } from '../../model/small-file.js';
import type { EarlierRun, Report } from '../../report/report.js';
import { readJsonFile, replaceFileAtomically } from '../../runs/folder/run-files.js';
import type { StoredRun } from '../../runs/stored-run.js';
import type { PipelineRun } from './pipeline-run.js';

/** Reads and replaces the outcome of the last finished run of the same kind. */
export interface RunHistory {
  readonly earlier: EarlierRun | null;
  /** Stores the outcome for later runs, if this run finished. */
  readonly add: (report: Report) => void;
}

/** Runs are compared if mapping and target are the same: columns come and go. */
export function runHistory(
  stateDir: string,
  { description: { mapping, target } }: StoredRun,
  { id, sources }: Pick<PipelineRun, 'id' | 'sources'>,
): RunHistory {
  const kind = JSON.stringify([mapping.name, target.service, target.monitoring]);
  const name = createHash('sha256').update(kind).digest('hex');
  const file = path.join(stateDir, 'outcomes', `${name}.json`);
  // Fixed rejects are only a part of an export.
  const isWhole = sources.every(({ layout }) => layout.header !== 'rejects');
  const last = isWhole ? readJsonFile(file) : undefined;
  return {
    // After a retry, the last stored outcome is this run's own.
    earlier: isOutcome(last) && last.run !== id ? last : null,
    add: ({ run, status, started = '', inputs, counts, coverage }) => {
      if (status !== 'finished' || counts.read === 0 || !isWhole) return;
      const fills = coverage === null ? {} : { fills: fillsOf(coverage) };
      const sources = inputs.slice(0, MAX_SOURCES).map(({ name }) => name);
      const outcome: EarlierRun = { run, started, sources, counts, ...fills };
      writeOutcome(file, outcome);
    },
  };
}

/** Without errors, since nothing but a comparison depends on it. */
function writeOutcome(file: string, outcome: EarlierRun): void {
  try {
    makeFolder(path.dirname(file));
    replaceFileAtomically(file, outcome);
  } catch {}
}

function fillsOf(coverage: Coverage): NonNullable<EarlierRun['fills']> {
  const { documents, fields, metrics, sentiments, languages } = coverage;
  const mean = metrics['score']?.mean;
  return {
    documents,
    fields: Object.fromEntries(fields.map((one) => [one.field, one.filled])),
    ...(mean === undefined ? {} : { meanScore: mean }),
    sentiments: byValue(sentiments),
    languages: byValue(languages),
  };
}

function byValue(counted: readonly Counted[]): Readonly<Record<string, number>> {
  return Object.fromEntries(counted.map(({ value, count }) => [value, count]));
}

/** A folder of exports may have thousands. */
const MAX_SOURCES = 100;

/** Other versions may have written something else. */
function isOutcome(value: unknown): value is EarlierRun {
  if (!isObject(value) || !isObject(value['counts'])) return false;
  const { run, started, counts, fills, sources = [] } = value;
  const areTexts = [run, started, ...(Array.isArray(sources) ? sources : [null])].every(
    (text) => typeof text === 'string',
  );
  const areFills = fills === undefined || (isObject(fills) && isObject(fills['fields']));
  return (
    areTexts && areFills && Object.keys(NO_COUNTS).every((key) => typeof counts[key] === 'number')
  );
}
