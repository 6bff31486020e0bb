/** Formats the list of ready-made mappings. */
import { paint, type Terminal, wrap } from '../../model/terminal.js';
import type { readyMappings } from '../../operations/mappings.js';
import { type TableColumn, tableText } from './table.js';

type ReadyMapping = ReturnType<typeof readyMappings>[number];

const KINDS: readonly ReadyMapping['kind'][] = ['travel', 'places', 'apps', 'shops', 'surveys'];

/** Lists mappings, grouped by the kind of their exports. */
export function readyListText(mappings: readonly ReadyMapping[], terminal: Terminal): string {
  const sorted = KINDS.flatMap((kind) => mappings.filter((one) => one.kind === kind));
  const starts = new Set(KINDS.map((kind) => sorted.find((one) => one.kind === kind)));
  const columns: readonly TableColumn<ReadyMapping>[] = [
    { title: 'kind', cell: (one) => (starts.has(one) ? one.kind : ''), tone: () => 'bold' },
    { title: 'mapping', cell: ({ name }) => name },
    { title: 'format', cell: ({ format }) => format, tone: () => 'dim', optional: 1 },
    { title: 'export', cell: ({ export: title }) => title },
  ];
  return tableText(sorted, columns, terminal);
}

/** Lists the columns that identify the layout of each mapping. */
export function layoutsText(mappings: readonly ReadyMapping[], terminal: Terminal): string {
  return mappings
    .map(({ name, columns, more }) => {
      const names = columns.map(columnText).join(', ');
      const line = `${paint(`${name}:`, 'bold', terminal)} ${names}${more ? ', others between' : ''}`;
      return `${wrap(line, terminal, 2)}\n`;
    })
    .join('');
}

/** Quotes names that contain a comma or a quote, or are empty. */
function columnText(column: string): string {
  return /^[^,"]+$/.test(column) ? column : JSON.stringify(column);
}
