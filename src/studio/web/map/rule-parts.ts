/** Takes rules apart into what the field's panel shows, and puts them together again. */
import type { Rule, RuleObject } from '../../../mapping/mapping.js';
import { columnRule, mainColumns } from '../../../mapping/rules.js';

/** Where a rule's value comes from; `other`: a form that the panel can't take apart. */
type RuleKind = 'column' | 'join' | 'hash' | 'constant' | 'other';

export function kindOf(rule: Rule | undefined): RuleKind {
  if (rule === undefined) return 'other';
  if (typeof rule !== 'object') {
    const [name] = mainColumns(rule);
    if (name === undefined) return 'constant';
    return rule === columnRule({ name }) ? 'column' : 'other';
  }
  if (typeof rule.from === 'string') return 'column';
  if (rule.value !== undefined) return 'constant';
  // A survey's answer has its question above it, so that it isn't a column alone.
  const isListed = (rule.join ?? rule.hash)?.every(
    (one) => kindOf(one) === 'column' || mainColumns(one).length === 1,
  );
  if (!isListed) return 'other';
  return rule.join === undefined ? 'hash' : 'join';
}

/** The rule as an object, so that it can have steps. */
export function objectOf(rule: Rule | undefined): RuleObject {
  if (typeof rule === 'object') return rule;
  if (typeof rule !== 'string') return { value: rule ?? '' };
  const [from = ''] = mainColumns(rule);
  return kindOf(rule) === 'column' ? { from } : { text: rule };
}

/** The rule with a step changed, or removed if the value is `undefined`. */
export function withStep<K extends keyof RuleObject>(
  rule: Rule | undefined,
  step: K,
  value: RuleObject[K] | undefined,
): Rule {
  const { [step]: _, ...rest } = objectOf(rule);
  return value === undefined ? rest : { ...rest, [step]: value };
}

/** A rule that gives the same value for each record. */
export function constant(value: string, isFigure: boolean): Rule {
  if (isFigure && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  return /[{}]/u.test(value) ? { value } : value;
}

/** Text of a constant rule; `undefined` for any other. */
export function constantText(rule: Rule | undefined): string | undefined {
  if (kindOf(rule) !== 'constant') return undefined;
  return String(typeof rule === 'object' ? rule.value : rule);
}

/** Another rule with this one's fallback. */
export function withFallbackOf(other: Rule, rule: Rule | undefined): Rule {
  const { else: fallback, onError } = objectOf(rule);
  if (fallback === undefined) return other;
  return { ...objectOf(other), else: fallback, ...(onError && { onError }) };
}
