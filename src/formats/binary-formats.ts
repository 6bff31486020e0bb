/** Formats that aren't text. Each record of their files is converted to a line of JSON. */
import type { BinaryOne } from './format.js';

export const parquet: BinaryOne = {
  name: 'parquet',
  title: 'Parquet',
  extensions: ['parquet'],
  hasColumns: false,
  binary: {
    label: 'a Parquet file',
    magic: 'PAR1',
    async open(file) {
      const { openParquet } = await import('./parquet/decoder.js');
      return [await openParquet(file)];
    },
  },
};

/** Each row of a sheet becomes a list of its cells' texts, or an empty line. */
export const xlsx: BinaryOne = {
  name: 'xlsx',
  title: 'XLSX',
  extensions: ['xlsx', 'xlsm'],
  hasColumns: true,
  binary: {
    label: 'an XLSX workbook',
    // Other formats with content types were refused before.
    isZip: (members) => members.some((name) => /^\[Content_Types\]\.xml$/i.test(name)),
    async open(file, options) {
      const { openWorkbook } = await import('./xlsx/open-workbook.js');
      return await openWorkbook(file, options);
    },
    async firstRows(file, max) {
      const { firstRows } = await import('./xlsx/open-workbook.js');
      return await firstRows(file, max);
    },
  },
};
