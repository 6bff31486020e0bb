import type { ColumnCoverage, Coverage } from '../coverage/coverage.js';
import type { FieldCoverage } from '../coverage/field-fills.js';
import type { NumberFigures } from '../coverage/number-spread.js';
import type { Counted } from '../coverage/value-counts.js';
import { count, percent, roughly, thousands } from '../model/figures.js';
import { PLAIN, paint, type Terminal, wrap } from '../model/terminal.js';
import { printable } from '../model/text.js';

const MAX_LISTED = 8;

/** Describes the documents as a whole. */
export function coverageLines(coverage: Coverage | null, terminal: Terminal = PLAIN): string[] {
  if (coverage === null || coverage.documents === 0) return [];
  const { documents, metrics, textLength } = coverage;
  const score = metrics['score'];
  const found: readonly (readonly [string, string | null | undefined])[] = [
    ['columns not used', unusedColumns(coverage.columns)],
    ['fields never filled', listed(neverFilled(coverage.fields))],
    ['always the same', listed(constants(coverage.fields))],
    ['score', score && numberText(score, documents)],
    ['published', publishedText(coverage)],
    ['language', shares(coverage.languages, documents)],
    ['sentiment', shares(coverage.sentiments, documents)],
    ['characters of text', textLength && lengthText(textLength)],
  ];
  const rows = found.filter(([, text]) => typeof text === 'string');
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    paint(wrap(`Figures of ${documentsText(coverage)}`, terminal), 'bold', terminal),
    ...rows.map(([name, text]) => {
      const shown = `  ${paint(name.padEnd(width), 'dim', terminal)}  ${printable(text ?? '')}`;
      return wrap(shown, terminal, width + 4);
    }),
  ];
}

/** Repeats are examined too, although they count as duplicate or invalid. */
export function documentsText({
  documents,
  repeats,
}: Pick<Coverage, 'documents' | 'repeats'>): string {
  const repeated = [
    ...(repeats.same > 0 ? [count(repeats.same, 'duplicate')] : []),
    ...(repeats.other > 0 ? [`${thousands(repeats.other)} invalid with a repeated id`] : []),
  ];
  const all = documents === 1 ? 'the 1 document' : `all ${thousands(documents)} documents`;
  return repeated.length === 0 ? all : `${all}, including ${repeated.join(' and ')}`;
}

function unusedColumns(columns: readonly ColumnCoverage[]): string | undefined {
  const unused = columns.filter(({ used, filled }) => !used && filled > 0);
  return listed(
    unused.map(({ name, filled, records }) => {
      const part = filled === records ? '' : ` (${percent(filled, records)} filled)`;
      return `${JSON.stringify(name)}${part}`;
    }),
  );
}

function neverFilled(fields: readonly FieldCoverage[]): readonly string[] {
  return fields.filter(({ filled }) => filled === 0).map(({ field }) => field);
}

/** Fields that docferry fills in itself: always constant, so not worth reporting. */
const FILLED_BY_DOCFERRY = new Set(['source', 'author.source', 'downloaded']);

function constants(fields: readonly FieldCoverage[]): readonly string[] {
  return fields
    .filter(({ field, constant }) => constant !== null && !FILLED_BY_DOCFERRY.has(field))
    .map(({ field, constant }) => `${field} ${JSON.stringify(constant)}`);
}

function numberText(
  { least, most, quantiles, values, ...figures }: NumberFigures,
  of: number,
): string {
  const lacking = of - figures.count;
  const range =
    least === most ? `always ${roughly(least)}` : `${roughly(least)} to ${roughly(most)}`;
  const each = values === null || values.length > MAX_LISTED || values.length < 2;
  const detail = each
    ? `median ${roughly(quantiles.p50)}, 90% from ${roughly(quantiles.p5)} to ${roughly(quantiles.p95)}`
    : values
        .map(({ value, count }) => `${roughly(value)}: ${percent(count, figures.count)}`)
        .join(', ');
  const without = lacking > 0 ? `; ${lackingText(lacking)}` : '';
  return `${range}${least === most ? '' : ` (${detail})`}${without}`;
}

function lackingText(documents: number): string {
  return `${thousands(documents)} ${documents === 1 ? 'has' : 'have'} none`;
}

function lengthText({ least, most, quantiles }: NumberFigures): string {
  const [usual, from, to] = [quantiles.p50, quantiles.p5, quantiles.p95].map(thousands);
  return `${thousands(least)} to ${thousands(most)} (median ${usual}, 90% from ${from} to ${to})`;
}

function publishedText({ published, documents, fields }: Coverage): string | undefined {
  if (published === null) return undefined;
  const { first, last, inFuture = 0, years } = published;
  const dated = fields.find(({ field }) => field === 'published')?.filled ?? 0;
  const facts = [
    `${first.slice(0, 10)} to ${last.slice(0, 10)}`,
    ...(years.length > 1
      ? [`most in ${years.reduce((a, b) => (b.count > a.count ? b : a)).value}`]
      : []),
    ...(inFuture > 0 ? [`${thousands(inFuture)} in the future`] : []),
    ...(dated < documents ? [lackingText(documents - dated)] : []),
  ];
  return facts.join('; ');
}

function shares(values: readonly Counted[], documents: number): string | undefined {
  const known = values.reduce((sum, { count }) => sum + count, 0);
  const parts = values.map(({ value, count }) => `${value} ${percent(count, documents)}`);
  if (known > 0 && known < documents) parts.push(`none ${percent(documents - known, documents)}`);
  return listed(parts);
}

function listed(items: readonly string[]): string | undefined {
  if (items.length === 0) return undefined;
  const more = items.length - MAX_LISTED;
  return [...items.slice(0, MAX_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
