/** Changes what a mapping derives from a field's columns when others are chosen for the field. */
import { isDeepStrictEqual } from 'node:util';
import type { DerivedRules } from '../../guess/rules/chosen-columns.js';
import type { MappingChange } from '../../mapping/load/edit-mapping.js';
import type { Mapping, Rule, SkipCondition } from '../../mapping/mapping.js';
import { columnRule, ruleColumns } from '../../mapping/rules.js';

/** Columns that a field read before. */
export interface PreviousColumns {
  readonly columns: readonly string[];
  /** Rules that a guess derives from them. */
  readonly derived: DerivedRules;
}

/**
 * Lists the changes that replace what was derived from the previous columns by what is derived from
 * those chosen. A rule or condition is derived from columns if it reads no others, or if a guess
 * derives the same.
 */
export function followingChanges(
  { document, skip }: Mapping,
  { columns, derived: before }: PreviousColumns,
  derived: DerivedRules,
  chosen: readonly string[],
): readonly MappingChange[] {
  const left = columns.filter((column) => !chosen.includes(column));
  const fields = (['language', 'sentiment'] as const).flatMap((field) => {
    const [written, made] = [document[field], derived[field]];
    if (written === undefined || made === undefined) return [];
    const isPrevious = (rule: Rule): boolean =>
      readsOnly(rule, columns) || isDeepStrictEqual(rule, before[field]);
    const value = replaced(written, isPrevious, made);
    // A fallback may detect what a guess knows without: all texts are in one language.
    const isStale = ruleColumns(written).some((column) => left.includes(column));
    const isDue = isStale || !isDeepStrictEqual(made, before[field]);
    const isOther = !isDeepStrictEqual(value, written);
    return isDue && isOther ? [{ path: ['document', field], value }] : [];
  });
  const isPrevious = (condition: SkipCondition): boolean =>
    (condition.blank === true && readsOnly({ from: condition.from }, columns)) ||
    before.skip?.some((made) => isDeepStrictEqual(made, condition)) === true;
  return [
    ...fields,
    ...(isDeepStrictEqual(derived.skip, before.skip)
      ? []
      : skipChanges(skip, derived.skip ?? [], isPrevious)),
  ];
}

function readsOnly(rule: Rule, columns: readonly string[]): boolean {
  const read = ruleColumns(rule);
  return read.length > 0 && read.every((column) => columns.includes(column));
}

/** Lists the change of an id that hashes the previous columns of the text: it hashes those chosen instead. */
export function hashChanges(
  { sourceId }: Mapping['document'],
  previous: readonly string[],
  chosen: readonly string[],
): readonly MappingChange[] {
  const { hash = [] } = typeof sourceId === 'object' ? sourceId : {};
  const left = previous.filter((column) => !chosen.includes(column));
  const isPrevious = (rule: Rule): boolean => readsOnly(rule, left);
  const at = hash.findIndex(isPrevious);
  if (typeof sourceId !== 'object' || at < 0) return [];
  const others = hash.filter((rule) => !isPrevious(rule));
  const hashed = others.flatMap(ruleColumns);
  const added = chosen.filter((name) => !hashed.includes(name)).map((name) => columnRule({ name }));
  const value = { ...sourceId, hash: others.toSpliced(at, 0, ...added) };
  return [{ path: ['document', 'sourceId'], value }];
}

/** Replaces the part of a rule that is derived: all of it, or its fallback. */
function replaced(rule: Rule, isPrevious: (part: Rule) => boolean, made: Rule): Rule {
  if (isPrevious(rule)) return made;
  if (typeof rule !== 'object' || rule.else === undefined) return rule;
  return { ...rule, else: replaced(rule.else, isPrevious, made) };
}

/** Removes the previous conditions, with the comments above them, and appends those made instead. */
function skipChanges(
  skip: readonly SkipCondition[],
  made: readonly SkipCondition[],
  isPrevious: (condition: SkipCondition) => boolean,
): readonly MappingChange[] {
  const stale = skip.flatMap((condition, at) => (isPrevious(condition) ? [at] : []));
  if (stale.length === 0) return [];
  return [
    ...stale.toReversed().map((at) => ({ path: ['skip', at] })),
    ...made.map((value, at) => ({ path: ['skip', skip.length - stale.length + at], value })),
  ];
}
