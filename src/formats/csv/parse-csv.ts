import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import type { BytesChunk } from '../../model/chunk.js';
import { asBuffer, type Dialect } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import { locateLines } from '../boundaries/cut-records.js';
import { csvRules } from '../boundaries/record-rules.js';
import { withStrayBytes } from '../stray-bytes.js';
import { type CsvLayout, csvParseOptions } from './dialect.js';
import { fitRow } from './fit-row.js';
import { isPlain, PlainCsv } from './parse-plain-csv.js';
import { utf8Text } from './utf8-text.js';

/** Reads the records of a chunk, one by one: what is read at once outlives V8's young objects. */
export function* parseCsv(chunk: BytesChunk<CsvLayout>): Generator<ParsedRecord, void, undefined> {
  const { layout, position } = chunk;
  const buffer = asBuffer(chunk.bytes);
  const unwraps = buffer.includes('="');
  if (isUtf8(buffer)) {
    const next = rowReader(buffer, layout.dialect, utf8Text);
    for (let row = next(); row !== undefined; row = next()) yield fitRow(row, layout, unwraps);
    return;
  }
  const places = locateLines(chunk, csvRules(layout.dialect));
  const next = rowReader(buffer, layout.dialect);
  for (let index = 0, row = next(); row !== undefined; index += 1, row = next()) {
    const { start = 0, end = 0 } = places[index] ?? {};
    const bytes = buffer.subarray(start, end);
    yield withStrayBytes(fitRow(row, layout, unwraps), bytes, position.byte + start);
  }
}

/** The fields of the first record; none if there is no record. */
export function firstRow(buffer: Buffer, dialect: Dialect): readonly string[] {
  return rowReader(buffer, dialect)() ?? [];
}

/** Gives the fields of one record after the other; `undefined` at the end. */
function rowReader(
  buffer: Buffer,
  dialect: Dialect,
  decode: (buffer: Buffer) => string = (bytes) => bytes.toString('utf8'),
): () => string[] | undefined {
  const csv = isPlain(dialect) ? new PlainCsv(decode(buffer), dialect) : undefined;
  let read = 0;
  let others: readonly string[][] | undefined;
  return () => {
    if (others === undefined) {
      const row = csv === undefined ? 'unclear' : csv.next();
      if (row !== 'unclear') {
        read += 1;
        return row;
      }
      others = parse(buffer, { ...csvParseOptions(dialect), encoding: 'utf8' });
    }
    read += 1;
    return others?.[read - 1];
  };
}
