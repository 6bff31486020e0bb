import type { BinaryFileFormat } from '../format.js';

/** Each row of a sheet becomes a list of its cells' texts in JSON, or an empty line. */
export const xlsx: BinaryFileFormat = {
  name: 'xlsx',
  title: 'XLSX',
  extensions: ['xlsx', 'xlsm'],
  hasColumns: true,
  rejects: 'csv',
  binary: {
    label: 'an XLSX workbook',
    // Other formats with content types were refused before.
    isZip: (members) => members.some((name) => /^\[Content_Types\]\.xml$/i.test(name)),
    async open(file, options) {
      const { openWorkbook } = await import('./open-workbook.js');
      return await openWorkbook(file, options);
    },
    async firstRows(file, max) {
      const { firstRows } = await import('./open-workbook.js');
      return await firstRows(file, max);
    },
  },
};
