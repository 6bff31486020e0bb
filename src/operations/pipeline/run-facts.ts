import { createHash } from 'node:crypto';
import { sourceTextOf } from '../../mapping/mapping-text.js';
import { openQuestions } from '../../mapping/open-questions.js';
import { isObject } from '../../model/record.js';
import { VERSION } from '../../model/version.js';
import type { Report } from '../../report/report.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { PipelineRun } from './pipeline-run.js';

export interface RunToDescribe extends Pick<PipelineRun, 'id' | 'startedMs' | 'target'> {
  readonly transform: Pick<TransformPlan, 'mapping' | 'factory' | 'asOf'>;
}

/** A run's time, version and mapping; also for one that could not start. */
export function runFacts({ id, startedMs, target, transform }: RunToDescribe) {
  const { mapping } = transform;
  const ended = new Date();
  return {
    docferry: VERSION,
    command: target === null ? 'validate' : 'import',
    run: id,
    started: new Date(startedMs).toISOString(),
    ended: ended.toISOString(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    elapsedMs: ended.getTime() - startedMs,
    mapping: mapping.name,
    mappingFile: sourceTextOf(mapping)?.name ?? null,
    mappingFingerprint: fingerprintOf(transform),
    openQuestions: openQuestions(mapping),
    target,
  } as const satisfies Partial<Report>;
}

/** Identifies the mapping's file; `null` for a function. */
function fingerprintOf({ mapping, factory }: RunToDescribe['transform']): string | null {
  if (typeof factory === 'function') return null;
  const text = sourceTextOf(mapping)?.text ?? JSON.stringify(mapping, (_, value) => sorted(value));
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).toSorted()) : value;
}
