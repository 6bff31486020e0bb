/** Which lists of objects a JSON document holds, when none is stated. */

import { decodePieces } from '../decode.js';
import { detectEncoding } from '../detect/detect-encoding.js';
import { openInputs } from '../inputs.js';
import { gunzip } from '../packed/gunzip.js';
import { gather, takeSample } from '../sample.js';
import type { Input } from '../source.js';
import { walkJson } from './json-outline.js';
import { showPath } from './json-path.js';

/** As much as may precede a list that is read. */
const LOOKED_AT = 8 * 1024 * 1024;

/**
 * Paths of the lists of objects in the first input, for the option `records`; those at the least
 * depth first, the list at the top left out.
 * @throws SourceError if the input can't be read
 */
export async function findLists(input: Input): Promise<readonly string[]> {
  const [opened] = await openInputs(input);
  if (opened === undefined || opened.raw.kind !== 'bytes') return [];
  const { raw } = opened;
  const start = await takeSample(raw.look(), 2);
  const packed = start.bytes[0] === 0x1f && start.bytes[1] === 0x8b;
  const sample = await takeSample(packed ? gunzip(raw.look()) : raw.look(), LOOKED_AT);
  const encoding = raw.decoded ? 'utf-8' : detectEncoding(raw.name, sample).encoding;
  return listsIn(await gather(decodePieces([sample.bytes], encoding)));
}

/** Paths of lists of objects, those at the least depth first. */
export function listsIn(bytes: Buffer): string[] {
  const lists = new Map<string, number>();
  const open = new Set<string>();
  walkJson(bytes, ({ path, kind }) => {
    if (kind === 'list' && path.length > 0) open.add(showPath(path));
    const parent = showPath(path.slice(0, -1));
    const isElement = kind === 'object' && path.at(-1) === 0 && open.has(parent);
    if (isElement && !path.slice(0, -1).some((step) => typeof step === 'number' && step > 0)) {
      lists.set(parent, path.length);
    }
    return false;
  });
  return [...lists].toSorted(([, a], [, b]) => a - b).map(([path]) => path);
}
