import type { Step } from '../value.js';

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
