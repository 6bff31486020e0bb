import { html } from 'hono/html';
import { count, thousands } from '../../model/figures.js';
import type { ProblemKind } from '../../model/record.js';
import type { ProblemExample } from '../../outcomes/tally.js';
import { causeTexts } from '../causes-text.js';
import { recordCommand } from '../next-command.js';
import type { Cause, Report } from '../report.js';
import {
  bar,
  type Content,
  commandLine,
  foreign,
  foreignWithCode,
  type Html,
  MAX_ROWS,
  omitted,
  section,
} from './parts.js';
import { linkToSample, type RecordSamples } from './samples.js';

/** Causes of invalid records and their remedies, in the words of the terminal. */
export function diagnosisSection(report: Report): Html {
  const { shown, more } = causeTexts(report);
  const rows = problemRows(report);
  const items = report.causes.slice(0, shown.length).map((cause, index) => {
    const { title = '', evidence = '', remedy = '' } = shown[index] ?? {};
    const row = rows.findIndex(({ kind, field }) => kind === cause.kind && concerns(cause, field));
    return html`<li><b>${foreignWithCode(title)}</b>
<span class="line">${foreignWithCode(remedy)}</span>
<small class="line">For ${ADDRESSEES[addresseeOf(cause)]}. ${foreign(evidence)}.
${row >= 0 && html`<a href="#problem-${row}">Show them<span class="unseen">: ${title}</span></a>`}</small></li>`;
  });
  const other = `${count(more, 'other cause')}: the JSON report has all`;
  const list = html`<ol class="causes">${items}</ol>${more > 0 && html`<p class="cut">${other}</p>`}`;
  return section('diagnosis', 'What to do', whoText(report.causes), list);
}

type Addressee = 'mapping' | 'export' | 'either' | 'run';

const ADDRESSEES: Readonly<Record<Addressee, string>> = {
  mapping: 'the editor of the mapping',
  export: 'the provider of the export',
  either: 'the provider of the export, or else the editor of the mapping',
  run: 'the operator of the import',
};

const KINDS_OF: Readonly<Record<'export' | 'run', readonly ProblemKind[]>> = {
  export: [
    ...(['ragged', 'unclosed-quote', 'malformed-quote', 'not-utf8', 'not-json'] as const),
    ...(['not-xml', 'not-an-object', 'too-deep', 'broken-text'] as const),
  ],
  run: ['rejected', 'unknown', 'sent-again', 'shown-twice', 'known', 'changed', 'in-doubt'],
};

function addresseeOf({ kind, remedy }: Cause): Addressee {
  for (const one of ['export', 'run'] as const) if (KINDS_OF[one].includes(kind)) return one;
  return remedy?.startsWith('correct the value') ? 'either' : 'mapping';
}

function whoText(causes: readonly Cause[]): string {
  const all = causes.map(addresseeOf);
  if (all[0] !== undefined && all.length === 1) return `1 cause, for ${ADDRESSEES[all[0]]}.`;
  const parts = [...new Set(all)].map((who) => {
    return `${thousands(all.filter((one) => one === who).length)} for ${ADDRESSEES[who]}`;
  });
  return `${count(causes.length, 'cause')}, first what makes the most records valid: ${parts.join('; ')}.`;
}

const WHOLE = 'whole record';

/** Problems by kind and field; each opens to its first records. A script may filter them. */
export function problemsSection(report: Report, samples?: RecordSamples): Html {
  const { problems } = report;
  if (problems.length === 0) return section('problems', 'Problems', 'No record has a problem.');
  const rows = problemRows(report);
  const all = problems.reduce((sum, group) => sum + group.count, 0);
  const lead = `${count(all, 'problem')} of ${count(problems.length, 'kind')}; a record may have several. Each line opens to its first records.`;
  const items = rows.slice(0, MAX_ROWS).map(
    (row, index) => html`
<details class="problem">
<summary><code>${row.kind}</code><span>${row.field === WHOLE ? html`<i>${WHOLE}</i>` : foreign(row.field)}</span>
<b class="figure">${thousands(row.count)}</b>${bar(row.count, rows[0]?.count ?? 0)}</summary>
<div id="problem-${index}">${examples(row, report, samples)}</div>
</details>`,
  );
  return section('problems', 'Problems', lead, FILTER, items, omitted(rows.length, 'lines'));
}

const FILTER = html`<search class="filter" aria-label="Problems" hidden>
<label><span>Show only problems with</span><input type="search" name="text" autocomplete="off"></label>
<output></output></search>`;

interface ProblemRow {
  readonly kind: ProblemKind;
  readonly field: string;
  readonly count: number;
  readonly examples: readonly Omit<ProblemExample, 'field'>[];
}

/** Problems without a field concern the whole record. */
function problemRows({ problems, causes = [] }: Report): readonly ProblemRow[] {
  const rows = problems.flatMap(({ kind, count, fields, examples }) => {
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
    return html`<li>${foreign(message)}${places}</li>`;
  });
  const more = count - examples.length;
  const command = examples[0] && recordCommand(report, examples[0]);
  return [
    html`<ul>${items}</ul>`,
    more > 0 && html`<p class="cut">and ${thousands(more)} more</p>`,
    command !== undefined && commandLine(command),
  ];
}
