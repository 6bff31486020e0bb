import { keysOf } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import ROLES from './roles.json' with { type: 'json' };

const NAMES = keysOf(ROLES);

/** Purpose of a column. */
export type Role = (typeof NAMES)[number];

/** Maximum number of columns of each role. */
export const MAX_PER_ROLE: Readonly<Record<Role, number>> = ROLES;
