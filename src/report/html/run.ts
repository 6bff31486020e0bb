import { html } from 'hono/html';
import { byteSize, thousands } from '../../model/figures.js';
import { NO_COUNTS } from '../../model/record.js';
import type { InputReport } from '../../outcomes/events.js';
import { resumeWords, typedOf } from '../next-command.js';
import { programName } from '../program-name.js';
import { exitText, type Report } from '../report.js';
import {
  type Content,
  figures,
  foreign,
  type Html,
  MAX_ROWS,
  momentText,
  omitted,
  outcomeBar,
  outcomesText,
  section,
  sentenceText,
  table,
} from './parts.js';

export function inputsSection({ inputs, command, timeZone }: Report): Html {
  // Reports of earlier versions lack an input's counts.
  const cells = ({ counts = NO_COUNTS, records, ...input }: InputReport): Content[] => [
    [foreign(input.name), html`<small class="line">${foreign(readAs(input, timeZone))}</small>`],
    [
      counts.read > 0 && outcomeBar(counts),
      records > 0 && `${thousands(records)} read`,
      counts.read > 0 && ` = ${outcomesText(counts, command)}`,
    ],
  ];
  const inputTable = table('Inputs', { columns: ['Input', 'Records'], rows: inputs, cells });
  return section('inputs', 'Inputs', '', html`<div class="stack">${inputTable}</div>`);
}

function readAs(input: Omit<InputReport, 'counts' | 'records'>, zone: string | undefined): string {
  const { format, encoding, delimiter, compression, bytes, modified } = input;
  const shown = delimiter === null ? null : `delimiter ${JSON.stringify(delimiter)}`;
  const size = bytes === null ? null : byteSize(bytes);
  const changed = modified == null ? null : `modified ${momentText(modified, zone)}`;
  const facts = [format, encoding, shown, compression, size, changed];
  return facts.filter((fact) => fact !== null).join(', ');
}

export function skippedSection(skips: NonNullable<Report['skips']>): Html {
  const columns = ['Because', figures('Mapping line'), figures('Records')];
  const cells = ({ condition, records, mappingLine }: (typeof skips)[number]): Content[] => [
    ...[foreign(condition), `${mappingLine ?? '–'}`, thousands(records)],
  ];
  const lead = 'Records that were left out on purpose, and why.';
  return section('skipped', 'Skipped', lead, table('Skipped', { columns, rows: skips, cells }));
}

export function questionsSection(questions: NonNullable<Report['openQuestions']>): Html {
  const columns = ['Question', figures('Mapping line')];
  const cells = ({ text, line }: (typeof questions)[number]): Content[] => [
    ...[foreign(text), `${line}`],
  ];
  const lead = 'Answer each in the mapping, and delete its TODO there.';
  const list = table('Open questions', { columns, rows: questions, cells, what: 'questions' });
  return section('questions', 'Open questions', lead, list);
}

export function noticesSection(notices: readonly string[]): Html {
  const items = notices.slice(0, MAX_ROWS).map((notice) => {
    return html`<li>${notice.split('\n').map((line) => html`<div>${sentenceText(line)}</div>`)}</li>`;
  });
  const list = html`<ul>${items}</ul>`;
  return section('notices', 'Notices', '', list, omitted(notices.length, 'notices'));
}

export function rejectsSection(rejects: Report['rejects']): Html {
  const columns = ['File to import again', 'Reasons', figures('Records')];
  const cells = ({ file, reasons, records }: (typeof rejects)[number]): Content[] => [
    ...[foreign(file), foreign(reasons), thousands(records)],
  ];
  const lead =
    'Invalid and rejected records with all of their columns, and a second file with the reasons, by line. Fix the mapping, or the values in the first file; then import the first file.';
  return section('rejects', 'Rejects', lead, table('Rejects', { columns, rows: rejects, cells }));
}

/** When, what with and where to; what is unknown or doesn't apply is left out. */
export function runSection(report: Report): Html {
  const { run, target, started, ended, timeZone, docferry = '' } = report;
  const { mappingFile, mappingFingerprint, exitCode } = report;
  const facts: readonly (readonly [string, Content])[] = [
    ['Run', foreign(run)],
    ['Started', started && momentText(started, timeZone, 'medium')],
    ['Ended', ended && momentText(ended, timeZone, 'medium')],
    ['Command', `docferry ${docferry} ${report.command}`],
    ['Mapping', foreign(report.mapping)],
    ['Mapping file', mappingFile && foreign(mappingFile)],
    ['SHA-256 of the mapping', mappingFingerprint && `${mappingFingerprint.slice(0, 12)}…`],
    ['Service', target && foreign(target.baseUrl)],
    ['Monitoring', target && `${target.monitoring}`],
    [
      'To resume it',
      report.resumable &&
        html`<code>${[programName(), ...resumeWords(report, typedOf(report).state)].join(' ')}</code>`,
    ],
    ['Exit code', `${exitCode}. ${exitText(report)}`],
  ];
  const items = facts
    .filter(([, value]) => value)
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return section('run', 'Run', '', html`<dl class="run">${items}</dl>`);
}
