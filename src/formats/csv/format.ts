import { fieldCount } from '../../model/chunk.js';
import { locateLines } from '../boundaries/cut-records.js';
import { csvRules } from '../boundaries/record-rules.js';
import { RecordScanner } from '../boundaries/record-scanner.js';
import type { TextOne } from '../format.js';
import { betterDelimiter } from './detect-dialect.js';
import type { CsvLayout } from './parse-csv.js';
import { parseCsv } from './parse-csv.js';
import { readTable } from './read-table.js';
import { csvAsRead } from './record-as-read.js';

/** Fields between delimiters, in whatever dialect. */
export const csv: TextOne<CsvLayout> = {
  name: 'csv',
  title: 'CSV',
  extensions: ['csv', 'tsv', 'tab', 'psv'],
  hasColumns: true,
  hasLines: true,
  text: {
    recognise: () => true,
    divisible: true,
    detect: readTable,
    scanner({ source: { layout }, limits: { maxRecordBytes } }) {
      const columns = fieldCount(layout);
      return new RecordScanner(csvRules(layout.dialect, { columns, maxRecordBytes }));
    },
  },
  parse: parseCsv,
  locate: (chunk) => locateLines(chunk, csvRules(chunk.layout.dialect)),
  asRead: csvAsRead,
  betterDelimiter,
};
