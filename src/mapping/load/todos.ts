/** What a mapping file leaves to a person: its comments that start with TODO. */
import type { PlaceInText } from '../../model/errors.js';
import type { Mapping } from '../mapping.js';
import { textOf } from './written-places.js';

/** A comment of a mapping's text, with the comment lines that continue it. */
export interface Todo extends PlaceInText {
  readonly text: string;
}

/** The comments of a mapping's text that start with TODO, each with the comment lines that go on. */
export function todosIn(mapping: string): readonly Todo[] {
  const todos: Todo[] = [];
  let open = false;
  let offset = 0;
  for (const [index, part] of mapping.split(/(\r\n|\n|\r)/u).entries()) {
    const start = offset;
    offset += part.length;
    // Every other part is the end of a line.
    if (index % 2 === 1) continue;
    const [, before = '', text = ''] = /^(.*?)(?:^|\s)#\s*(.*)$/u.exec(part) ?? [];
    const todo = /^TODO\b:?\s*(.*)$/u.exec(text)?.[1];
    const last = todos.at(-1);
    if (todo !== undefined) {
      const at = part.indexOf('#', before.length);
      todos.push({
        line: index / 2 + 1,
        column: at + 1,
        offset: start + at,
        end: offset,
        text: todo,
      });
      open = true;
    } else if (open && last !== undefined && before.trim() === '' && part.includes('#')) {
      todos[todos.length - 1] = { ...last, text: `${last.text} ${text}`, end: offset };
    } else open = false;
  }
  return todos;
}

/** A sentence for each TODO of a mapping that was read from a text. */
export function todoNotices(mapping: Mapping): readonly string[] {
  const { name, text } = textOf(mapping) ?? { name: '', text: '' };
  return todosIn(text).map(({ line, text: todo }) => `${name}:${line}: TODO: ${todo}`);
}
