/** Follows the edits that a guess prints, as a program would that knows nothing but their wording. */
import { parse } from 'yaml';
import { editMapping } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { todosIn } from '../../src/mapping/mapping-text.js';

/** Parents of the mapping's keys, by the name that an edit gives. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  'at the top': [],
  'under input': ['input'],
  'under document': ['document'],
  'under skip': ['skip'],
  'in place of the condition with blank under skip': ['skip'],
  'under annotations': ['document', 'author', 'annotations'],
  ...Object.fromEntries(
    ['metrics', 'author', 'tags', 'detectedLocations'].map((key) => [
      `under ${key}`,
      ['document', key],
    ]),
  ),
};

const EDIT =
  /(put|delete) ((?:`[^`]+`(?: and )?)+) (at the top|under \w+|in place of the condition with blank under skip|in the rule of (?:"[^"]+"|[\w.]+\w))/gu;

/** The questions of a mapping whose text has no edit and no flag. */
export function withoutEdit(mapping: string): readonly string[] {
  return todosIn(mapping)
    .map(({ text }) => text)
    .filter((text) => text.match(EDIT) === null && !text.includes(' --'));
}

/** Applies every edit of every question, in their order. */
export function followEdits(mapping: string): string {
  return todosIn(mapping).reduce((text, todo) => followed(text, todo.text), mapping);
}

/** Applies the edits of one question. */
export function followed(mapping: string, question: string): string {
  let text = mapping;
  for (const [, verb, lines = '', place = ''] of question.matchAll(EDIT)) {
    for (const [, line = ''] of lines.matchAll(/`([^`]+)`/gu)) {
      const parent = PARENTS[place] ?? ruleAt(place);
      // An earlier answer may have removed the rule.
      if (!place.startsWith('in the rule') || hasRule(text, parent)) {
        text = applied(text, verb === 'put', line, parent);
      }
    }
  }
  return text;
}

function ruleAt(place: string): readonly string[] {
  const name = place.replace(/^in the rule of /u, '').replaceAll('"', '');
  return ['document', ...name.split('.')];
}

function hasRule(text: string, path: readonly string[]): boolean {
  const at = (value: unknown, key: string): unknown => (value as Record<string, unknown>)?.[key];
  return path.reduce(at, parse(text) as unknown) !== undefined;
}

function applied(text: string, isPut: boolean, line: string, parent: readonly string[]): string {
  if (isPut && line.startsWith('- ')) {
    const [value] = parse(line) as readonly unknown[];
    return editMapping(text, {
      path: [...parent, line.includes('blank: true') ? '-blank' : '-'],
      value,
    });
  }
  if (isPut) {
    const [[key, value] = ['', undefined]] = Object.entries(parse(line) as object);
    return editMapping(text, { path: [...parent, key], value });
  }
  if (!line.startsWith('- ')) return editMapping(text, { path: [...parent, parse(line)] });
  const { document, skip } = parseMapping(text, 'guessed.yaml');
  const rules: readonly unknown[] = parent[0] === 'skip' ? skip : (document.tags ?? []);
  const [rule] = parse(line) as readonly unknown[];
  const at = rules.findIndex((one) => JSON.stringify(one) === JSON.stringify(rule));
  return at < 0 ? text : editMapping(text, { path: [...parent, at] });
}
