/** Asks which answers of a survey are the review: one question about all of them. */
import { count } from '../../model/figures.js';
import { type ColumnProfile, shortened } from '../profile-column.js';
import { type ChecklistEntry, type FieldChoice, quoted, type RuleContext } from './draft.js';

/**
 * Asks about all columns that may be the review.
 * @param chosen those that the draft joins
 */
export function checklistChoice(
  { profiles }: RuleContext,
  chosen: readonly ColumnProfile[],
  others: readonly ColumnProfile[],
): FieldChoice {
  const listed = profiles.filter((one) => chosen.includes(one) || others.includes(one));
  const entries = listed.map((profile) => entryOf(profile, chosen.includes(profile)));
  return {
    ask: `which answers are the review? ${chosen.length} of ${listed.length} are proposed`,
    when: 'To change that',
    change: { words: checklistText(entries), checklist: entries },
  };
}

function entryOf({ name, words, filled }: ColumnProfile, isChosen: boolean): ChecklistEntry {
  const [sample = ''] = filled.toSorted((a, b) => b.length - a.length).slice(filled.length / 2);
  return { column: name, isChosen, words: Math.round(words), sample: shortened(sample) };
}

/** Words the edit, with a line for each column below it. */
function checklistText(entries: readonly ChecklistEntry[]): string {
  const edit =
    'add or delete a column under text, language and skip (docferry studio changes all three)';
  const lines = entries.map(
    ({ column, isChosen, words, sample }) =>
      `${isChosen ? '[x]' : '[ ]'} ${quoted(column)}, ${count(words, 'word')}: ${quoted(sample)}`,
  );
  return [`${edit}:`, ...lines].join('\n');
}
