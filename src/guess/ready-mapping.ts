/** Recognises layouts that a mapping shipped with docferry covers. */
import { findLists } from '../formats/look-into.js';
import { type InputOptions, statedFormat } from '../formats/options.js';
import { parseMapping } from '../mapping/load/load-mapping.js';
import {
  findReadyMapping,
  type ReadyMapping,
  readReadyMapping,
} from '../mapping/ready-mappings.js';
import type { Input } from '../model/source.js';
import { columnsOf } from './columns.js';
import type { Draft } from './draft-mapping.js';
import type { Sample } from './sample.js';

/** A shipped mapping that replaces the guess. */
export interface TakenMapping {
  /** For example `mappings/googleplay.yaml`. */
  readonly name: string;
  readonly text: string;
}

/** Finds the shipped mapping for an input's layout; `undefined` if there is none that can read the input. */
export async function takeReadyMapping(
  draft: Draft,
  input: Input,
): Promise<TakenMapping | undefined> {
  const found = matchingMapping(draft.sample);
  if (found === undefined) return undefined;
  const name = `mappings/${found.name}.yaml`;
  const text = await readReadyMapping(found.name);
  const stated = parseMapping(text, name).input;
  return (await isReadBy(stated, draft, input)) ? { name, text } : undefined;
}

function matchingMapping(sample: Sample): ReadyMapping | undefined {
  const columns = sample.layout.columns;
  if (columns !== undefined) return findReadyMapping(columns);
  const paths = columnsOf(sample, true).map(({ name }) => name);
  return findReadyMapping(paths, 'objects');
}

/**
 * Returns whether a mapping's input options fit the input: format, delimiter, skipped lines, and
 * the path of the list of records. A program's objects fit any.
 */
async function isReadBy(stated: InputOptions, draft: Draft, input: Input): Promise<boolean> {
  const { format } = statedFormat(draft.sample.layout);
  if (format === undefined) return true;
  if (stated.format !== format) return false;
  const { delimiter, skipLines = 0 } = draft.input;
  if ((stated.delimiter ?? delimiter) !== delimiter) return false;
  if ((stated.skipLines ?? 0) !== skipLines) return false;
  return stated.records === undefined || (await findLists(input)).includes(stated.records);
}
