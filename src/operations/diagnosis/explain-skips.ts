/** Explains why records were skipped. */
import type { Mapping, SkipCondition } from '../../mapping/mapping.js';
import { mappingLine } from '../../mapping/mapping-text.js';
import type { SkipCount, SkippedBy } from '../../model/record.js';
import { excerpt, printable, quote } from '../../model/text.js';
import type { SkipReport } from '../../outcomes/tally.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { columnsText } from './explain-causes.js';

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
  if (by === 'header') return 'repeats the header';
  if (by === 'function') return 'the function returns undefined';
  return conditionText(skip[by] as SkipCondition);
}

const MAX_VALUES = 3;

function conditionText(condition: SkipCondition): string {
  const names = [condition.from].flat().map((name) => columnsText([name]));
  if (condition.blank === true) {
    const columns = new Intl.ListFormat('en-GB').format(names);
    return `${columns} ${names.length > 1 ? 'are' : 'is'} ${alternatives(['blank', ...quotedAll(condition.in)])}`;
  }
  return `${names.join(' or ')} ${testText(condition)}`;
}

function testText({ blank, in: values, matches, below, above }: SkipCondition): string {
  if (blank === false) return `isn't ${alternatives(['blank', ...quotedAll(values)])}`;
  if (values !== undefined) return `is ${alternatives(quotedAll(values))}`;
  if (matches !== undefined) return `matches /${printable(excerpt(matches))}/`;
  if (below !== undefined) return `is below ${below}`;
  return `is above ${above}`;
}

function quotedAll(values: SkipCondition['in'] = []): readonly string[] {
  return values.map((value) => quote(String(value)));
}

function alternatives(values: readonly string[]): string {
  const more = values.length - MAX_VALUES;
  const shown = more > 1 ? [...values.slice(0, MAX_VALUES), `${more} other values`] : values;
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)]
    .filter((part) => part !== '')
    .join(' or ');
}
