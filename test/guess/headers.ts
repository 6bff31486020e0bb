import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Role } from '../../src/guess/propose/roles.js';

/** One layout. */
interface Header {
  readonly name: string;
  /** `name:kind`, the kinds being those of the values in headers.test.ts. */
  readonly columns: readonly string[];
  /** The column of each role. */
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  /** Roles that no column may have. */
  readonly none?: readonly Role[];
}

/** Headers as booking sites, shops, app stores, scrapers and surveys write them. */
export const HEADERS: readonly Header[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'headers.json'), 'utf8'),
);
