/** Steps that take a text: `match`, `replace`, `case`, `split`. */
import { compileExpression } from '../expression.js';
import type { Locales, Replacements } from '../mapping.js';
import { trim } from '../trim.js';
import { gather, type Step, type Value } from '../value.js';

/** Keeps the first group that took part, or the whole match; no match gives nothing. */
export function compileMatch(source: string, trimmed: boolean): Step {
  const find = compileExpression(source, 'u', (pattern, text) => pattern.exec(text));
  return (value) => {
    const found = find(String(value));
    if (found === null) return undefined;
    const kept = found.length > 1 ? found.slice(1).find((group) => group !== undefined) : found[0];
    return kept === undefined ? undefined : finish(kept, trimmed);
  };
}

/** Replaces every match, expression by expression, in the order written. */
export function compileReplace(
  replacements: Replacements | readonly Replacements[],
  trimmed: boolean,
): Step {
  const lists = Array.isArray(replacements) ? replacements : [replacements];
  const replacers = lists
    .flatMap((list: Replacements) => Object.entries(list))
    .map(([source, instead]) =>
      compileExpression(source, 'gu', (pattern, text) => text.replace(pattern, instead)),
    );
  return (value) => {
    let text = String(value);
    for (const replace of replacers) text = replace(text);
    return finish(text, trimmed);
  };
}

/** Changes case as the locale does it. */
export function compileCase(to: 'lower' | 'upper', locales: Locales): Step {
  const [locale] = [locales].flat();
  return to === 'lower'
    ? (value) => String(value).toLocaleLowerCase(locale)
    : (value) => String(value).toLocaleUpperCase(locale);
}

/** Makes a list; parts are trimmed, blank ones dropped. */
export function compileSplit(separator: string, trimmed: boolean): Step {
  return (value) =>
    gather(
      String(value)
        .split(separator)
        .map((piece) => finish(piece, trimmed)),
    );
}

/** What is blank after a step is nothing. */
export function finish(text: string, trimmed: boolean): Value {
  const kept = trimmed ? trim(text) : text;
  return trim(kept) === '' ? undefined : kept;
}
