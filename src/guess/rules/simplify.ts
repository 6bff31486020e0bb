/** Rules without what they say twice. */
import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleObject } from '../../mapping/mapping.js';

/** The same rule, each column and each fallback named once. */
export function simplify(rule: Rule): Rule {
  if (typeof rule !== 'object') return rule;
  const simple: RuleObject = {
    ...rule,
    ...(Array.isArray(rule.from) ? { from: columnsOnce(rule.from) } : {}),
    ...(rule.join === undefined ? {} : { join: once(rule.join.map(simplify)) }),
    ...(rule.detect === undefined ? {} : { detect: simplify(rule.detect) }),
    ...(rule.else === undefined ? {} : { else: simplify(rule.else) }),
  };
  return withoutEqualElse(simple);
}

function columnsOnce(from: readonly string[]): string | readonly string[] {
  const columns = once(from);
  const [only] = columns;
  return columns.length === 1 && only !== undefined ? only : columns;
}

/** What gave nothing the first time gives nothing the second time. */
function withoutEqualElse(rule: RuleObject): Rule {
  const first = main(rule);
  let otherwise = rule.else;
  while (otherwise !== undefined && isDeepStrictEqual(first, main(otherwise))) {
    otherwise = typeof otherwise === 'object' ? otherwise.else : undefined;
  }
  const { else: _, onError, ...rest } = rule;
  if (otherwise === undefined) return rest;
  return { ...rest, else: otherwise, ...(onError === undefined ? {} : { onError }) };
}

function main(rule: Rule): Rule {
  if (typeof rule !== 'object') return rule;
  const { else: _, onError: __, ...rest } = rule;
  return rest;
}

function once<T>(list: readonly T[]): readonly T[] {
  return list.filter((one, at) => list.findIndex((other) => isDeepStrictEqual(one, other)) === at);
}
