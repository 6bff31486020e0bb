/** Ways to read a table whose rows have another number of fields than its header. */
import type { SourceOptions } from '../../formats/options.js';
import { draftMapping } from '../draft-mapping.js';
import type { Sample } from '../sample.js';

/** Options to add to the stated ones so that a file can be read. */
export interface Way {
  readonly way: SourceOptions;
  /** What a person should know of it. */
  readonly todos: readonly string[];
}

/** Reads the start of a file in a way; nothing if it can't be read so. */
export type Try = (way: SourceOptions) => Promise<Sample | undefined>;

/** Minimum share of records that must be readable. */
const READABLE = 0.9;
/** A table has to look so much more like reviews. */
const MARGIN = 0.1;
/** Or so much like them, where more of it can be read: fields that are filled up are blank. */
const KEPT = 0.75;

/**
 * A way in which more of a table can be read than in the one that was found, if there is one: with
 * empty fields for those that rows lack at their end, or with a first column that the header doesn't
 * name.
 */
export async function raggedWay(found: SourceOptions, attempt: Try): Promise<Way | undefined> {
  const known = await attempt(found);
  for (const skipLines of new Set([0, found.skipLines ?? 0])) {
    const way = await wayBehind(skipLines, known, attempt);
    if (way !== undefined) return way;
  }
  return undefined;
}

/** The same for a header behind some lines. */
async function wayBehind(
  skipLines: number,
  known: Sample | undefined,
  attempt: Try,
): Promise<Way | undefined> {
  const start = skipLines === 0 ? {} : { skipLines };
  const headed = await attempt(start);
  if (headed === undefined || headed.unreadable === 0) return undefined;
  const pad = { ...start, ragged: 'pad' } as const;
  const padded = await attempt(pad);
  const todos = padded === undefined ? undefined : lacking(headed, padded);
  if (todos !== undefined && isBetter(padded, known)) return { way: pad, todos };
  const { columns = [] } = headed.layout;
  if (headed.records.length > 0 || columns.length < 2) return undefined;
  const unnamed = { skipLines: skipLines + 1, header: ['', ...columns] };
  return isBetter(await attempt(unnamed), known) ? { way: unnamed, todos: [UNNAMED] } : undefined;
}

/** As R writes row names. */
const UNNAMED =
  'the header names a column fewer than the records have: the first one is taken for the one without a name; check that, and name it in header';

function isBetter(sample: Sample | undefined, known: Sample | undefined): boolean {
  if (sample === undefined || sample.records.length === 0) return false;
  const { records, unreadable } = sample;
  if (records.length < READABLE * (records.length + unreadable)) return false;
  if (known === undefined) return true;
  const [merit, before] = [meritOf(sample), meritOf(known)];
  return merit > before + MARGIN || (unreadable < known.unreadable && merit >= KEPT * before);
}

function meritOf(sample: Sample): number {
  return sample.records.length === 0 ? 0 : draftMapping(sample, {}).merit;
}

/**
 * A question where only some records lack fields, none where all do. Nothing if they are no records:
 * lines behind a table, and halves of a record that a line end cuts in two, are shorter.
 */
function lacking(
  { records: whole, unreadable }: Sample,
  { records, layout }: Sample,
): readonly string[] | undefined {
  if (whole.length === 0) return [];
  const columns = layout.columns?.length ?? 0;
  const least = columns - Math.max(1, Math.floor(columns / 4));
  const lengths = records.map(({ value }) => filledLength(value as readonly unknown[]));
  if (lengths.some((length) => length < least)) return undefined;
  return [
    `${unreadable} of ${whole.length + unreadable} records lack their last fields, which are read as empty (ragged: pad): check that they aren't cut, or leave that out to have them invalid`,
  ];
}

function filledLength(fields: readonly unknown[]): number {
  return fields.findLastIndex((field) => String(field).trim() !== '') + 1;
}
