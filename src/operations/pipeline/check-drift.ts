import { driftOf } from '../../coverage/drift.js';
import { DriftError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { ValidateOptions } from '../options.js';
import { sampleSource } from './sample-source.js';

/** Sources that may be read, and what is different about them. */
export interface CheckedSources {
  readonly sources: readonly Source[];
  readonly notices: readonly string[];
}

/**
 * Compares the first records of each source with what the mapping expects, if it says so.
 * @throws DriftError if one has drifted and that is not accepted
 */
export async function checkDrift(
  sources: readonly Source[],
  plan: TransformPlan,
  { acceptDrift, signal }: Pick<ValidateOptions, 'acceptDrift' | 'signal'>,
): Promise<CheckedSources> {
  const { expects, name } = plan.mapping;
  if (expects === undefined) return { sources, notices: [] };
  const checked: Source[] = [];
  const notices: string[] = [];
  for (const source of sources) {
    if (isRejects(source)) {
      checked.push(source);
      continue;
    }
    const sampled = await sampleSource(source, plan, signal);
    checked.push(sampled.source);
    const changes = sampled.sample.records === 0 ? [] : driftOf(expects, sampled.sample);
    if (changes.length > 0) {
      const title = `${source.name} has drifted from what the mapping "${name}" expects`;
      notices.push([`${title}:`, ...changes.map((change) => `  ${change}`)].join('\n'));
    }
  }
  if (notices.length === 0 || acceptDrift) return { sources: checked, notices };
  throw new DriftError(
    [
      ...notices,
      'Nothing was sent. If the file is right all the same, go on with --accept-drift, or learn it anew with docferry mapping learn.',
    ].join('\n'),
  );
}

/** Records that were mended are few and odd, and no measure of the export that they come from. */
function isRejects({ layout }: Source): boolean {
  return layout.header === 'rejects';
}
