/** Explains why records were skipped. */
import type { Mapping, SkipCondition } from '../../mapping/mapping.js';
import { conditionText, mappingLine } from '../../mapping/mapping-text.js';
import type { SkipCount, SkippedBy } from '../../model/record.js';
import type { SkipReport } from '../../outcomes/tally.js';
import type { TransformPlan } from '../../transform/transform-record.js';

/** Explains why records were skipped, the most frequent first. */
export function explainSkips(
  skips: readonly SkipCount[],
  { mapping }: Pick<TransformPlan, 'mapping'>,
): readonly SkipReport[] {
  // Other reasons than conditions come first.
  const order = (by: SkippedBy): number => (typeof by === 'number' ? by : -1);
  return skips
    .toSorted(([a], [b]) => order(a) - order(b))
    .map(([by, records]) => ({
      condition: skippedByText(by, mapping),
      records,
      mappingLine: typeof by === 'number' ? (mappingLine(mapping, ['skip', by]) ?? null) : null,
    }))
    .toSorted((a, b) => b.records - a.records);
}

function skippedByText(by: SkippedBy, { skip }: Pick<Mapping, 'skip'>): string {
  return typeof by === 'number' ? conditionText(skip[by] as SkipCondition) : OTHER_REASONS[by];
}

/** Why records are skipped, unless by a condition of the mapping. */
const OTHER_REASONS: Readonly<Record<Exclude<SkippedBy, number>, string>> = {
  header: 'repeats the header',
  function: 'the function returns undefined',
};
