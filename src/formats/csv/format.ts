import { fieldCount } from '../../model/reject-columns.js';
import { locateLines, RecordCutter } from '../boundaries/cut-records.js';
import { csvRules } from '../boundaries/record-rules.js';
import { RecordScanner } from '../boundaries/record-scanner.js';
import type { Format } from '../format.js';
import { betterDelimiter } from './detect-dialect.js';
import { type CsvLayout, checkCsvOptions } from './dialect.js';
import { parseCsv } from './parse-csv.js';
import { readTable } from './read-table.js';
import { csvAsRead } from './record-as-read.js';

/** Fields between delimiters, in whatever dialect. */
export const csv: Format<CsvLayout> = {
  name: 'csv',
  title: 'CSV',
  extensions: ['csv', 'tsv', 'tab', 'psv'],
  hasColumns: true,
  hasLines: true,
  text: {
    // What no other format claims.
    likelihood: () => 0.5,
    divisible: true,
    detect: readTable,
    cut: (window, cutting) => {
      const { layout } = cutting.source;
      const { maxRecordBytes } = cutting.limits;
      const rules = csvRules(layout.dialect, { columns: fieldCount(layout), maxRecordBytes });
      return new RecordCutter(window, cutting, new RecordScanner(rules)).chunks();
    },
  },
  checkOptions: checkCsvOptions,
  parse: parseCsv,
  locate: (chunk) => locateLines(chunk, csvRules(chunk.layout.dialect)),
  asRead: csvAsRead,
  betterDelimiter,
};
