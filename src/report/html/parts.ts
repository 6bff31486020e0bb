/** Parts of all sections: escaped markup, tables, bars and cards. */
import { html } from 'hono/html';
import { percent, thousands } from '../../model/figures.js';
import { type Counts, OUTCOMES, type Place } from '../../model/record.js';
import { excerpt, printable } from '../../model/text.js';
import { withProgramName } from '../program-name.js';
import { nameOfOutcome, type Report } from '../report.js';

export type Html = ReturnType<typeof html>;
/** Texts are escaped; `false`, `null` and `undefined` are left out. */
export type Content = Html | string | false | null | undefined | readonly Content[];

/** Largest number of rows of a table or list; further ones are counted. */
export const MAX_ROWS = 250;

/** @param lead sentence below the heading */
export function section(id: string, title: string, lead: Content, ...content: Content[]): Html {
  return html`
<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${lead && html`<p class="lead">${lead}</p>`}
${content}
</section>`;
}

/** Longer foreign texts are cut; the JSON has all of it. */
const MAX_TEXT = 400;

/** Foreign text: isolated in its direction, with control and bidi characters escaped. */
export function foreign(text: string, max: number = MAX_TEXT): Html {
  return html`<bdi>${printable(excerpt(text, max))}</bdi>`;
}

/**
 * A sentence of docferry's with foreign words: those in quotes are isolated in their direction, those
 * in backticks are code.
 */
export function sentenceText(text: string): Content {
  const parts = withProgramName(text).split(/(`[^`]*`|"(?:[^"\\]|\\.)*")/u);
  return parts.map((part, index) => {
    if (index % 2 === 0) return printable(excerpt(part, MAX_TEXT));
    return part.startsWith('"') ? foreign(part) : html`<code>${foreign(part.slice(1, -1))}</code>`;
  });
}

/** `reviews.csv and 2 more` */
export function inputsText([first = 'no input', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${thousands(others.length)} more`;
}

/** `reviews.csv, record 3, line 4` */
export function placeText({ source, record, line }: Place): Content {
  return [foreign(source), `, record ${record}`, line !== null && `, line ${line}`];
}

/** A field, which is best broken at its dots. */
export function fieldName(field: string): Content {
  return field.split(/(?<=\.)/u).map((part, index) => [index > 0 && html`<wbr>`, foreign(part)]);
}

/** Fields, separated by commas. */
export function fieldNames(all: readonly string[], max: number): Content {
  const shown = all.slice(0, max).map((name, index) => [index > 0 && ', ', fieldName(name)]);
  return [shown, all.length > max && ` and ${thousands(all.length - max)} more`];
}

/** Command that one click selects, to be copied. */
export function commandLine(command: string): Html {
  return html`<p class="command"><code>${printable(command)}</code></p>`;
}

/** `27 Nov 2026, 01:05 Europe/Madrid`: the time where the run was. */
export function momentText(
  time: string,
  timeZone: string = 'UTC',
  timeStyle: 'short' | 'medium' = 'short',
): string {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, timeZone });
    return `${format.format(new Date(time))} ${timeZone}`;
  } catch {
    return time;
  }
}

/** A share as a bar. */
export function bar(part: number, whole: number): Html {
  const width = whole === 0 ? 0 : Math.min(100, Math.max(part > 0 ? 1 : 0, (part * 100) / whole));
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
<rect width="100" height="1" class="rest"/><rect width="${width.toFixed(1)}" height="1" class="part"/>
</svg>`;
}

/** Outcomes of records as a stacked bar. */
export function outcomeBar(counts: Counts): Html {
  let left = 0;
  const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
    const width = (counts[outcome] * 1000) / counts.read;
    left += width;
    const from = (left - width).toFixed(1);
    return html`<rect x="${from}" width="${width.toFixed(1)}" height="1" class="is-${outcome}"/>`;
  });
  return html`<svg class="outcomes" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true">
<rect width="1000" height="1" class="rest"/>${parts}
</svg>`;
}

export function outcomesText(counts: Counts, command: Report['command']): string {
  const found = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  const parts = found.map(
    (outcome) => `${thousands(counts[outcome])} ${nameOfOutcome(outcome, command)}`,
  );
  return parts.join(' + ') || 'nothing';
}

/** Heading of a column, and its kind unless it is text. */
type Heading = string | readonly [heading: Content, kind: 'figure' | 'bars'];

export function figures(heading: string): Heading {
  return [heading, 'figure'];
}

/** Column of bars, hidden on narrow screens. */
export const BARS: Heading = [html`<span class="unseen">Compared</span>`, 'bars'];

interface TableOf<Row> {
  readonly columns: readonly Heading[];
  readonly rows: readonly Row[];
  readonly cells: (row: Row) => readonly Content[];
  /** Plural noun for the rows, used if not all are shown. */
  readonly what?: string;
}

/** Table of at most {@link MAX_ROWS} rows, with a row header in the first column. */
export function table<Row>(
  caption: string,
  { columns, rows, cells, what = 'lines' }: TableOf<Row>,
): Html {
  const all = columns.map((one) => (typeof one === 'string' ? ([one, ''] as const) : one));
  const heads = all.map(([heading, kind]) => html`<th scope="col" class="${kind}">${heading}</th>`);
  const body = rows.slice(0, MAX_ROWS).map((row) => {
    const [first, ...others] = cells(row);
    const rest = others.map((cell, index) => html`<td class="${all[index + 1]?.[1]}">${cell}</td>`);
    return html`<tr><th scope="row">${first}</th>${rest}</tr>\n`;
  });
  return html`
<table>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${body}</tbody>
</table>
${omitted(rows.length, what)}`;
}

/** States how many items a list omits. */
export function omitted(total: number, what: string, max: number = MAX_ROWS): Content {
  if (total <= max) return null;
  return html`<p class="cut">${thousands(max)} of ${thousands(total)} ${what} are shown here; the
report's JSON has all.</p>`;
}

interface ChartFigures {
  /** Headings, first that of the names; by default the title and `Count`. */
  readonly columns?: readonly [string, ...string[]];
  readonly rows: readonly (readonly [name: string, ...figures: (number | string)[]])[];
}

/** A chart, and its figures as a table. */
export function chart(
  title: string,
  text: string,
  svg: Html,
  { columns: [first, ...others] = [title, 'Count'], rows }: ChartFigures,
): Html {
  const columns = [first, ...others.map(figures)];
  const cells = ([name, ...numbers]: (typeof rows)[number]): Content[] => [
    name,
    ...numbers.map((one) => (typeof one === 'number' ? thousands(one) : one)),
  ];
  return html`
<figure class="card">
<figcaption><h3>${title}</h3><p class="caption">${text}</p></figcaption>
<div class="chart" role="img" aria-label="${title}">${svg}</div>
<details><summary>As a table<span class="unseen">: ${title}</span></summary>
${table(title, { columns, rows, cells })}</details>
</figure>`;
}

/** Values with their frequencies, as bars. */
export function shares(
  title: string,
  text: string,
  values: readonly { readonly value: Content; readonly count: number }[],
  whole: number,
): Html {
  const columns = ['Value', figures('Count'), figures('Share'), BARS];
  const cells = ({ value, count }: (typeof values)[number]): Content[] => [
    ...[value, thousands(count), percent(count, whole), bar(count, whole)],
  ];
  return html`
<section class="card">
<h3>${title}</h3><p class="caption">${text}</p>
${table(title, { columns, rows: values, cells })}
</section>`;
}

/** Formats a number with its significant digits: whole from 100 on, otherwise three. */
export function decimal(number: number): string {
  if (Math.abs(number) >= 100) return thousands(number);
  return number.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
