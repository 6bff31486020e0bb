/** Edits a mapping's text for the studio. */
import { withoutGuessed } from '../../guess/write-mapping.js';
import { editMapping, type MappingChange } from '../../mapping/load/edit-mapping.js';
import { parseYaml } from '../../mapping/load/load-mapping.js';
import type { Rule } from '../../mapping/mapping.js';
import { dismissTodo } from '../../mapping/mapping-text.js';
import { ruleColumns } from '../../mapping/rules.js';
import { isObject } from '../../model/record.js';

/**
 * Applies changes in order, as one edit. A rule that reads other columns than before loses the comment
 * of the guess, which explains the former ones.
 * @param dismiss line of a TODO, in the text as given, that becomes a plain comment
 * @throws MappingError as `editMapping`
 */
export function editMappingText(
  text: string,
  changes: readonly MappingChange[],
  dismiss: number | undefined,
): string {
  const start = dismiss === undefined ? text : dismissTodo(text, dismiss);
  return changes.reduce(
    (before, change) => editMapping(withoutStaleComment(before, change), change),
    start,
  );
}

function withoutStaleComment(text: string, { path, value }: MappingChange): string {
  const yaml = parseYaml(text);
  if (path[0] !== 'document' || value === undefined || 'mistakes' in yaml) return text;
  const before = path.reduce(
    (inner: unknown, step) =>
      isObject(inner) || Array.isArray(inner) ? Reflect.get(inner, step) : undefined,
    yaml.value,
  );
  if (before === undefined || readsAlike(before as Rule, value as Rule)) return text;
  const lines = text.split(/(?<=\n)/u);
  const end = yaml.locate(path.slice(0, -1), `${path.at(-1)}`).line - 1;
  let from = end;
  while (/^\s*#/u.test(lines[from - 1] ?? '')) from -= 1;
  const left = withoutGuessed(lines.slice(from, end));
  return lines.toSpliced(from, end - from, ...left).join('');
}

function readsAlike(before: Rule, after: Rule): boolean {
  return ruleColumns(before).join('\n') === ruleColumns(after).join('\n');
}
