import path from 'node:path';
import { BrokenInput } from '../../input/broken-input.js';
import type { TextRow } from '../format.js';
import { readCellFormats } from './cell-formats.js';
import { type Parts, REMEDY } from './parts.js';
import {
  type Cell,
  columnLetters,
  type EmptiedCells,
  readSharedStrings,
  type SheetRow,
  SheetRowGatherer,
} from './sheet-rows.js';

/** Sheet with cells, as opposed to charts or macros. */
export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
}

type Rows = readonly TextRow[];

export interface Workbook {
  readonly sheets: readonly Sheet[];
  firstRows(sheets: readonly Sheet[], max: number): Promise<readonly Rows[]>;
  /**
   * Streams rows that have cells, in batches.
   * @throws BrokenInput after all rows that could be read
   */
  rows(sheet: Sheet, emptied: EmptiedCells, onBytes: (bytes: number) => void): AsyncIterable<Rows>;
}

/**
 * Reads a workbook's structure.
 * @throws BrokenInput
 */
export async function readXlsx(parts: Parts): Promise<Workbook> {
  const { sheets, from1904, partOf } = await readOutline(parts);
  const kinds = await readCellFormats(partOf('styles'), parts);
  const sharedStrings = partOf('sharedStrings');
  const gatherer = (): SheetRowGatherer => new SheetRowGatherer({ kinds, from1904 });
  return {
    sheets,
    async firstRows(wanted, max) {
      const rows: SheetRow[][] = [];
      for (const { part } of wanted) {
        rows.push(await readFirstRows(parts.gather(part, gatherer()), max));
      }
      const shared = await readSharedStrings(sharedStrings, parts, 1 + largestIndex(rows.flat()));
      return rows.map((some, at) =>
        some.map((row) => textsOf(row, shared, wanted[at]?.name ?? '')),
      );
    },
    async *rows({ name, part }, emptied, onBytes) {
      const shared = await readSharedStrings(sharedStrings, parts);
      const gatherer = new SheetRowGatherer({ kinds, from1904, emptied });
      for await (const rows of parts.gather(part, gatherer, onBytes)) {
        const read: TextRow[] = [];
        let damage: unknown;
        try {
          for (const row of rows) read.push(textsOf(row, shared, name));
        } catch (error) {
          damage = error;
        }
        yield read;
        if (damage !== undefined) throw damage;
      }
    },
  };
}

async function readFirstRows(
  batches: AsyncIterable<readonly SheetRow[]>,
  max: number,
): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  try {
    for await (const batch of batches) {
      rows.push(...batch);
      if (rows.length >= max) break;
    }
  } catch (error) {
    // Damage behind the first rows is reported when it is reached.
    if (!(error instanceof BrokenInput) || rows.length === 0) throw error;
  }
  return rows.slice(0, max);
}

/** Largest index of a shared string that the cells refer to. */
function largestIndex(rows: readonly SheetRow[]): number {
  let largest = -1;
  for (const { cells } of rows) {
    for (const cell of cells) if (typeof cell === 'number' && cell > largest) largest = cell;
  }
  return largest;
}

/** @throws BrokenInput if a cell refers to a text that the workbook lacks */
function textsOf({ number, cells }: SheetRow, shared: readonly string[], sheet: string): TextRow {
  const cellText = (cell: Cell, at: number): string => {
    if (typeof cell !== 'number') return cell;
    const text = shared[cell];
    if (text !== undefined) return text;
    throw new BrokenInput(
      `its cell ${columnLetters(at + 1)}${number} in sheet "${sheet}" refers to a text that the workbook lacks (shared string ${cell}), so the workbook is damaged`,
      REMEDY,
    );
  };
  return { number, cells: cells.map(cellText) };
}

interface Outline {
  readonly sheets: readonly Sheet[];
  /** Whether dates count from 1904. */
  readonly from1904: boolean;
  /** Finds the part of a type. */
  readonly partOf: (type: string) => string | undefined;
}

async function readOutline(parts: Parts): Promise<Outline> {
  const main = await mainPart(parts);
  const relations = await relationsOf(parts, main);
  const parted = new Map(
    relations.flatMap(({ id, type, target }) => (type === 'worksheet' ? [[id, target]] : [])),
  );
  const sheets: Sheet[] = [];
  let from1904 = false;
  await parts.read(main, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1] ?? '';
      const part = parted.get(id);
      if (part === undefined) return;
      const hidden = (attributes['state'] ?? 'visible') !== 'visible';
      sheets.push({ name: attributes['name'] ?? '', hidden, part });
    },
  });
  const partOf = (type: string): string | undefined =>
    relations.find((relation) => relation.type === type && parts.has(relation.target))?.target;
  return { sheets, from1904, partOf };
}

/** Finds the part that lists the sheets. */
async function mainPart(parts: Parts): Promise<string> {
  const relations = await relationsOf(parts, '');
  const main = relations.find(({ type }) => type === 'officeDocument');
  return main?.target ?? 'xl/workbook.xml';
}

interface Relation {
  readonly id: string;
  /** Last segment of the relation's type URI. */
  readonly type: string;
  /** Name of the part. */
  readonly target: string;
}

async function relationsOf(parts: Parts, part: string): Promise<readonly Relation[]> {
  const folder = path.posix.dirname(part);
  const listed = path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (!parts.has(listed)) return relations;
  await parts.read(listed, {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return;
      const isAbsolute = target.startsWith('/');
      const resolved = isAbsolute ? target.slice(1) : path.posix.join(folder, target);
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved });
    },
  });
  return relations;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}
