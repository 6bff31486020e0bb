/** Takes rules apart into what the field's panel shows, and puts them together again. */
import type { Rule, RuleObject } from '../../../mapping/mapping.js';
import { mainColumns, parseTemplate } from '../../../mapping/rules.js';

/** A rule by where its value comes from. */
export interface RuleParts {
  /** `other`: a form that the panel can't take apart. */
  readonly kind: 'none' | 'column' | 'join' | 'hash' | 'constant' | 'other';
  /** Columns in their order, without those of the fallback. */
  readonly columns: readonly string[];
}

export function partsOf(rule: Rule | undefined): RuleParts {
  if (rule === undefined) return { kind: 'none', columns: [] };
  const columns = mainColumns(rule);
  return { kind: kindOf(rule, columns), columns };
}

function kindOf(rule: Rule, columns: readonly string[]): RuleParts['kind'] {
  if (typeof rule !== 'object') {
    if (columns.length === 0) return 'constant';
    return isColumn(rule) ? 'column' : 'other';
  }
  if (typeof rule.from === 'string') return 'column';
  if (rule.value !== undefined) return 'constant';
  const isListed = (rule.join ?? rule.hash)?.every((one) => partsOf(one).kind === 'column');
  if (!isListed) return 'other';
  return rule.join === undefined ? 'hash' : 'join';
}

/** Whether a template is one column and nothing else. */
function isColumn(template: Rule): boolean {
  const parsed = parseTemplate(String(template));
  return 'parts' in parsed && parsed.parts.length === 1;
}

/** The rule as an object, so that it can have steps. */
export function objectOf(rule: Rule | undefined): RuleObject {
  if (typeof rule === 'object') return rule;
  if (typeof rule !== 'string') return { value: rule ?? '' };
  const { kind, columns } = partsOf(rule);
  return kind === 'column' ? { from: columns[0] as string } : { text: rule };
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
  if (partsOf(rule).kind !== 'constant') return undefined;
  return String(typeof rule === 'object' ? rule.value : rule);
}

/** Another rule with this one's fallback. */
export function withFallbackOf(other: Rule, rule: Rule | undefined): Rule {
  const { else: fallback, onError } = objectOf(rule);
  if (fallback === undefined) return other;
  return { ...objectOf(other), else: fallback, ...(onError && { onError }) };
}
