import type { Dialect } from '../../model/chunk.js';
import { onDemand } from '../../model/on-demand.js';
import type { Source } from '../../model/source.js';
import { csvRules } from '../boundaries/record-rules.js';
import { RecordScanner } from '../boundaries/record-scanner.js';
import { csvParseOptions } from './csv-parse-options.js';

const csvParse = onDemand<typeof import('csv-parse/sync')>('csv-parse/sync');

/** A delimiter, and the columns that a header has when it is split there. */
export interface SuggestedDelimiter {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|'];

/**
 * For a CSV source whose header is one column: the delimiter that would give it most columns, or
 * `undefined` if none gives more than one.
 */
export function suggestDelimiter(source: Pick<Source, 'layout'>): SuggestedDelimiter | undefined {
  const { layout } = source;
  if (layout.format !== 'csv' || layout.columns.length !== 1) return undefined;
  return betterDelimiter(layout.columns[0] ?? '', layout.dialect);
}

/** The same for the text of a header. */
export function betterDelimiter(header: string, dialect: Dialect): SuggestedDelimiter | undefined {
  let best: SuggestedDelimiter | undefined;
  for (const delimiter of DELIMITERS) {
    if (delimiter === dialect.delimiter) continue;
    const columns = split(Buffer.from(header), { ...dialect, delimiter });
    if (columns.length > Math.max(1, best?.columns.length ?? 0)) best = { delimiter, columns };
  }
  return best;
}

function split(header: Buffer, dialect: Dialect): readonly string[] {
  const scanner = new RecordScanner(csvRules(dialect));
  scanner.load(header, true);
  if (header.length === 0 || scanner.scan(0) !== 'record') return [];
  const [columns = []] = csvParse().parse(header, csvParseOptions(dialect)) as string[][];
  return columns.map((column) => column.trim());
}
