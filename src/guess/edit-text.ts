/** Words the edits of a mapping that answer a question. */
import { flowYaml, yamlScalar } from '../mapping/mapping-text.js';
import { type DraftField, type Edit, nameOf } from './rules/draft.js';

/** Words edits: put `score: { … }` under metrics; delete `sentiment` under document. */
export function editText(edits: readonly Edit[], fields: readonly DraftField[]): string {
  const groups = new Map<string, string[]>();
  for (const edit of edits) {
    const { line, place } = lineOf(edit, fields);
    const verb = edit.value === undefined ? 'delete' : 'put';
    const key = `${verb} LINES ${place}`;
    groups.set(key, [...(groups.get(key) ?? []), `\`${escaped(line)}\``]);
  }
  const texts = [...groups].map(([key, lines]) => key.replace('LINES', () => lines.join(' and ')));
  return texts.join('; ');
}

/** Escapes backticks, which delimit a line: YAML has them in quotes only. */
function escaped(line: string): string {
  return line.replaceAll('`', '\\x60');
}

/** Words a line of the mapping and its place. Adds parents that the mapping lacks, and removes those left empty. */
function lineOf(
  { path, value }: Edit,
  fields: readonly DraftField[],
): { readonly line: string; readonly place: string } {
  const own = path.slice(1).join('.');
  const field = fields.find((one) => nameOf(one) === own);
  const isShared = (depth: number): boolean =>
    fields.some(
      (one) => one !== field && path.slice(1, depth).every((key, at) => one.path[at] === key),
    );
  let depth = path.length - 1;
  if (value === undefined || field === undefined) while (depth > 1 && !isShared(depth)) depth -= 1;
  const [key = '', ...inner] = path.slice(depth);
  const nested = inner.reduceRight((inside: unknown, name) => ({ [name]: inside }), value);
  const parent = path[depth - 1];
  const removed =
    parent === 'tags' && field !== undefined ? `- ${flowYaml(field.rule)}` : yamlScalar(key);
  const line = value === undefined ? removed : `${yamlScalar(key)}: ${flowYaml(nested)}`;
  return { line, place: parent === undefined ? 'at the top' : `under ${parent}` };
}
