import { html } from 'hono/html';
import { count } from '../../model/figures.js';
import type { Report } from '../report.js';
import { foreign, type Html, section, table } from './parts.js';

type Drift = NonNullable<Report['drift']>;

/** Differences between the inputs and what the mapping expects, which were accepted. */
export function driftSection(drift: Drift, namesSources: boolean): Html {
  if (drift.length === 0) {
    return section('drift', 'Drift', 'The inputs match what the mapping expects.');
  }
  return section(
    'drift',
    'Drift',
    `${count(drift.length, 'difference')} from what the mapping expects, accepted for this run.`,
    table('Drift', {
      columns: ['Difference', 'Expected', 'Found'],
      rows: drift,
      cells: ({ source, kind, name, expected, found }) => [
        [
          NAMES[kind],
          name !== null && [' ', foreign(name)],
          namesSources && html`<small class="line">${foreign(source)}</small>`,
        ],
        foreign(expected),
        foreign(found),
      ],
      what: 'differences',
    }),
  );
}

const NAMES: Readonly<Record<Drift[number]['kind'], string>> = {
  columns: 'Columns',
  blank: 'Blank cells of',
  invalid: 'Invalid records',
  skipped: 'Skipped records',
  metric: 'Range of',
  dates: 'Dates',
  language: 'Share of the language',
  length: 'Median length of texts',
};
