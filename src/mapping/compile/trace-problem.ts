import type { Problem, RecordValue } from '../../model/record.js';
import { pathText } from '../../validation/explain-errors.js';
import type { Mapping } from '../mapping.js';
import { mainColumns, mappingRules } from '../rules.js';
import { cutValue, trim } from '../steps/value.js';
import { type ReadRaw, rawColumn } from './column.js';

interface FieldSource {
  readonly columns: readonly string[];
  readonly readers: readonly ReadRaw[];
}

/**
 * Compiles a function that adds to a document's problem the columns that its field is read from, and
 * the first value in them. Parts of lists aren't traced: their index isn't that of a rule.
 */
export function compileTraceProblem(
  mapping: Pick<Mapping, 'document'>,
  columns: readonly string[] | null,
): (problem: Problem, record: RecordValue) => Problem {
  const sources = new Map<string, FieldSource>();
  for (const { rule, path } of mappingRules(mapping)) {
    const own = mainColumns(rule);
    const readers = own.map((name) => rawColumn(name, columns));
    const field = pathText(path.slice(1));
    if (own.length > 0 && !field.includes('[')) sources.set(field, { columns: own, readers });
  }
  return (problem, record) => {
    const source = sources.get(problem.field ?? '');
    if (source === undefined || problem.columns !== undefined) return problem;
    return { ...problem, columns: source.columns, value: firstValue(source, record) };
  };
}

function firstValue({ readers }: FieldSource, record: RecordValue): string {
  try {
    for (const read of readers) {
      const text = trim(cutValue(read(record) ?? ''));
      if (text !== '') return text;
    }
  } catch {
    // A getter of a program's object threw, which the mapping reports.
  }
  return '';
}
