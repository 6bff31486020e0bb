/** Columns in which bytes can't be decoded: what is said of them, and how a mapping spares itself. */

import type { Rule } from '../mapping/mapping.js';
import { ruleColumns } from '../mapping/rules/walk-rules.js';
import { thousands } from '../model/figures.js';
import type { DraftField } from './rules/draft.js';
import type { Sample } from './sample.js';

/** Sampled records in which bytes of a column can't be decoded. */
export interface UndecodableValues {
  readonly records: number;
  /** The first, such as `0xE9 at byte 1234, record 17`. */
  readonly first: string;
}

/** By column, or path with `[]` for list indexes. */
export type UndecodableByColumn = ReadonlyMap<string, UndecodableValues>;

/** What is known of a column; list indexes don't matter. */
export function undecodableOf(
  undecodable: UndecodableByColumn,
  column: string,
): UndecodableValues | undefined {
  return undecodable.get(column) ?? undecodable.get(column.replace(/\[\d+\]/gu, '[]'));
}

/** One sentence for each column. */
export function undecodableNotices({ undecodable, records }: Sample): readonly string[] {
  return [...undecodable].map(([column, values]) => {
    const count = `${thousands(values.records)} of ${thousands(records.length)}`;
    return `Bytes of ${JSON.stringify(column)} can't be decoded in ${count} records; the first is ${values.first}`;
  });
}

/** Without these a document isn't what it should be: a record that can't give them is invalid. */
const NEEDED = new Set(['text', 'sourceId', 'published', 'metrics.score']);

/** Other fields are left out where bytes of their columns can't be decoded, and cost no record. */
export function sparingRecords(
  fields: readonly DraftField[],
  { undecodable, records }: Sample,
): readonly DraftField[] {
  if (undecodable.size === 0) return fields;
  const needed = new Set(
    fields
      .filter(({ path }) => NEEDED.has(path.join('.')))
      .flatMap(({ rule }) => ruleColumns(rule)),
  );
  return fields.map((field) => {
    const broken = ruleColumns(field.rule)
      .filter((column) => !needed.has(column))
      .flatMap((column) => undecodableOf(undecodable, column) ?? []);
    if (broken.length === 0 || typeof field.rule === 'number' || typeof field.rule === 'boolean')
      return field;
    const most = Math.max(...broken.map((values) => values.records));
    const evidence = `${field.evidence}; left out where its bytes can't be decoded (${thousands(most)} of ${thousands(records.length)} records)`;
    return { ...field, rule: optional(field.rule), evidence };
  });
}

function optional(rule: Exclude<Rule, number | boolean>): Rule {
  if (typeof rule === 'string') return { text: rule, else: '', onError: 'else' };
  return { ...rule, else: rule.else ?? '', onError: 'else' };
}
