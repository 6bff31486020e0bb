/** YAML on one line. */
import type { Rule } from '../mapping.js';

/** A value on one line. */
export function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => `${scalar(key)}: ${flow(inner)}`);
    return `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value);
}

/** Words that YAML takes for something else than text. */
const OTHER = /^(?:true|false|null|yes|no|on|off|nan|inf)$/iu;

/** A text, in quotes where YAML would read it as something else. */
export function scalar(text: string): string {
  const plain = /^\p{L}[\p{L}\p{N}_ -]*$/u.test(text) && !/\s$/u.test(text) && !OTHER.test(text);
  return plain
    ? text
    : JSON.stringify(text).replace(/[\u0080-\u009f\u2028\u2029\ufeff]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Longer rules are cut. */
const MAX_LETTERS = 160;

/** A rule for messages and previews: on one line, and cut where it is long. */
export function ruleText(rule: Rule): string {
  const text = flow(rule);
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}
