import { html } from 'hono/html';
import { count } from '../../model/figures.js';
import type { Place, Problem } from '../../model/record.js';
import { excerpt } from '../../model/text.js';
import {
  type Content,
  foreign,
  type Html,
  placeText,
  section,
  sentenceText,
  table,
} from './parts.js';

/** A record with problems, as it was read. The JSON report has none. */
export interface RecordSample {
  readonly place: Place;
  /** By column or key; `null` if it could not be read. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** The document it would be; `null` if it could not be read. */
  readonly document: object | null;
  readonly problems: readonly Pick<Problem, 'message' | 'columns'>[];
}

/** Samples, or why there are none. */
export type RecordSamples = readonly RecordSample[] | string;

/** Records with their failing cells marked, and the documents that they would be. */
export function samplesSection(samples: RecordSamples): Html {
  if (typeof samples === 'string') return section('records', 'Records', samples);
  if (samples.length === 0) return section('records', 'Records', 'There are none to show.');
  const lead = `${count(samples.length, 'record')} with problems, as read. This may be personal data.`;
  const items = samples.map(
    ({ place, problems, record, document }, index) => html`
<details class="sample"><summary>${placeText(place)}
<small>${problems[0] && sentenceText(problems[0].message)}</small></summary>
<div id="record-${index}"><ul>${messages(problems)}</ul>
<div class="pair"><div>${record && cells(record, problems)}</div>
${document && html`<div><h3>The document that it would be</h3><pre>${lines(document)}</pre></div>`}</div></div>
</details>`,
  );
  return section('records', 'Records', lead, items);
}

/** Several fields may fail alike. */
function messages(problems: RecordSample['problems']): Content {
  const all = [...new Set(problems.map(({ message }) => message))];
  return all.map((message) => html`<li>${sentenceText(message)}</li>`);
}

/** Names a place, as a link if the record is shown. */
export function linkToSample(place: Place, samples: RecordSamples = ''): Content {
  const all = typeof samples === 'string' ? [] : samples;
  const index = all.findIndex(
    (one) => one.place.source === place.source && one.place.record === place.record,
  );
  const text = placeText(place);
  return index < 0 ? text : html`<a href="#record-${index}">${text}</a>`;
}

const [MAX_CELLS, MAX_VALUE, MAX_LINES] = [30, 120, 100];

/** Shows what fails first, as a wide record is cut. */
function cells(
  record: NonNullable<RecordSample['record']>,
  problems: RecordSample['problems'],
): Content {
  const failing = problems.flatMap(({ columns = [] }) => columns);
  const isFailing = (name: string): boolean => failing.some((path) => isAt(path, name));
  const all = Object.entries(record).filter(([name, value]) => isFailing(name) || !isBlank(value));
  const rows = all.toSorted(([a], [b]) => Number(isFailing(b)) - Number(isFailing(a)));
  const more = rows.length - MAX_CELLS;
  return [
    table('The record as it was read', {
      columns: ['Column', 'Value'],
      rows: rows.slice(0, MAX_CELLS),
      cells: ([name, value]) => {
        const text = isBlank(value) ? '(empty)' : foreign(textOf(value), MAX_VALUE);
        return [foreign(name), isFailing(name) ? html`<mark>${text}</mark>` : text];
      },
    }),
    more > 0 && html`<p class="cut">and ${count(more, 'other filled column')}</p>`,
  ];
}

/** Whether a path begins with a key. */
function isAt(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function lines(document: object): Content {
  const shorten = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? excerpt(value, MAX_VALUE) : value;
  const text = JSON.stringify(document, shorten, 2);
  const all = text.replaceAll(/\{\s+("name": .*)\s+("value": .*)\s+\}/gu, '{ $1 $2 }').split('\n');
  const shown = all.slice(0, MAX_LINES).map((line) => [foreign(line), '\n']);
  return [shown, all.length > MAX_LINES && '…'];
}
