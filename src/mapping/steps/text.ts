/** Steps that take a text: `match`, `replace`, `case`, `split`. */

import type { Locales, Replacements, Scalar } from '../mapping.js';
import { compileExpression } from './expression.js';
import { trim } from './trim.js';
import { gather, type Step, type Value } from './value.js';

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

/** The step `truncate`: at most so many characters, as a reader counts them, never half of one. */
export function compileTruncate(most: number): Step {
  return (value) => {
    const text = String(value);
    return text.length <= most ? text : truncate(text, most);
  };
}

let segmenter: Intl.Segmenter | undefined;

function truncate(text: string, most: number): string {
  // Of these characters none ever joins the one before it.
  const head = text.slice(0, most + 1);
  if (/^[\n\u0020-\u02ff]*$/u.test(head)) return text.slice(0, most);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === most) return text.slice(0, index);
    count++;
  }
  return text;
}

/** The step `values`: looks a value up; one that is not listed gives nothing. */
export function compileValues(values: Readonly<Record<string, Scalar>>): Step {
  const known = new Map(Object.entries(values));
  return (value) => known.get(String(value));
}
