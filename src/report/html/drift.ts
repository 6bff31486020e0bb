import { html } from 'hono/html';
import { count } from '../../model/figures.js';
import { shellWord } from '../../model/text.js';
import type { DriftStop, Report } from '../report.js';
import { commandLine, foreign, type Html, section, table } from './parts.js';

/** Differences between the inputs and what the mapping expects. */
export function driftSection(report: Report | DriftStop): Html {
  const { drift } = report;
  if (!drift?.length) {
    return section('drift', 'Drift', 'The inputs match what the mapping expects.');
  }
  const isStop = report.exitCode === 2;
  const end = isStop ? 'so the run was not started' : 'accepted for this run';
  return section(
    'drift',
    'Drift',
    `${count(drift.length, 'difference')} from what the mapping expects, ${end}.`,
    table('Drift', {
      columns: ['Input', 'What', 'Expected', 'Found'],
      rows: drift,
      cells: ({ source, kind, name, expected, found }) => [
        foreign(source),
        [`${NAMES[kind]} `, name !== null && foreign(name)],
        foreign(expected),
        foreign(found),
      ],
      what: 'differences',
    }),
    isStop && remedies(report),
  );
}

function remedies({ inputs, mappingFile }: DriftStop): Html {
  const [{ name = '' } = {}] = inputs;
  const learn = ['mapping', 'learn', shellWord(name), '-m', shellWord(mappingFile ?? '')];
  return html`<p>If the file is wrong, ask its provider for another. If it is correct,
run the same command with <code>--accept-drift</code>, or let the mapping expect it:</p>
${mappingFile !== null && commandLine(`docferry ${learn.join(' ')} -o learned.yaml`)}`;
}

const NAMES: Readonly<Record<NonNullable<Report['drift']>[number]['kind'], string>> = {
  columns: 'Columns',
  blank: 'Blank cells of',
  invalid: 'Invalid records',
  skipped: 'Skipped records',
  metric: 'Range of',
  dates: 'Dates',
  language: 'Share of the language',
  length: 'Median length of texts',
};
