import type { Format } from '../format.js';
import { workbookFormat } from '../sheets/workbook-format.js';

export const xlsx: Format = workbookFormat({
  name: 'xlsx',
  title: 'XLSX',
  extensions: ['xlsx', 'xlsm'],
  label: 'an XLSX workbook',
  // Other documents with content types have been refused.
  recognise: (_, members) =>
    members.some((name) => /^\[Content_Types\]\.xml$/i.test(name)) && !members.includes('mimetype'),
  load: async () => (await import('./workbook.js')).readXlsx,
});
