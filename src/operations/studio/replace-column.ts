/** Replaces a column that the file no longer has by a different one, wherever a mapping names it. */
import { columnMistakes } from '../../mapping/compile/compile-mapping.js';
import { editMapping } from '../../mapping/load/edit-mapping.js';
import type { Mapping } from '../../mapping/mapping.js';
import { columnRule, columnUses } from '../../mapping/rules.js';
import { valueAt } from '../../model/json-path.js';
import { readMappingText } from './sample-source.js';

/** Lists the columns that a mapping names and a header lacks; none for records without a header. */
export function missingColumns(
  mapping: Pick<Mapping, 'document' | 'skip'>,
  columns: readonly string[] | null | undefined,
): readonly string[] {
  if (!columns) return [];
  return columnMistakes(mapping, columns)
    .flatMap(({ places }) => places[0]?.column ?? [])
    .filter((column) => !columns.includes(column));
}

/**
 * Replaces a column in all rules, conditions and comments of a mapping's text.
 * @throws MappingError as `editMapping`
 */
export function replaceColumn(text: string, column: string, by: string): string {
  const { mapping } = readMappingText(text, '');
  const places = new Map(
    columnUses(mapping).flatMap((use) =>
      use.column === column ? [[JSON.stringify(use.path), use.path]] : [],
    ),
  );
  const edited = [...places.values()].reduce((before, path) => {
    const named = String(valueAt(mapping, path));
    return editMapping(before, { path, value: replaced(named, column, by) });
  }, text);
  const inComments = (line: string): string =>
    line.replaceAll(JSON.stringify(column), () => JSON.stringify(by));
  return edited.replace(/^\s*#.*$/gmu, inComments);
}

/** The name of a column, or a template, with another column. */
function replaced(named: string, column: string, by: string): unknown {
  if (named === column) return by;
  const placeholder = `{${column}}`;
  if (named === placeholder) return columnRule({ name: by });
  return named.replaceAll(placeholder, () => `{${by}}`);
}
