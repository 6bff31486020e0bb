import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import type { BytesChunk } from '../../model/chunk.js';
import { asBuffer, type Dialect } from '../../model/chunk.js';
import type { ParsedRecord, UndecodableField, UndecodableText } from '../../model/record.js';
import { locateLines } from '../boundaries/cut-records.js';
import { csvRules, fieldStarts } from '../boundaries/record-rules.js';
import { type ByteOrigin, piecesOf, undecodableText } from '../undecodable-bytes.js';
import { type CsvLayout, csvParseOptions } from './dialect.js';
import { fitRow } from './fit-row.js';
import { isPlain, PlainCsv } from './parse-plain-csv.js';
import { utf8Text } from './utf8-text.js';

/** For what is not plain. */

/** Reads the records of a chunk, one by one: what is read at once outlives V8's young objects. */
export function* parseCsv(chunk: BytesChunk<CsvLayout>): Generator<ParsedRecord, void, undefined> {
  const { layout, decodedFrom, position } = chunk;
  const buffer = asBuffer(chunk.bytes);
  const unwraps = buffer.includes('="');
  if (isUtf8(buffer)) {
    const next = rowReader(buffer, layout.dialect, 'utf8', utf8Text);
    for (let row = next(); row !== undefined; row = next()) yield fitRow(row, layout, unwraps);
    return;
  }
  // Byte for byte, so that each field can be checked on its own.
  const places = locateLines(chunk, csvRules(layout.dialect));
  const next = rowReader(buffer, layout.dialect, 'latin1');
  for (let index = 0, row = next(); row !== undefined; index += 1, row = next()) {
    const { start = 0, end = 0 } = places[index] ?? {};
    const origin = { decodedFrom, offset: position.byte + start };
    const record = fitRow(row, layout, unwraps);
    yield decoded(record, layout, buffer.subarray(start, end), origin);
  }
}

/** The fields of the first record; none if there is no record. */
export function firstRow(buffer: Buffer, dialect: Dialect): readonly string[] {
  return rowReader(buffer, dialect, 'utf8')() ?? [];
}

/** Gives the fields of one record after the other; `undefined` at the end. */
function rowReader(
  buffer: Buffer,
  dialect: Dialect,
  encoding: 'utf8' | 'latin1',
  decode: (buffer: Buffer) => string = (bytes) => bytes.toString(encoding),
): () => string[] | undefined {
  // Byte for byte, a delimiter beyond ASCII is no character.
  const plain = isPlain(dialect) && (encoding === 'utf8' || dialect.delimiter < '\x80');
  const csv = plain ? new PlainCsv(decode(buffer), dialect) : undefined;
  let read = 0;
  let others: readonly string[][] | undefined;
  return () => {
    if (others === undefined) {
      const row = csv === undefined ? 'unclear' : csv.next();
      if (row !== 'unclear') {
        read += 1;
        return row;
      }
      others = parse(buffer, { ...csvParseOptions(dialect), encoding });
    }
    read += 1;
    return others?.[read - 1];
  };
}

/**
 * Decodes fields that were read byte for byte.
 * @param raw the record as it stands in the source
 * @param origin of the raw record
 */
function decoded(
  record: ParsedRecord,
  layout: CsvLayout,
  raw: Buffer,
  origin: ByteOrigin,
): ParsedRecord {
  const { value, problem } = record;
  if (problem !== undefined) return { problem };
  const undecodable: UndecodableField[] = [];
  const texts = (value as readonly string[]).map((field, index) => {
    const bytes = Buffer.from(field, 'latin1');
    if (isUtf8(bytes)) return bytes.toString('utf8');
    const text = decodedField(bytes, index);
    undecodable.push({ column: layout.columns[index] ?? null, bytes: text.bytes });
    return text;
  });
  return undecodable.length === 0 ? { value: texts } : { value: texts, undecodable };

  /** The place is that of the byte in the source, where quotes may stand in the field besides. */
  function decodedField(bytes: Buffer, index: number): UndecodableText {
    const starts = fieldStarts(raw, csvRules(layout.dialect));
    const at = layout.order?.[index] ?? index;
    const from = starts[at] ?? 0;
    const place = { ...origin, offset: origin.offset + from };
    const { gaps } = piecesOf(raw.subarray(from, starts[at + 1]), place);
    return undecodableText({ ...piecesOf(bytes, place), gaps }, origin);
  }
}
