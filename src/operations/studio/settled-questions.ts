/** Finds the open questions that an edit has answered by other means than their own buttons. */
import { isDeepStrictEqual } from 'node:util';
import { mappingRules } from '../../mapping/rules.js';
import { type KeyPath, valueAt } from '../../model/json-path.js';
import type { Question } from './open-questions.js';
import { draftRecords, type GuessDraft, ruleAt } from './propose-rule.js';
import type { ReadMappingText } from './sample-source.js';
import { tryRecords } from './try-rule.js';

/** A mapping before an edit, and after it. */
type Edited = Readonly<Record<'before' | 'after', ReadMappingText>>;

/**
 * Lists the questions about a step of a rule that the edit has set, as choosing the order of day and
 * month, and those about values that can't be read if all of the guess's sample can be now.
 */
export function settledQuestions(
  questions: readonly Question[],
  edited: Edited,
  { sample }: GuessDraft,
): readonly Question[] {
  if (edited.after.error !== undefined) return [];
  return questions.filter(({ answers: [answer] }) => {
    const paths = answer?.changes.map(({ path }) => path) ?? [];
    return areSet(paths, edited) || areReadable(paths, edited, sample);
  });
}

/** Whether an edit has set all of these steps. Whole rules say by their columns what they are about. */
function areSet(paths: readonly KeyPath[], { before, after }: Edited): boolean {
  const rules = mappingRules(before.mapping);
  const isSet = (path: KeyPath): boolean =>
    !rules.some((rule) => isDeepStrictEqual(rule.path, path)) &&
    !isDeepStrictEqual(valueAt(before.written, path), valueAt(after.written, path));
  return paths.length > 0 && paths.every(isSet);
}

/** Whether the edit leaves nothing unreadable of fields that could be left empty where they are. */
function areReadable(
  paths: readonly KeyPath[],
  { before, after }: Edited,
  sample: GuessDraft['sample'],
): boolean {
  const fields = paths.filter((path) => path.at(-1) === 'onError').map((path) => path.slice(0, -1));
  const isSame = (path: KeyPath): boolean =>
    isDeepStrictEqual(ruleAt(before, path), ruleAt(after, path));
  if (fields.length === 0 || [...fields, ['skip']].every(isSame)) return false;
  const records = draftRecords(sample);
  return fields.every((path) => {
    const rule = ruleAt(after, path);
    if (rule === undefined) return true;
    return tryRecords(records, after.mapping, path, rule).every(({ problem }) => problem === null);
  });
}
