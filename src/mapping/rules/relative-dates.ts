/** Finds the rules that read relative dates and don't say what they count back from. */
import type { Mapping, Rule, RuleObject } from '../mapping.js';
import { mappingRules, type PlacedRule } from './walk-rules.js';

/** In a rule: relative dates are read only if the mapping or the run states what they count from. */
export const IF_STATED = 'if-stated';

/** The rules whose relative dates need the mapping's `asOf`. */
export function relativeDates(mapping: Mapping): readonly PlacedRule[] {
  return mappingRules(mapping).filter(({ rule }) =>
    readsRelative(rule, (asOf) => asOf === undefined),
  );
}

/** The fields that are left out because nobody states the `asOf` that they would count from. */
export function undatedFields(mapping: Mapping, override: string | undefined): readonly string[] {
  if (override !== undefined || mapping.asOf !== undefined) return [];
  return mappingRules(mapping)
    .filter(({ rule }) => readsRelative(rule, (asOf) => asOf === IF_STATED))
    .map(({ place }) => place);
}

/** Whether a rule counts some dates back from the moment of the export. */
export function datesAreRelative(rule: Rule | undefined): boolean {
  return readsRelative(rule, () => true);
}

/** @param counts whether dates count back, in a rule that states this `asOf` */
function readsRelative(
  rule: Rule | undefined,
  counts: (asOf: RuleObject['asOf']) => boolean,
): boolean {
  if (typeof rule !== 'object') return false;
  if (counts(rule.asOf) && [rule.date].flat().includes('relative')) return true;
  const { join = [], hash = [] } = rule;
  const inner = [...join, ...hash, rule.detect, rule.unlessStartOf, rule.else];
  return inner.some((part) => readsRelative(part, counts));
}
