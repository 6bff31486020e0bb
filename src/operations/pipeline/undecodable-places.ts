import { placeOf } from '../../formats/records.js';
import { EncodingEvidence, type EncodingFindings } from '../../input/encoding/detect-encoding.js';
import type { Mapping } from '../../mapping/mapping.js';
import { mappingColumns } from '../../mapping/rules/walk-rules.js';
import { mayBeIn } from '../../mapping/undecodable-names.js';
import type { PlacedChunk } from '../../model/chunk.js';
import type { UndecodableColumn } from '../../model/documents.js';
import { count, thousands } from '../../model/figures.js';

/** Columns of an input that are told each by itself; keys of objects can be many. */
const MAX_COLUMNS = 20;

/** Where in a column bytes could not be decoded. */
interface ColumnPlaces {
  records: number;
  /** Such as `0xE9 at byte 1234, record 17, line 18`. */
  readonly first: string;
}

/** What {@link UndecodablePlaces} knows, as plain JSON: each by the source's name. */
export interface UndecodableSnapshot {
  readonly sources: readonly (readonly [string, readonly ColumnEntry[]])[];
  readonly encodings: readonly (readonly [string, EncodingFindings])[];
}

type ColumnEntry = readonly [column: string | null, Readonly<ColumnPlaces>];

/** Counts records with bytes that could not be decoded, by input and column. */
export class UndecodablePlaces {
  readonly #sources = new Map<string, Map<string | null, ColumnPlaces>>();
  readonly #encodings = new Map<string, EncodingEvidence>();

  /** Chunks of an input come in their order. */
  add(chunk: PlacedChunk, columns: readonly UndecodableColumn[]): void {
    this.#encodingOf(chunk.source).add(chunk);
    for (const { column, records, first } of columns) {
      this.#addColumn(chunk.source, column, records, () => {
        const { record, line } = placeOf(chunk, first.index);
        return `${first.bytes}, record ${record}${line === null ? '' : `, line ${line}`}`;
      });
    }
  }

  snapshot(): UndecodableSnapshot {
    const sources = [...this.#sources].map(([source, columns]) => {
      const copies = [...columns].map(([column, places]) => [column, { ...places }] as const);
      return [source, copies] as const;
    });
    const encodings = [...this.#encodings].map(
      ([source, evidence]) => [source, evidence.snapshot()] as const,
    );
    return { sources, encodings };
  }

  /**
   * Adds what was counted elsewhere; the parts of a run come in reading order. Columns that a part
   * found beyond those that are told are missing from its counts.
   */
  merge({ sources, encodings }: UndecodableSnapshot): void {
    for (const [source, columns] of sources) {
      for (const [column, { records, first }] of columns) {
        this.#addColumn(source, column, records, () => first);
      }
    }
    for (const [source, findings] of encodings) this.#encodingOf(source).merge(findings);
  }

  /** One sentence or two for each column, and the remedy once. */
  notices(mapping: Mapping): readonly string[] {
    const used = mappingColumns(mapping);
    return [...this.#sources].flatMap(([source, columns]) => [
      ...[...columns].map(([column, places]) => noticeOf(source, column, places, used)),
      ...(this.#hasCost(columns, used) ? [this.#remedy(source)] : []),
    ]);
  }

  #addColumn(name: string, column: string | null, records: number, first: () => string): void {
    const source = this.#sources.get(name) ?? new Map<string | null, ColumnPlaces>();
    this.#sources.set(name, source);
    const known = source.get(column);
    if (known !== undefined) known.records += records;
    else if (source.size < MAX_COLUMNS) source.set(column, { records, first: first() });
  }

  #encodingOf(source: string): EncodingEvidence {
    const evidence = this.#encodings.get(source) ?? new EncodingEvidence();
    this.#encodings.set(source, evidence);
    return evidence;
  }

  #hasCost(columns: ReadonlyMap<string | null, unknown>, used: readonly string[]): boolean {
    return [...columns.keys()].some((column) => column === null || isUsed(column, used));
  }

  #remedy(source: string): string {
    const { isWindows1252, stray, characters } = this.#encodingOf(source);
    if (!isWindows1252) {
      return `${source}: fix the bytes, or state the file's encoding (--encoding) if it is another one.`;
    }
    const [would, are] = [stray, characters].map(thousands);
    return `${source} looks like windows-1252 (characters beyond ASCII near those bytes: ${would} of windows-1252, ${are} of UTF-8). Run it again with that encoding (--encoding windows-1252).`;
  }
}

function noticeOf(
  source: string,
  column: string | null,
  { records, first }: ColumnPlaces,
  used: readonly string[],
): string {
  const where = column === null ? 'no field' : `column ${JSON.stringify(column)}`;
  const told = `${source}: in ${where} of ${count(records, 'record')}, bytes can't be decoded; the first is ${first}`;
  if (column === null) return `${told}. It stands outside of the values, so the record is invalid.`;
  return isUsed(column, used)
    ? `${told}. The mapping uses this column.`
    : `${told}. The mapping doesn't use this column, so no document is affected.`;
}

function isUsed(column: string, used: readonly string[]): boolean {
  return used.some((name) => mayBeIn(column, name));
}
