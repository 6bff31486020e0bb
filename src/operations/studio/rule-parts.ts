/** Takes a rule apart and changes it, for the page and for proposals. */
import type { Replacements, Rule, RuleObject } from '../../mapping/mapping.js';
import { columnRule, mainColumns } from '../../mapping/rules.js';
import { escapeRegExp } from '../../model/text.js';

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

const BEFORE_REPLACE = ['repair', 'strip', 'match'] as const;
const BEFORE_VALUES = [...BEFORE_REPLACE, 'replace', 'case', 'split'] as const;

/** Whether {@link readAs} meets values as they are in the file: a step before may change them. */
export function findsWholeValues(rule: Rule | undefined): boolean {
  const own = objectOf(rule);
  const before = own.values === undefined ? BEFORE_REPLACE : BEFORE_VALUES;
  const isChanged = own.trim === false || before.some((step) => own[step] !== undefined);
  return kindOf(rule) === 'column' && !isChanged;
}

/** The rule that reads a value as if the file said something else; where it lists values, as its result. */
export function readAs(rule: Rule | undefined, value: string, text: string): Rule {
  const { values, replace = {} } = objectOf(rule);
  if (values !== undefined) return withStep(rule, 'values', { ...values, [value]: text });
  const whole = `^${escapeRegExp(value)}$`;
  const own = { [whole]: text.replaceAll('$', '$$$$') };
  if (Array.isArray(replace)) return withStep(rule, 'replace', [own, ...replace]);
  const { [whole]: _, ...others } = replace as Replacements;
  return withStep(rule, 'replace', { ...own, ...others });
}

/** The rule that leaves the field empty where it can't be read; `undefined` if it has a fallback. */
export function emptyIfUnread(rule: Rule | undefined): Rule | undefined {
  const own = objectOf(rule);
  if (kindOf(rule) === 'constant' || own.else !== undefined) return undefined;
  return { ...own, else: '', onError: 'else' };
}

/** Another rule with this one's fallback. */
export function withFallbackOf(other: Rule, rule: Rule | undefined): Rule {
  const { else: fallback, onError } = objectOf(rule);
  if (fallback === undefined) return other;
  return { ...objectOf(other), else: fallback, ...(onError && { onError }) };
}

/**
 * The rule with its columns in another order, or with fewer, each read as before; `undefined` if it
 * has to be made anew.
 */
export function withColumns(rule: Rule | undefined, columns: readonly string[]): Rule | undefined {
  if (typeof rule !== 'object') return undefined;
  const key = rule.join ? 'join' : 'hash';
  const listed = rule[key];
  if (listed === undefined || columns.length < 2) return undefined;
  const chosen = columns.map((column) => listed.find((one) => mainColumns(one)[0] === column));
  return chosen.includes(undefined) ? undefined : { ...rule, [key]: chosen as readonly Rule[] };
}
