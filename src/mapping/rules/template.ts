/** Templates: text with `{Column}` in it, `{{` for a brace. */

/** A piece of a template. */
export type TemplatePart = { readonly literal: string } | { readonly column: string };

/** A template taken apart, or what is wrong with it as a sentence. */
export type ParsedTemplate =
  | { readonly parts: readonly TemplatePart[] }
  | { readonly mistake: string };

/** Takes a template apart. `{{` stands for `{`; `}}` for `}`; a single `}` for itself. */
export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let literal = '';
  let at = 0;
  while (at < template.length) {
    const pair = template.slice(at, at + 2);
    if (pair === '{{' || pair === '}}') {
      literal += pair.charAt(0);
      at += 2;
    } else if (template[at] === '{') {
      const end = template.indexOf('}', at);
      const mistake = placeholderMistake(template, at, end);
      if (mistake !== undefined) return { mistake };
      if (literal !== '') parts.push({ literal });
      literal = '';
      parts.push({ column: template.slice(at + 1, end) });
      at = end + 1;
    } else {
      literal += template[at];
      at++;
    }
  }
  if (literal !== '') parts.push({ literal });
  return { parts };
}

/** What is wrong with the placeholder between `start` and `end`; nothing when it is right. */
function placeholderMistake(template: string, start: number, end: number): string | undefined {
  const rest = JSON.stringify(template.slice(start, start + 20));
  if (end < 0) return `the brace of ${rest} is never closed; write {{ for a brace that is text`;
  const name = template.slice(start + 1, end);
  if (name.trim() === '') {
    return 'the placeholder {} names no column; write { from: "" } for a column without a name';
  }
  if (name.includes('{')) {
    return `the placeholder at ${rest} holds another brace; write {{ for a brace that is text`;
  }
  return undefined;
}

/** The columns that a template names; none when it is not well-formed. */
export function templateColumns(template: string): readonly string[] {
  const parsed = parseTemplate(template);
  if ('mistake' in parsed) return [];
  return parsed.parts.flatMap((part) => ('column' in part ? [part.column] : []));
}
