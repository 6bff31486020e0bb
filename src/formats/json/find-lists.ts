/** Which lists of objects an input holds, when none is stated. */
import { decodePieces } from '../../input/encoding/decode.js';
import { gather, takeSample } from '../../input/sample.js';
import type { Input, SourceOptions } from '../../model/source.js';
import { lookIntoFirst } from '../first-file.js';
import { encodingIn } from '../look-at-text.js';
import { listsIn } from './json-lists.js';

/** As much as may precede a list that is read. */
const LOOKED_AT = 8 * 1024 * 1024;

/**
 * Paths of the lists of objects in the first input, for the option `records`; those at the least
 * depth first, the list at the top left out.
 * @throws SourceError if the input can't be read
 */
export async function findLists(
  input: Input,
  options: SourceOptions = {},
): Promise<readonly string[]> {
  const found = await lookIntoFirst(input, options, async ({ raw, decompressed, workbook }) => {
    if (workbook !== undefined) return [];
    const sample = await takeSample(decompressed.look(), LOOKED_AT);
    const { encoding } = encodingIn(raw, sample, options);
    return listsIn(await gather(decodePieces([sample.bytes], encoding)));
  });
  return found ?? [];
}
