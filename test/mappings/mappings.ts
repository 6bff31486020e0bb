import { readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Where the mappings and the samples lie. */
export const MAPPINGS = path.join(ROOT, 'mappings');
export const SAMPLES = path.join(ROOT, 'samples');

/** The names of the mappings, without their ending. */
export function mappingNames(): readonly string[] {
  return readdirSync(MAPPINGS)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length));
}

/** The path of a mapping. */
export function mappingPath(name: string): string {
  return path.join(MAPPINGS, `${name}.yaml`);
}
