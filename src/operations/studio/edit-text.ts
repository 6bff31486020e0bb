/** Edits a mapping's text for the studio. */
import { isDeepStrictEqual } from 'node:util';
import { type CommentPart, commentParts } from '../../guess/write-mapping.js';
import { editMapping, formatMapping, type MappingChange } from '../../mapping/load/edit-mapping.js';
import { parseYaml } from '../../mapping/load/load-mapping.js';
import type { Rule } from '../../mapping/mapping.js';
import { dismissTodo, todosIn } from '../../mapping/mapping-text.js';
import { columnRule, columnUses, ruleColumns } from '../../mapping/rules.js';
import { valueAt } from '../../model/json-path.js';
import { readMappingText } from './sample-source.js';

/**
 * Applies changes in order, as one edit. A rule that reads other columns than before loses the
 * evidence of the guess, which explains the former ones, and the questions that were about these.
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
  // An edit lays the whole text out anew. Doing that before leaves only its own change to compare.
  return changes.length === 0 ? start : changes.reduce(editRule, formatMapping(start));
}

function editRule(text: string, change: MappingChange): string {
  const { path, value } = change;
  const yaml = parseYaml(text);
  if (path[0] !== 'document' || 'mistakes' in yaml) return editMapping(text, change);
  const before = valueAt(yaml.value, path) as Rule | undefined;
  if (before === undefined || (value !== undefined && readsAlike(before, value as Rule))) {
    return editMapping(text, change);
  }
  const lines = text.split(/(?<=\n)/u);
  const end = yaml.locate(path.slice(0, -1), `${path.at(-1)}`).line - 1;
  let from = end;
  while (/^\s*#/u.test(lines[from - 1] ?? '')) from -= 1;
  const above = commentParts(lines.slice(from, end));
  const linesOf = (isLeft: (part: CommentPart) => boolean): readonly string[] =>
    above.filter(isLeft).flatMap((part) => part.lines);
  if (value === undefined) {
    const open = linesOf(({ kind, text: todo }) => kind === 'open' && offersRule(todo, path));
    return withLines(editMapping(text, change), lines.slice(0, from), open);
  }
  const left = linesOf(
    ({ kind, text: todo }) =>
      kind === 'own' || (kind === 'open' && stillApplies(todo, before, value as Rule)),
  );
  return editMapping(lines.toSpliced(from, end - from, ...left).join(''), change);
}

/** Whether a question offers a rule for a field, so that it can be answered without one. */
function offersRule(todo: string, path: MappingChange['path']): boolean {
  return todo.includes(`put \`${path.at(-1)}: `);
}

/**
 * Whether a question about a rule is one about the rule in its place: one of the columns that it names
 * is still read; or it names none, and the values are taken as before.
 */
function stillApplies(todo: string, before: Rule, after: Rule): boolean {
  const read = ruleColumns(after);
  const named = ruleColumns(before).filter((name) => todo.includes(JSON.stringify(name)));
  if (named.length > 0) return named.some((name) => read.includes(name));
  return (
    ruleColumns(before).some((name) => read.includes(name)) ||
    isDeepStrictEqual(stepsOf(before), stepsOf(after))
  );
}

/** A rule without the columns that it reads. */
function stepsOf(rule: Rule): unknown {
  if (typeof rule !== 'object') return {};
  const { from: _, join: __, hash: ___, text: ____, detect: _____, ...steps } = rule;
  return steps;
}

/** Puts lines back where a text ceases to be as before. */
function withLines(text: string, before: readonly string[], added: readonly string[]): string {
  const lines = text.split(/(?<=\n)/u);
  const same = before.findIndex((line, at) => lines[at] !== line);
  return lines.toSpliced(same < 0 ? before.length : same, 0, ...added).join('');
}

/** Whether the guess's comment holds for both rules. That of a hash doesn't explain its columns. */
function readsAlike(before: Rule, after: Rule): boolean {
  const areHashes = [before, after].every((rule) => Object(rule).hash !== undefined);
  return areHashes || ruleColumns(before).join('\n') === ruleColumns(after).join('\n');
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
