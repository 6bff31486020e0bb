/** A mapping that needs little of a record. */
export const MAPPING = {
  name: 'Reviews',
  profile: 'minimal',
  document: {
    sourceId: '{id}',
    text: '{text}',
    language: { value: 'en' },
    published: { from: 'at', date: 'iso' },
  },
} as const;

/** A record for it. The number in the id is that of the record, from 1. */
export function review(record: number): { id: string; text: string; at: string } {
  const minute = String(record % 60).padStart(2, '0');
  return { id: `r-${record}`, text: `Review ${record}`, at: `2024-05-31T10:${minute}:00Z` };
}
