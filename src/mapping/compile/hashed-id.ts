/** Whether a record's sourceId is the file's own, or a hash that the mapping made of columns. */
import type { RecordValue } from '../../model/record.js';
import type { Rule } from '../mapping.js';
import { Failure } from '../steps/value.js';
import { compileRule, type RuleScope } from './compile-rule.js';

/** Says of a record whether a rule gives it a hash. */
export type IsHashed = (record: RecordValue) => boolean;

const ALWAYS: IsHashed = () => true;

/** `undefined`: the rule never gives a hash. */
export function compileIsHashed(rule: Rule | undefined, scope: RuleScope): IsHashed | undefined {
  if (typeof rule !== 'object') return undefined;
  const { else: otherwise, ...main } = rule;
  const hashes = main.hash !== undefined || (main.join ?? []).some(givesHash);
  const elseHashes = compileIsHashed(otherwise, scope);
  if (otherwise === undefined || (elseHashes === ALWAYS && hashes))
    return hashes ? ALWAYS : undefined;
  if (!hashes && elseHashes === undefined) return undefined;
  const run = compileRule(main, scope);
  return (record) => {
    const value = run(record);
    const usesElse = value === undefined || value instanceof Failure;
    return usesElse ? (elseHashes?.(record) ?? false) : hashes;
  };
}

/** Whether a rule can give a hash, whatever else it may give. */
export function givesHash(rule: Rule | undefined): boolean {
  if (typeof rule !== 'object') return false;
  return rule.hash !== undefined || [...(rule.join ?? []), rule.else].some(givesHash);
}
