/** Step `strip: html`: extracts the visible text. */
import { createRequire } from 'node:module';
import { blankToUndefined, type Step } from './value.js';

const nodeRequire = createRequire(import.meta.url);

/** Removes tags, comments, scripts and styles, keeps line breaks, decodes entities. */
export function compileStripHtml(trimmed: boolean): Step {
  return (value) => {
    const text = String(value);
    if (!text.includes('<') && !text.includes('&')) return text;
    return blankToUndefined(stripHtml(text), trimmed);
  };
}

/**
 * Removes only markup: known elements, comments and the doctype. `a < b`, `<3` and
 * `<john@example.com>` are text. Entities need their semicolon, so that `?a=1&copy=2` survives.
 */
export function stripHtml(text: string): string {
  const limits = markupLimits(text);
  const lines = new Lines();
  let at = 0;
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', at)) {
    lines.add(text.slice(at, open));
    const markup = markupAt(text, open, limits);
    if (markup === undefined) lines.add('<');
    else if (markup.replacement === '\n') lines.break();
    else lines.add(markup.replacement);
    at = markup?.end ?? open + 1;
  }
  lines.add(text.slice(at));
  // Loaded lazily: few mappings strip HTML, and the tables of entities take 5 ms to load.
  const { decodeHTMLStrict } = nodeRequire('entities/decode') as typeof import('entities/decode');
  return decodeHTMLStrict(lines.text);
}

/** Builds text with the markup's line breaks: no spaces around them, at most one empty line. */
class Lines {
  text = '';
  private breaks = 0;

  add(piece: string): void {
    // A newline in the source right after <br> is the same break.
    const rest = this.breaks > 0 ? piece.replace(/^[ \t]*(?:\r?\n)?[ \t]*/u, '') : piece;
    if (rest === '') return;
    if (this.breaks > 0) this.text += '\n'.repeat(Math.min(2, this.breaks));
    this.text += rest;
    this.breaks = 0;
  }

  break(): void {
    this.breaks++;
  }
}

interface Markup {
  readonly end: number;
  readonly replacement: '' | ' ' | '\n';
}

const DROPPED_WITH_CONTENT = new Set(['script', 'style']);

const BREAKING = new Set(
  (
    'br hr p div li ul ol dl dt dd tr table thead tbody tfoot caption h1 h2 h3 h4 h5 h6 blockquote ' +
    'pre section article header footer aside nav main form fieldset figure figcaption address'
  ).split(' '),
);

const INLINE = new Set(
  (
    'a abbr acronym audio b bdi bdo big body button canvas center cite code col colgroup data ' +
    'datalist del details dfn dialog em embed font head html i iframe img input ins kbd label ' +
    'legend link map mark meta meter noscript object optgroup option output param picture ' +
    'progress q rp rt ruby s samp script select small source span strike strong style sub summary ' +
    'sup svg path g td template textarea th time title track tt u var video wbr'
  ).split(' '),
);

function markupAt(text: string, open: number, limits: MarkupLimits): Markup | undefined {
  if (text.startsWith('<!--', open)) {
    if (open > limits.lastCommentEnd - 4) return undefined;
    return { end: text.indexOf('-->', open + 4) + 3, replacement: '' };
  }
  const name = /^<(?:\/?([a-z][\w:-]*)|!doctype)(?=[\s/>])/iu.exec(text.slice(open, open + 64));
  if (name === null) return undefined;
  const element = name[1]?.toLowerCase() ?? '';
  if (!isElement(element)) return undefined;
  const end = tagEnd(text, open + name[0].length, limits);
  if (end === undefined) return undefined;
  if (DROPPED_WITH_CONTENT.has(element) && text[open + 1] !== '/') {
    return { end: contentEnd(text, end, element, limits), replacement: '' };
  }
  if (BREAKING.has(element)) return { end, replacement: '\n' };
  const isCell = /^<t[dh]$/iu.test(name[0]);
  return { end, replacement: isCell ? ' ' : '' };
}

/**
 * Returns whether it is a doctype, an HTML element, or an element of office programs and frameworks
 * (`o:p`, `my-tag`).
 */
function isElement(name: string): boolean {
  return name === '' || BREAKING.has(name) || INLINE.has(name) || /[:-]/u.test(name);
}

/** Offsets of the last closing marks; searching no further keeps the time linear. */
interface MarkupLimits {
  readonly lastCommentEnd: number;
  readonly '"': number;
  readonly "'": number;
  /** Elements without a closing tag in the rest of the text. */
  readonly unclosed: Set<string>;
}

function markupLimits(text: string): MarkupLimits {
  return {
    lastCommentEnd: text.lastIndexOf('-->'),
    '"': text.lastIndexOf('"'),
    "'": text.lastIndexOf("'"),
    unclosed: new Set(),
  };
}

/** Offset after the `>` that closes the tag; `undefined` if another tag opens first. */
function tagEnd(text: string, from: number, limits: MarkupLimits): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '>') return at + 1;
    if (character === '<') return undefined;
    const quotes = (character === '"' || character === "'") && text[at - 1] === '=';
    // An unclosed quote is plain text.
    if (quotes && at < limits[character]) at = text.indexOf(character, at + 1);
  }
  return undefined;
}

/** Offset after the closing tag; right after the opening one if it is never closed. */
function contentEnd(text: string, from: number, element: string, limits: MarkupLimits): number {
  if (limits.unclosed.has(element)) return from;
  const close = new RegExp(`</${element}\\s*>`, 'giu');
  close.lastIndex = from;
  if (close.exec(text) !== null) return close.lastIndex;
  limits.unclosed.add(element);
  return from;
}
