/** Makes a test of a mapping from what it does with a record now. */
import type { ShownRecord } from '../../wire.js';

/** As `tests` of a mapping holds it. */
export interface MadeTest {
  readonly record: Readonly<Record<string, unknown>>;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly skipped?: true;
  readonly invalid?: readonly string[];
}

/** Gives a sentence if there can be none. */
export function testOf(shown: ShownRecord): MadeTest | string {
  const { record, document, skipped, problems, rules, isCut } = shown;
  if (record === null) return 'A record that could not be read makes no test.';
  const named = new Set(rules.flatMap(({ columns }) => Object.keys(columns)));
  const isTable = [...named].every((name) => Object.hasOwn(record, name));
  // What a record is skipped for is no rule's column.
  const isWhole = skipped || !isTable;
  const values = Object.entries(record).filter(([name]) => isWhole || named.has(name));
  if (isCut) return 'Its values are too long for a test.';
  const given = { record: Object.fromEntries(values) };
  if (skipped) return { ...given, skipped: true };
  const fields = [...new Set(problems.flatMap(({ field }) => (field ? [field] : [])))];
  if (problems.length > 0) {
    return fields.length === 0
      ? 'What is wrong with it is no field’s.'
      : { ...given, invalid: fields };
  }
  const made = new Set(rules.map(({ field }) => field.split(/[.[]/u, 1)[0]));
  const kept = Object.entries(document ?? {}).filter(([name]) => made.has(name));
  return { ...given, document: Object.fromEntries(kept) };
}
