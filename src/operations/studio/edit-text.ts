/** Edits a mapping's text for the studio. */
import { comment, leftOutLines, withoutGuessed } from '../../guess/write-mapping.js';
import { editMapping, type MappingChange } from '../../mapping/load/edit-mapping.js';
import { parseYaml } from '../../mapping/load/load-mapping.js';
import type { Rule } from '../../mapping/mapping.js';
import { dismissTodo, todosIn } from '../../mapping/mapping-text.js';
import { mappingColumns, ruleColumns } from '../../mapping/rules.js';
import { isObject } from '../../model/record.js';
import type { GuessDraft } from './propose-rule.js';
import { readMappingText } from './sample-source.js';

/** Whether a text has comments that follow an edit of the rules. */
export function hasGuessedComments(text: string): boolean {
  return /^\s*# (?:TODO|Left out|Not used)\b/mu.test(text);
}

/**
 * Applies changes in order, as one edit. A rule that reads other columns than before loses the comment
 * of the guess, which explains the former ones.
 * @param dismiss a TODO that becomes a plain comment
 * @param draft of the guess, if the text {@link hasGuessedComments}
 * @throws MappingError as `editMapping`
 */
export function editMappingText(
  text: string,
  changes: readonly MappingChange[],
  dismiss: string | undefined,
  draft?: GuessDraft,
): string {
  const todo = todosIn(text).find((one) => one.text === dismiss);
  const start = todo === undefined ? text : dismissTodo(text, todo.line);
  const made = changes.reduce(
    (before, change) => editMapping(withoutStaleComment(before, change), change),
    start,
  );
  const isZoned = changes.some(({ path: [key], value }) => key === 'zone' && value !== undefined);
  const edited = isZoned ? made.replace(ASSUMED_ZONE, '') : made;
  return draft === undefined ? edited : withUnusedColumns(edited, text, draft);
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

/** Takes out of the header's list of unused columns those that a rule or condition uses by now. */
function withUnusedColumns(text: string, before: string, { leftOut }: GuessDraft): string {
  const [old = '', now = ''] = [before, text].map((one) => {
    const used = mappingColumns(readMappingText(one, '').mapping);
    const unused = leftOut.filter(({ column }) => !used.includes(column));
    return leftOutLines(unused)
      .flatMap((line) => comment('', line))
      .join('\n');
  });
  return old === '' ? text : text.replace(now === '' ? `${old}\n` : old, () => now);
}
