/** Shortcuts for tests: one rule in a mapping, run on one record. */
import { compileMapping, type MapRecord } from '../../src/mapping/compile/compile-mapping.js';
import { acceptMapping, parseMapping } from '../../src/mapping/load/load-mapping.js';
import type { Mapping, Rule } from '../../src/mapping/mapping.js';
import type { Problem, RecordValue } from '../../src/model/record.js';

export const DOWNLOADED = '2026-05-28T07:51:21.450Z';

/** Compiles a mapping (an object, or YAML) for objects. */
export function mapper(mapping: object | string, asOf?: string): MapRecord {
  const checked: Mapping =
    typeof mapping === 'string'
      ? parseMapping(mapping, 'test.yaml')
      : acceptMapping(mapping, 'test');
  const override = asOf === undefined ? {} : { asOf };
  return compileMapping(checked, { columns: null, downloaded: DOWNLOADED, ...override });
}

/** What a rule gives as the document's text; problems are thrown as their messages. */
export function textOf(rule: Rule, record: RecordValue, top: object = {}): string | undefined {
  const mapped = mapper({ ...top, document: { text: rule } })(record);
  if (mapped.skipped) throw new Error('skipped');
  if (mapped.problems.length > 0) throw new Error(mapped.problems.map(messageOf).join('\n'));
  return mapped.document.text;
}

/** What a rule gives as a list. */
export function listOf(rule: Rule, record: RecordValue): readonly string[] | undefined {
  const mapped = mapper({ document: { tags: [rule] } })(record);
  return mapped.skipped ? undefined : mapped.document.tags;
}

/** What a rule gives as a number. */
export function numberOf(rule: Rule, record: RecordValue): number | undefined {
  const mapped = mapper({ document: { metrics: { score: rule } } })(record);
  if (mapped.skipped) throw new Error('skipped');
  if (mapped.problems.length > 0) throw new Error(mapped.problems.map(messageOf).join('\n'));
  return mapped.document.metrics?.[0]?.value;
}

/** The problems of a record. */
export function problemsOf(
  document: object,
  record: RecordValue,
  top: object = {},
): readonly Problem[] {
  const mapped = mapper({ ...top, document })(record);
  return mapped.skipped ? [] : mapped.problems;
}

function messageOf({ kind, field, message }: Problem): string {
  return `${kind} ${field}: ${message}`;
}
