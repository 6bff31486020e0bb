import { keysOf } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import ESSENTIAL_ROLES from './essential.json' with { type: 'json' };
// biome-ignore lint/correctness/useImportExtensions: it is data
import ROLES from './roles.json' with { type: 'json' };

const NAMES = keysOf(ROLES);

/** Purpose of a column. */
export type Role = (typeof NAMES)[number];

/** Roles of what a review must have, or be asked about. A document is valid without the others. */
const ESSENTIAL: ReadonlySet<string | undefined> = new Set(ESSENTIAL_ROLES);

export function isOptional(role: Role | undefined): boolean {
  return !ESSENTIAL.has(role);
}

/** Maximum number of columns of each role. */
export const MAX_PER_ROLE: Readonly<Record<Role, number>> = ROLES;
