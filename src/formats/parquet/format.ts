import type { BinaryOne } from '../format.js';

/** Rows are converted to lines of JSON. */
export const parquet: BinaryOne = {
  name: 'parquet',
  title: 'Parquet',
  extensions: ['parquet'],
  hasColumns: false,
  binary: {
    label: 'a Parquet file',
    magic: 'PAR1',
    async open(file) {
      const { openParquet } = await import('./decoder.js');
      return [await openParquet(file)];
    },
  },
};
