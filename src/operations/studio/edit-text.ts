/** Edits a mapping's text for the studio. */
import { withoutGuessed } from '../../guess/write-mapping.js';
import { editMapping, type MappingChange } from '../../mapping/load/edit-mapping.js';
import { parseYaml } from '../../mapping/load/load-mapping.js';
import type { Rule } from '../../mapping/mapping.js';
import { dismissTodo, todosIn } from '../../mapping/mapping-text.js';
import { ruleColumns } from '../../mapping/rules.js';
import { isObject } from '../../model/record.js';

/**
 * Applies changes in order, as one edit. A rule that reads other columns than before loses the comment
 * of the guess, which explains the former ones.
 * @param dismiss a TODO that becomes a plain comment
 * @throws MappingError as `editMapping`
 */
export function editMappingText(
  text: string,
  changes: readonly MappingChange[],
  dismiss: string | undefined,
): string {
  const todo = todosIn(text).find((one) => one.text === dismiss);
  const start = todo === undefined ? text : dismissTodo(text, todo.line);
  const made = changes.reduce(
    (before, change) => editMapping(withoutStaleComment(before, change), change),
    start,
  );
  const isZoned = changes.some(({ path: [key], value }) => key === 'zone' && value !== undefined);
  return isZoned ? made.replace(ASSUMED_ZONE, '') : made;
}

/** Part of the guess's evidence for a date, which may continue in the next comment line. */
const ASSUMED_ZONE =
  /;[\s#]+no[\s#]+time[\s#]+zone[\s#]+is[\s#]+stated,[^()]+\(set[\s#]+zone[\s#]+to[\s#]+change[\s#]+it\)/gu;

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
  const above = lines.slice(from, end);
  return lines.toSpliced(from, end - from, ...withoutGuessed(above)).join('');
}

/** Whether the guess's comment holds for both rules. That of a hash doesn't explain its columns. */
function readsAlike(before: Rule, after: Rule): boolean {
  const areHashes = [before, after].every((rule) => Object(rule).hash !== undefined);
  return areHashes || ruleColumns(before).join('\n') === ruleColumns(after).join('\n');
}
