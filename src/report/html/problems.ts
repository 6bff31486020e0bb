import { html } from 'hono/html';
import { count, thousands } from '../../model/figures.js';
import type { ProblemKind } from '../../model/record.js';
import type { ProblemExample } from '../../outcomes/tally.js';
import { causeTexts } from '../causes-text.js';
import { recordCommand } from '../next-command.js';
import type { Report as AnyReport, Cause } from '../report.js';
import {
  bar,
  type Content,
  commandLine,
  foreign,
  type Html,
  MAX_ROWS,
  omitted,
  section,
  sentenceText,
} from './parts.js';
import { linkToSample, type RecordSamples } from './samples.js';

type Report = Omit<AnyReport, 'exitCode'>;

/** Causes of invalid records, their remedies in the words of the terminal, and who can act on them. */
export function diagnosisSection(report: Report): Html {
  const { shown, more } = causeTexts(report);
  const rows = problemRows(report, false);
  const items = report.causes.slice(0, shown.length).map((cause, index) => {
    const { title = '', evidence = '', remedy = '' } = shown[index] ?? {};
    const row = rows.findIndex(({ kind, field }) => kind === cause.kind && concerns(cause, field));
    const first = `${evidence.charAt(0).toUpperCase()}${evidence.slice(1)}`;
    return html`<li><b>${sentenceText(title)}</b>
<span class="line">${sentenceText(remedy)}</span>
<small class="line">${sentenceText(first)}. For ${addresseeOf(cause, report.run)}.
${row >= 0 && html`<a href="#problems-${row}">Show ${cause.records === 1 ? 'it' : 'them'}<span class="unseen">: ${title}</span></a>`}</small></li>`;
  });
  const lead = items.length > 1 ? 'First what makes the most records valid.' : '';
  const list = html`<ol class="causes">${items}</ol>
${more > 0 && html`<p class="cut">${count(more, 'other cause')}: the JSON report has all</p>`}`;
  return section('diagnosis', 'What to do', lead, list);
}

const KINDS_OF: Readonly<Record<'export' | 'service', readonly ProblemKind[]>> = {
  export: [
    ...(['ragged', 'unclosed-quote', 'malformed-quote', 'not-utf8', 'not-json'] as const),
    ...(['not-xml', 'not-an-object', 'too-deep', 'broken-text'] as const),
  ],
  service: ['rejected', 'unknown', 'sent-again', 'shown-twice', 'in-doubt'],
};

function addresseeOf({ kind, remedy }: Cause, run: string): string {
  if (KINDS_OF.export.includes(kind)) return 'the provider of the export';
  if (KINDS_OF.service.includes(kind)) return `the support of the service (run ${run})`;
  return `${remedy?.startsWith('correct the value') ? 'the provider of the export, or ' : ''}the owner of the mapping`;
}

const WHOLE = 'whole record';

/** Problems by kind and field; each opens to its first records. A script may filter them. */
export function problemsSection(report: Report, samples?: RecordSamples): Html {
  const rows = problemRows(report, false);
  if (rows.length === 0) return section('problems', 'Problems', 'No record has a problem.');
  const all = rows.reduce((sum, row) => sum + row.count, 0);
  const kinds = new Set(rows.map(({ kind }) => kind)).size;
  const lead = `${count(all, 'problem')} of ${count(kinds, 'kind')}; a record may have several. Each line opens to its first records.`;
  const filter = rows.length >= MIN_FILTERED && FILTER;
  return section('problems', 'Problems', lead, filter, list('problems', rows, report, samples));
}

/** Records that are in the service already, or came before: they need no cure. */
export function repeatsSection(report: Report): Html {
  const lead =
    'Records that are in the service already, or came earlier in this run. There is nothing to do.';
  return section('repeats', 'Repeats', lead, list('repeats', problemRows(report, true), report));
}

function list(
  id: string,
  rows: readonly ProblemRow[],
  report: Report,
  samples?: RecordSamples,
): Content {
  const items = rows.slice(0, MAX_ROWS).map(
    (row, index) => html`
<details class="problem">
<summary><code>${row.kind}</code><span>${row.field === WHOLE ? html`<i>${WHOLE}</i>` : foreign(row.field)}</span>
<b class="figure">${thousands(row.count)}</b>${bar(row.count, rows[0]?.count ?? 0)}</summary>
<div id="${id}-${index}">${examples(row, report, samples)}</div>
</details>`,
  );
  return [items, omitted(rows.length, 'lines')];
}

/** Fewest lines that are filtered. */
const MIN_FILTERED = 10;
const FILTER = html`<search class="filter" aria-label="Problems" hidden>
<label><span>Show only problems with</span><input type="search" name="text" autocomplete="off"></label>
<output></output></search>`;

interface ProblemRow {
  readonly kind: ProblemKind;
  readonly field: string;
  readonly count: number;
  readonly examples: readonly Omit<ProblemExample, 'field'>[];
}

const REPEATS: ReadonlySet<ProblemKind> = new Set(['duplicate', 'known']);

/** Problems without a field concern the whole record. */
function problemRows({ problems, causes }: Report, repeats: boolean): readonly ProblemRow[] {
  const wanted = problems.filter(({ kind }) => REPEATS.has(kind) === repeats);
  const rows = wanted.flatMap(({ kind, count, fields, examples }) => {
    const named = Object.entries(fields);
    const rest = count - named.reduce((sum, [, number]) => sum + number, 0);
    return [...named, ...(rest > 0 ? [[WHOLE, rest] as const] : [])].map(([field, count]) => {
      const own = examples.filter(
        (one) => (one.field ?? WHOLE).replace(/\[\d+\]/gu, '[]') === field,
      );
      const places = causes
        .filter((cause) => cause.kind === kind && concerns(cause, field))
        .flatMap(({ places, message }) => places.map((place) => ({ ...place, message })));
      return { kind, field, count, examples: own.length > 0 ? own : places };
    });
  });
  return rows.toSorted((a, b) => b.count - a.count);
}

function concerns({ fields }: Cause, field: string): boolean {
  return field === WHOLE ? Object.keys(fields).length === 0 : Object.hasOwn(fields, field);
}

/** Lists places by message, and how to see the first one. */
function examples(
  { count, examples }: ProblemRow,
  report: Report,
  samples: RecordSamples | undefined,
): Content {
  const messages = [...new Set(examples.map(({ message }) => message))];
  const items = messages.map((message) => {
    const places = examples
      .filter((one) => one.message === message)
      .map((one) => html`<small class="line">${linkToSample(one, samples)}</small>`);
    return html`<li>${sentenceText(message)}${places}</li>`;
  });
  const more = count - examples.length;
  const command = examples[0] && recordCommand(report, examples[0]);
  return [
    html`<ul>${items}</ul>`,
    more > 0 && html`<p class="cut">and ${thousands(more)} more</p>`,
    command !== undefined && commandLine(command),
  ];
}
