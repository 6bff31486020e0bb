/** Explains why records were skipped. */
import type { SkipCondition } from '../../mapping/mapping.js';
import { lineOf } from '../../mapping/mapping-text.js';
import { excerpt, printable, quote } from '../../model/text.js';
import type { SkipReport } from '../../outcomes/tally.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { columnsText } from './explain-causes.js';

/**
 * Explains why records were skipped, the most frequent first.
 * @param skips number of records by the number of the condition in the mapping; 0 for none of them
 */
export function explainSkips(
  skips: readonly number[],
  { mapping, factory }: Pick<TransformPlan, 'mapping' | 'factory'>,
): readonly SkipReport[] {
  const others = factory === undefined ? 'repeats the header' : 'the function returns undefined';
  const conditions = [others, ...mapping.skip.map(conditionText)];
  return conditions
    .map((condition, at) => ({
      condition,
      records: skips[at] ?? 0,
      mappingLine: at === 0 ? null : (lineOf(mapping, ['skip', at - 1]) ?? null),
    }))
    .filter(({ records }) => records > 0)
    .toSorted((a, b) => b.records - a.records);
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
