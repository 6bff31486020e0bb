/** What the latest edits did beyond what was asked for, or why they weren't made. */
import type { MappingChange } from '../../index.js';
import { labelOf } from './map/field-names.js';
import { Notices } from './parts.js';
import type { EditOutcome } from './session/history.js';
import { useSession } from './session/use-session.js';

export function EditNotes() {
  const { editOutcomes } = useSession();
  return <Notices of={[...new Set(editOutcomes.flatMap(notesOf))]} />;
}

function notesOf(outcome: EditOutcome): readonly string[] {
  if ('failure' in outcome) {
    return [`An edit was not made. ${outcome.failure} To try again, press Redo.`];
  }
  const { also, refusal, dropped } = outcome;
  return [
    ...(refusal === null ? [] : [`${refusal} Nothing was changed.`]),
    ...(also.length === 0 ? [] : [`Also changed: ${[...new Set(also.map(partOf))].join(', ')}.`]),
    ...dropped.map((ask) => `No longer asked, because the mapping has changed: ${ask}`),
  ];
}

/** Names the part of the mapping that changed with a field. */
function partOf({ path: [top, field] }: MappingChange): string {
  return top === 'document' ? labelOf(String(field)) : 'Records left out';
}
