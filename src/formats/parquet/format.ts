import type { BinaryFileFormat } from '../format.js';

/** Rows are converted to lines of JSON. */
export const parquet: BinaryFileFormat = {
  name: 'parquet',
  title: 'Parquet',
  extensions: ['parquet'],
  hasColumns: false,
  rejects: 'jsonl',
  binary: {
    label: 'a Parquet file',
    magic: 'PAR1',
    async open(file) {
      const { openParquet } = await import('./open-parquet.js');
      return [await openParquet(file)];
    },
  },
};
