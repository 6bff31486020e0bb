/** Finds the rules that read relative dates and don't say what they count back from. */
import type { Mapping, Rule } from './mapping.js';
import { mappingRules } from './walk-rules.js';

/** The places whose relative dates need the mapping's `asOf`. */
export function relativeDates(mapping: Mapping): readonly string[] {
  return mappingRules(mapping)
    .filter(({ rule }) => needsAsOf(rule))
    .map(({ place }) => place);
}

function needsAsOf(rule: Rule): boolean {
  if (typeof rule !== 'object') return false;
  if (rule.asOf === undefined && [rule.date].flat().includes('relative')) return true;
  const inner = [...(rule.join ?? []), ...(rule.hash ?? []), rule.detect, rule.else];
  return inner.some((part) => part !== undefined && needsAsOf(part));
}
