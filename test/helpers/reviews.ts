import type { Mapping } from '../../src/index.js';

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

type Fields = NonNullable<Mapping['document']>;

/** A mapping of records with `id` and `text`, and of what else is given. */
export function minimalMapping(more: Partial<Fields> = {}): Mapping {
  const document = { sourceId: '{id}', text: '{text}', ...more };
  return { name: 'Reviews', profile: 'minimal', document };
}

/** The same as YAML; further fields are lines. */
export function minimalYaml(...more: readonly string[]): string {
  const fields = ['sourceId: "{id}"', 'text: "{text}"', ...more].map((line) => `  ${line}\n`);
  return `profile: minimal\ndocument:\n${fields.join('')}`;
}
