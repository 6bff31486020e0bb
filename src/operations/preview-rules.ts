import { rawColumn } from '../mapping/column.js';
import type { Mapping } from '../mapping/mapping.js';
import { ruleColumns } from '../mapping/mapping-columns.js';
import { ruleText } from '../mapping/rule-text.js';
import { mappingRules } from '../mapping/walk-rules.js';

/** A rule of the mapping, and what it read from a record. */
export interface RuleUse {
  /** What it makes, such as `text`, `metrics.score` or `tags[0]`. */
  readonly field: string;
  /** The rule on one line, shortened. */
  readonly rule: string;
  /** The columns that it names, with the record's values as they were read. */
  readonly columns: Readonly<Record<string, unknown>>;
}

/** Says for a record what each rule of a mapping read. */
export function previewRules(
  mapping: Mapping,
): (record: Readonly<Record<string, unknown>>) => readonly RuleUse[] {
  const rules = mappingRules(mapping).map(({ rule, place }) => ({
    field: place.replace(/^document\./u, ''),
    rule: ruleText(rule),
    readers: ruleColumns(rule).map((name) => [name, rawColumn(name, null)] as const),
  }));
  return (record) =>
    rules.map(({ field, rule, readers }) => ({
      field,
      rule,
      columns: Object.fromEntries(readers.map(([name, read]) => [name, read(record) ?? null])),
    }));
}
