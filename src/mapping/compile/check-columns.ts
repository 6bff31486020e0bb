/** Whether a source has the columns that a mapping names. */
import { MappingError } from '../../model/errors.js';
import { columnMistakes } from '../check/run-mistakes.js';
import { inText, placeOf } from '../load/written-places.js';
import type { Mapping } from '../mapping.js';

/** @throws MappingError that names every column that is missing or stands twice. */
export function checkColumns(mapping: Mapping, columns: readonly string[] | null): void {
  if (columns === null) return;
  const mistakes = columnMistakes(mapping, columns);
  if (mistakes.length === 0) return;
  const lines = mistakes.map(
    ({ message, places }) => `${placeOf(mapping, places[0]?.rule ?? [])}: ${message}`,
  );
  const known = columns.map((column) => JSON.stringify(column)).join(', ');
  const named = mistakes.flatMap(({ message, places }) =>
    places.map(({ path }) => ({ path, message })),
  );
  throw new MappingError(
    [...lines, `The source has the columns ${known}.`].join('\n'),
    inText(mapping, named),
  );
}
