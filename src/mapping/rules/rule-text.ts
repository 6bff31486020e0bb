import type { Rule, RuleObject } from '../mapping.js';

/** Longer rules are cut. */
const MAX_LETTERS = 160;

/** A rule on one line, about as it is written in a mapping. */
export function ruleText(rule: Rule): string {
  const text = flow(rule);
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}

function flow(value: Rule | RuleObject | readonly unknown[]): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object') return plain(value as string | number | boolean);
  const entries = Object.entries(value).map(([key, one]) => `${plain(key)}: ${flow(one)}`);
  return `{ ${entries.join(', ')} }`;
}

/** Text that can't be taken for anything else needs no quotes. */
function plain(value: string | number | boolean): string {
  const simple = typeof value !== 'string' || /^[\p{L}_][\p{L}\p{N} _/.-]*$/u.test(value);
  return simple ? String(value) : JSON.stringify(value);
}
