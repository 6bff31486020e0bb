import { html } from 'hono/html';
import { count } from '../../model/figures.js';
import { fileWord } from '../../model/text.js';
import { programName } from '../program-name.js';
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
      columns: ['Difference', 'Expected', 'Found'],
      rows: drift,
      cells: ({ source, kind, name, expected, found, message }) => [
        [
          kind === 'columns' ? `Columns${/ are [^:]*/u.exec(message)?.[0] ?? ''}` : NAMES[kind],
          name !== null && [' ', foreign(name)],
          report.inputs.length > 1 && html`<small class="line">${foreign(source)}</small>`,
        ],
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
  const file = mappingFile ?? '';
  const learned = file.replace(/(?=\.\w+$|$)/u, '.new');
  const words = [fileWord(name), '-m', fileWord(file), '-o', fileWord(learned)];
  return html`<p class="next">If the file is wrong, ask its provider for another. If it is correct,
run the same command with <code>--accept-drift</code>, or let the mapping expect it:</p>
${mappingFile !== null && commandLine(`${programName()} mapping learn ${words.join(' ')}`)}`;
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
