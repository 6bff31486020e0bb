import { locateLines } from '../boundaries/cut-records.js';
import { lineRules } from '../boundaries/record-rules.js';
import type { Format } from '../format.js';
import { parseLines } from '../json/format.js';

const LINES = lineRules();

/** Parquet files: each row becomes a line with a JSON object. */
export const parquet: Format = {
  name: 'parquet',
  title: 'Parquet',
  extensions: ['parquet'],
  hasColumns: false,
  hasLines: false,
  binary: {
    label: 'a Parquet file',
    recognise: (start) => start.startsWith('PAR1'),
    async open(file) {
      const { openParquet } = await import('./open-parquet.js');
      return [await openParquet(file)];
    },
  },
  parse: parseLines,
  locate: (chunk) => locateLines(chunk, LINES),
};
