/** Formats the list of ready-made mappings. */
import type { Terminal } from '../../model/terminal.js';
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
