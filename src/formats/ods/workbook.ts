import { BrokenInput } from '../../input/broken-input.js';
import type { Sheet, Workbook } from '../sheets/open-workbook.js';
import type { Parts, XmlHandlers } from '../sheets/parts.js';
import type { Attributes } from './table-rows.js';
import { type TableRow, TableRowGatherer } from './table-rows.js';

/** All sheets are in this part, one after another. */
const CONTENT = 'content.xml';
const MANIFEST = 'META-INF/manifest.xml';

interface OdsSheet extends Sheet {
  /** Among the tables, from 0. */
  readonly index: number;
}

/**
 * Reads what a spreadsheet says of itself.
 * @throws BrokenInput
 */
export async function readOds(parts: Parts): Promise<Workbook<OdsSheet>> {
  await refuseEncryption(parts);
  return {
    sheets: await readSheets(parts),
    firstRows: (sheets, max) => firstRows(parts, sheets, max),
    async *rows({ index }, emptied, counted) {
      const gatherer = new TableRowGatherer((sheet) => sheet === index, emptied);
      for await (const batch of parts.gather(CONTENT, gatherer, counted)) {
        yield batch;
        if (gatherer.sheet > index) return;
      }
    },
  };
}

/** What is encrypted stays in its place, but is no XML. */
async function refuseEncryption(parts: Parts): Promise<void> {
  if (!parts.has(MANIFEST)) return;
  await parts.read(MANIFEST, {
    open(name) {
      if (name !== 'encryption-data') return;
      throw new BrokenInput('it has a password', 'Save it without one.');
    },
  });
}

/** Those that stand before any damage, which reading them tells; there must be one. */
async function readSheets(parts: Parts): Promise<readonly OdsSheet[]> {
  const lister = new SheetLister();
  try {
    await parts.read(CONTENT, lister);
  } catch (error) {
    if (lister.sheets.length === 0) throw error;
  }
  return lister.sheets;
}

class SheetLister implements XmlHandlers {
  readonly sheets: OdsSheet[] = [];
  readonly #hidden = new Set<string | undefined>();
  #style: string | undefined;
  /** Cells may hold tables. */
  #depth = 0;

  open(name: string, attributes: Attributes): void {
    if (name === 'style') this.#style = attributes['style:name'];
    else if (name === 'table-properties' && attributes['table:display'] === 'false') {
      this.#hidden.add(this.#style);
    } else if (name === 'table') this.#openTable(attributes);
  }

  close(name: string): void {
    if (name === 'table') this.#depth -= 1;
  }

  #openTable(attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    this.sheets.push({
      name: attributes['table:name'] ?? '',
      hidden: this.#hidden.has(attributes['table:style-name']),
      index: this.sheets.length,
    });
  }
}

async function firstRows(
  parts: Parts,
  sheets: readonly OdsSheet[],
  max: number,
): Promise<readonly TableRow[][]> {
  const rows = new Map(sheets.map(({ index }) => [index, [] as TableRow[]]));
  const gatherer = new TableRowGatherer((index) => (rows.get(index)?.length ?? max) < max);
  const last = Math.max(...rows.keys());
  for await (const batch of parts.gather(CONTENT, gatherer)) {
    for (const row of batch) {
      const first = rows.get(row.sheet);
      if (first !== undefined && first.length < max) first.push(row);
    }
    if (gatherer.sheet > last || (rows.get(last)?.length ?? 0) >= max) break;
  }
  return [...rows.values()];
}
