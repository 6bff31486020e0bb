import { html } from 'hono/html';
import type { ColumnCoverage, Coverage } from '../../coverage/coverage.js';
import { count, percent, thousands } from '../../model/figures.js';
import {
  BARS,
  bar,
  type Content,
  fieldName,
  fieldNames,
  figures,
  foreign,
  type Html,
  section,
  table,
} from './parts.js';

/** Longest open list of unused columns. */
const MAX_OPEN = 8;
const MAX_FIELDS = 6;

/** The way from the inputs' columns to the documents' fields, and how filled both are. */
export function columnsSection(coverage: Coverage): Html {
  const { columns } = coverage;
  const used = columns.filter((column) => column.used);
  const unused = columns.filter((column) => !column.used);
  const lost = unused.filter(({ filled }) => filled > 0);
  const left = `${thousands(unused.length)} not used (${thousands(lost.length)} with values)`;
  const lead = `The mapping uses ${thousands(used.length)} of ${count(columns.length, 'column')}${unused.length === 0 ? '' : `: ${left}`}.`;
  return section(
    ...(['columns', 'Columns and fields', lead] as const),
    html`<div class="pair"><div class="flow">${columnTable('Columns that the mapping uses', used)}
${
  unused.length > 0 &&
  html`<details${unused.length <= MAX_OPEN ? ' open' : ''}>
<summary>${count(unused.length, 'column')} not used</summary>
${columnTable('Columns that are not used', unused)}</details>`
}</div>
${coverage.documents > 0 && html`<div><h3>Fields of the documents</h3>${fieldTable(coverage)}</div>`}</div>`,
  );
}

function fieldTable({ columns, fields, documents }: Coverage): Html {
  const given = new Set(columns.flatMap((column) => column.fields));
  return table('Fields of the documents', {
    columns: ['Field', figures(`Filled, of ${thousands(documents)} valid`), BARS],
    rows: fields,
    what: 'fields',
    cells: ({ field, filled, constant }) => [
      [
        fieldName(field),
        filled < (1 - MIN_LEFT_OUT) * documents * leastFilled(columns, field) &&
          html`<small class="line">less than its columns: the mapping leaves values out</small>`,
        constant !== null &&
          html`<small class="line">always ${foreign(constant)}${given.has(field) ? '' : ', from no column'}</small>`,
      ],
      html`<span title="${thousands(filled)}">${percent(filled, documents)}</span>`,
      bar(filled, documents),
    ],
  });
}

/** Smaller shares of left-out values may come from records that are skipped or invalid. */
const MIN_LEFT_OUT = 0.05;

/** Share of records that have a value in the emptiest of a field's columns; 0 if it has none. */
function leastFilled(columns: readonly ColumnCoverage[], field: string): number {
  const own = columns.filter(({ fields }) => fields.includes(field));
  const shares = own.map(({ filled, records }) => filled / Math.max(1, records));
  return own.length === 0 ? 0 : Math.min(...shares);
}

function columnTable(caption: string, rows: readonly ColumnCoverage[]): Html {
  return table(caption, {
    columns: [
      'Column',
      figures(`Filled, of ${thousands(rows[0]?.records ?? 0)} readable`),
      BARS,
      'Becomes',
    ],
    rows,
    what: 'columns',
    cells: (column) => [
      foreign(column.name),
      percent(column.filled, column.records),
      bar(column.filled, column.records),
      use(column),
    ],
  });
}

function use({ used, fields }: ColumnCoverage): Content {
  if (!used) return html`<span class="no">not used</span>`;
  if (fields.length === 0) return 'skips records';
  return [html`<span aria-hidden="true">→ </span>`, fieldNames(fields, MAX_FIELDS)];
}
