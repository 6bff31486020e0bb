/** What a mapping file leaves to a person: its comments that start with TODO. */
import { readFile, stat } from 'node:fs/promises';

/** A comment, and the line on which it starts, from 1. */
interface Todo {
  readonly line: number;
  readonly text: string;
}

/** The comments of a mapping's text that start with TODO, each with the comment lines that go on. */
export function todosIn(mapping: string): readonly Todo[] {
  const todos: Todo[] = [];
  let open: { line: number; text: string } | undefined;
  for (const [index, line] of mapping.split(/\r\n|\n|\r/u).entries()) {
    const comment = /^(.*?)(?:^|\s)#\s*(.*)$/u.exec(line);
    const todo = /^TODO\b:?\s*(.*)$/u.exec(comment?.[2] ?? '')?.[1];
    if (todo !== undefined) {
      open = { line: index + 1, text: todo };
      todos.push(open);
    } else if (open !== undefined && comment?.[1]?.trim() === '') open.text += ` ${comment[2]}`;
    else open = undefined;
  }
  return todos;
}

/** A sentence for each TODO of a mapping file; none if it can't be read (again, as pipes can't). */
export async function todoNotices(file: string): Promise<readonly string[]> {
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const text = isFile ? await readFile(file, 'utf8').catch(() => '') : '';
  return todosIn(text).map(({ line, text: todo }) => `${file}:${line}: TODO: ${todo}`);
}
