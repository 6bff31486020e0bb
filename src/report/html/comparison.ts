/** Compares the run with the import before: which shares changed. */
import { html } from 'hono/html';
import { thousands } from '../../model/figures.js';
import { changesSince, type ShareChange } from '../comparison.js';
import type { EarlierRun, Report } from '../report.js';
import {
  type Content,
  figures,
  foreign,
  type Html,
  inputsText,
  momentText,
  sentenceText,
  table,
} from './parts.js';

export function comparison(report: Report): Html {
  const { earlier } = report;
  if (earlier == null) {
    return html`<p class="earlier">Not compared with an earlier import: ${sentenceText(reasonForNone(report))}.</p>`;
  }
  const changes = changesSince(earlier, report);
  const hasFields = earlier.fills !== undefined && report.coverage !== null;
  return html`<p class="earlier"><b>Compared with the import before</b> (${foreign(earlierRunName(earlier, report))}).${changes.length === 0 && ' Nothing has changed.'}
${!hasFields && 'Fields are not compared, as that import wrote no page.'}</p>
${changes.length > 0 && changeTable(changes.slice(0, MAX_CHANGES))}`;
}

function reasonForNone({ command, mapping, target }: Report): string {
  if (command === 'validate')
    return 'the page of the import will compare it, and name the command to compare it with the service';
  return `the state folder has no finished one with the mapping "${mapping}" into monitoring ${target?.monitoring}`;
}

/** `february.csv and 2 more, run 20260201-…, 1 Feb 2026, 10:00 UTC, 1,180 read` */
function earlierRunName({ sources = [], run, started, counts }: EarlierRun, report: Report) {
  const facts = [
    `run ${run}`,
    momentText(started, report.timeZone),
    `${thousands(counts.read)} read`,
  ];
  return [...(sources.length === 0 ? [] : [inputsText(sources)]), ...facts].join(', ');
}

const MAX_CHANGES = 10;

function changeTable(rows: readonly ShareChange[]): Html {
  const columns = ['What changed', figures('Before'), figures('Now'), 'Trend'];
  const cells = ({ name, before, now, loss }: ShareChange): Content[] => [
    ...[name, before, now],
    loss === 0 ? 'depends on the export' : loss > 0 ? 'worse' : 'better',
  ];
  return html`<div class="changes">${table('Changes since the import before', { columns, rows, cells })}</div>`;
}
