/** Names of the document's fields for people, in the groups of the map screen. */
import type { MappingChange } from '../../../index.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import DATA from './field-groups.json' with { type: 'json' };

export interface FieldGroup {
  readonly title: string;
  /** Labels by dotted name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Beginning of the names that people choose themselves, and the word for one. */
  readonly own?: readonly [above: string, word: string];
}

/** The last group takes all fields that no other has. */
export const FIELD_GROUPS = DATA as unknown as readonly FieldGroup[];

/** Group that a field is listed in. */
export function fieldGroup(name: string): FieldGroup | undefined {
  const isIn = ({ fields, own }: FieldGroup): boolean =>
    Object.hasOwn(fields, name) || (own !== undefined && name.startsWith(own[0]));
  return FIELD_GROUPS.find(isIn) ?? FIELD_GROUPS.at(-1);
}

/** Name of a field for people: `Author name`. */
export function labelOf(name: string): string {
  const { fields = {} } = fieldGroup(name) ?? {};
  const tag = /^tags\.(\d+)$/u.exec(name);
  if (tag !== null) return `Tag ${Number(tag[1]) + 1}`;
  return fields[name] ?? name.replace(/^(?:metrics|author\.annotations)\./u, '');
}

/** Path of a field below `document`, for a name out of {@link FIELD_GROUPS}. */
export function fieldPath(name: string): MappingChange['path'] {
  return name.split('.').map((step) => (/^\d+$/u.test(step) ? Number(step) : step));
}
