/** Recognises the layouts for which a mapping comes with docferry: nobody need guess those. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseMapping } from '../mapping/load-mapping.js';
import { openSources } from '../source/open-sources.js';
import type { SourceOptions } from '../source/source.js';
import { columnsOf } from './columns.js';
import { type Sample, takeRecords } from './sample.js';

/** A mapping that comes with docferry. */
export interface ReadyMapping {
  /** Such as `mappings/googleplay.yaml`. */
  readonly name: string;
  readonly text: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Enough to see which columns there are. */
const LOOK = { records: 50, bytes: 64 * 1024 };

/** The mapping whose sample has exactly the columns of this one; nothing if none has. */
export async function readyMapping(sample: Sample): Promise<ReadyMapping | undefined> {
  const wanted = columnKey(sample);
  for (const { mapping, file } of shippedSamples()) {
    const text = await readFile(path.join(ROOT, mapping), 'utf8');
    const shipped = await look(path.join(ROOT, file), parseMapping(text, mapping).input);
    if (columnKey(shipped) === wanted) return { name: mapping, text };
  }
  return undefined;
}

async function look(file: string, options: SourceOptions): Promise<Sample> {
  const [source] = await openSources(file, options);
  if (source === undefined) throw new Error(`${file} was opened as no source. This is a bug.`);
  return await takeRecords(source, LOOK);
}

/** A table's header in its order; of objects the keys at the top, as deeper ones may be absent. */
function columnKey(sample: Sample): string {
  const { layout } = sample;
  if (layout.format === 'csv') return JSON.stringify(layout.columns);
  const keys = columnsOf(sample, true).map(({ name }) => name.replace(/[.[].*$/u, ''));
  return JSON.stringify([...new Set(keys)].toSorted());
}

/** Each mapping with the made-up file of its layout. */
function shippedSamples(): readonly { readonly mapping: string; readonly file: string }[] {
  const folder = path.join(ROOT, 'samples');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const mapping = `mappings/${name.replace(/\.[a-z]+$/u, '')}.yaml`;
    const isSample = /\.(?:csv|tsv|jsonl|json)$/u.test(name) && !name.endsWith('.expected.json');
    return isSample && existsSync(path.join(ROOT, mapping))
      ? [{ mapping, file: `samples/${name}` }]
      : [];
  });
}
