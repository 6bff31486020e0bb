import { checkUtf8, type Utf8Check } from '../../input/encoding/utf8.js';
import type { ByteSample } from '../../input/sample.js';
import { csvRules, fieldStarts } from '../boundaries/record-rules.js';
import { RecordScanner } from '../boundaries/record-scanner.js';
import type { SourceOptions } from '../options.js';
import { detectDialect } from './detect-dialect.js';

const MAX_RECORDS = 5000;

/**
 * What the columns of a table look like as UTF-8, each by itself: where a file is damaged in one of
 * them, the others are whole; where its encoding is another one, all are alike.
 */
export function utf8Columns({ bytes, whole }: ByteSample, options: SourceOptions): Utf8Check[] {
  const table = whole ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const rules = csvRules(detectDialect({ bytes: table, whole }, options));
  const scanner = new RecordScanner(rules);
  scanner.load(table, true);
  const columns: { characters: number; stray: number }[] = [];
  for (let at = 0, records = 0; at < table.length && records < MAX_RECORDS; at = scanner.next) {
    const found = scanner.scan(at);
    if (found === 'nothing') continue;
    records += 1;
    if (found !== 'record') continue;
    const record = table.subarray(at, scanner.end);
    const starts = fieldStarts(record, rules);
    for (const [column, start] of starts.entries()) {
      const { characters, stray } = checkUtf8(record.subarray(start, starts[column + 1]), true);
      const sum = columns[column] ?? { characters: 0, stray: 0 };
      columns[column] = { characters: sum.characters + characters, stray: sum.stray + stray };
    }
  }
  return columns;
}
