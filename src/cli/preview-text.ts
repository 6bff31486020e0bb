import type { PreviewedRecord } from '../preview-documents.js';
import { printable } from '../report/printable.js';

/** A record and its document, one below the other, for people. */
export function previewText({
  place,
  record,
  skipped,
  document,
  problems,
}: PreviewedRecord): string {
  const line = place.line === null ? '' : `, line ${place.line}`;
  return [
    `── ${place.source}, record ${place.record}${line}`,
    ...(record === null ? [] : ['record', ...fields(record)]),
    ...(skipped ? ['skipped, as the mapping says'] : []),
    ...(document === null ? [] : ['document', ...fields(document)]),
    ...problems.map(({ field, message }) => `  ✗ ${field === null ? '' : `${field}: `}${message}`),
    '',
  ].join('\n');
}

/** One field a line. JSON escapes control characters, so that no text can steer the terminal. */
function fields(value: object): string[] {
  const width = Math.min(24, Math.max(0, ...Object.keys(value).map((key) => key.length)));
  return Object.entries(value).map(
    ([key, field]) =>
      `  ${printable(key).padEnd(width)}  ${printable(JSON.stringify(field) ?? '')}`,
  );
}
