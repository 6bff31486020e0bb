/** Recognises the layouts for which a mapping comes with docferry: nobody need guess those. */
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

/** A mapping that comes with docferry, and that a guess takes. */
export interface TakenMapping {
  /** Such as `mappings/googleplay.yaml`. */
  readonly name: string;
  readonly text: string;
}

/** The mapping for the layout of an input; nothing if there is none, or none that reads this input. */
export async function takeReadyMapping(
  draft: Draft,
  input: Input,
): Promise<TakenMapping | undefined> {
  const found = layoutOf(draft.sample);
  if (found === undefined) return undefined;
  const name = `mappings/${found.name}.yaml`;
  const text = await readReadyMapping(found.name);
  const stated = parseMapping(text, name).input;
  return (await isReadBy(stated, draft, input)) ? { name, text } : undefined;
}

function layoutOf(sample: Sample): ReadyMapping | undefined {
  const columns = sample.layout.columns;
  if (columns !== undefined) return findReadyMapping(columns);
  const paths = columnsOf(sample, true).map(({ name }) => name);
  return findReadyMapping(paths, 'objects');
}

/**
 * Whether an input is written as a mapping states, and has its list where that says: pages that were
 * put together hold it elsewhere. A program's objects are not written at all.
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
