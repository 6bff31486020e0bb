import type { AbsentColumns } from '../../coverage/absent-columns.js';
import type { Mapping, Rule } from '../../mapping/mapping.js';
import { columnsText } from '../../mapping/mapping-text.js';
import { mainColumns, mappingRules, nestedRules, type PlacedRule } from '../../mapping/rules.js';
import { pathText } from '../../validation/explain-errors.js';

/** Fields that most reviews have. Others are often empty: answers, tags, locations. */
const EXPECTED_FIELDS = /^(?:published|language|sentiment|metrics\.score)$/u;

/** Fields without which no document is valid. */
const REQUIRED_FIELDS = /^(?:sourceId|text)$/u;

/** Fewest records that have to lack a column; in a few it may be missing by chance. */
export const MIN_UNREAD = 20;

/** An expected field, and the columns that it is read from. */
interface UnreadField extends PlacedRule {
  readonly field: string;
  readonly columns: readonly string[];
}

/**
 * Finds the expected fields that are read only from absent columns.
 * @param isInvalid whether no record is valid, so that required fields may be why
 */
export function unreadFields(
  mapping: Mapping,
  absent: AbsentColumns,
  isInvalid = false,
): readonly UnreadField[] {
  return mappingRules(mapping).flatMap(({ rule, path }) => {
    const field = pathText(path.slice(1));
    const columns = mainColumns(rule);
    const isUnread = columns.length > 0 && columns.every((name) => Object.hasOwn(absent, name));
    const isNeeded = EXPECTED_FIELDS.test(field) || (isInvalid && REQUIRED_FIELDS.test(field));
    return isUnread && isNeeded && !hasFallback(rule) ? [{ rule, path, field, columns }] : [];
  });
}

function hasFallback(rule: Rule): boolean {
  return nestedRules(rule, []).some(
    (one) => typeof one.rule === 'object' && one.rule.else !== undefined,
  );
}

/** Words it: `"rating", so sentiment and metrics.score can't be read`. */
export function unreadText(unread: readonly UnreadField[]): string {
  const columns = [...new Set(unread.flatMap((one) => one.columns))];
  const names = unread.map(({ field }) => field);
  const fields = names.join(names.length > 2 ? ', ' : ' and ');
  return `${columnsText(columns)}, so ${fields} can't be read`;
}
