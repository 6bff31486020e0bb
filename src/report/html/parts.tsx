/** Components shared by the sections. */
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { raw } from 'hono/utils/html';
import { percent, thousands } from '../../model/figures.js';
import { type Counts, OUTCOMES } from '../../model/record.js';
import { printable } from '../../model/text.js';
import type { Report } from '../report.js';
import { nameOfOutcome } from '../report-text.js';

/** Largest number of rows of a table or list; further ones are counted. */
export const MAX_ROWS = 250;

export function Section(props: {
  readonly id: string;
  readonly title: string;
  /** Sentence below the heading. */
  readonly lead?: Child;
  readonly children?: Child;
}): JSX.Element {
  const { id, title, lead, children } = props;
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead === undefined ? null : <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/** Longer foreign texts are cut; the JSON has all of it. */
const MAX_TEXT = 400;

/** Foreign text: isolated in its direction, with control and bidi characters escaped. */
export function Foreign({ text }: { readonly text: string }): JSX.Element {
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return <bdi>{printable(shown)}</bdi>;
}

/** Foreign names, separated by commas. */
export function Names({ of, max }: { readonly of: readonly string[]; max: number }): JSX.Element {
  const more = of.length - max;
  return (
    <>
      {of.slice(0, max).map((text, index) => (
        <>
          {index === 0 ? '' : ', '}
          <Foreign text={text} />
        </>
      ))}
      {more > 0 ? ` and ${thousands(more)} more` : ''}
    </>
  );
}

/** A share as a bar. */
export function Bar({ part, whole }: { readonly part: number; whole: number }): JSX.Element {
  const width = whole === 0 ? 0 : Math.min(100, Math.max(part > 0 ? 1 : 0, (part * 100) / whole));
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="1" class="rest" />
      <rect width={width.toFixed(1)} height="1" class="part" />
    </svg>
  );
}

/** Outcomes of records as a stacked bar. */
export function OutcomeBar({ counts }: { readonly counts: Counts }): JSX.Element {
  const whole = Math.max(1, counts.read);
  let left = 0;
  return (
    <svg class="outcomes" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="1000" height="1" class="rest" />
      {OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
        const width = (counts[outcome] * 1000) / whole;
        const from = left;
        left += width;
        return (
          <rect x={from.toFixed(1)} width={width.toFixed(1)} height="1" class={`is-${outcome}`} />
        );
      })}
    </svg>
  );
}

export function outcomesText(counts: Counts, command: Report['command']): string {
  const found = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  if (found.length === 0) return 'nothing';
  return found
    .map((outcome) => `${thousands(counts[outcome])} ${nameOfOutcome(outcome, command)}`)
    .join(' + ');
}

/** Heading of a column, and its kind unless it is text. */
export type Heading = string | { readonly figures: string } | typeof BARS;

/** Column of bars, hidden on narrow screens. */
export const BARS = { bars: true } as const;

/** Table of at most {@link MAX_ROWS} rows, with a row header in the first column. */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Heading[];
  readonly rows: readonly Row[];
  readonly cells: (row: Row) => readonly Child[];
  /** Plural noun for the rows, used if not all are shown. */
  readonly what?: string;
  readonly class?: string;
}): JSX.Element {
  const { caption, columns, rows, cells, what = 'lines' } = props;
  const kinds = columns.map(classOf);
  return (
    <>
      <table class={props.class}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th scope="col" class={kinds[index]}>
                {headingOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row) => {
            const [first, ...others] = cells(row);
            return (
              <tr>
                <th scope="row" class={kinds[0]}>
                  {first}
                </th>
                {others.map((cell, index) => (
                  <td class={kinds[index + 1]}>{cell}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <Omitted total={rows.length} what={what} />
    </>
  );
}

function classOf(column: Heading): string | undefined {
  if (column === BARS) return 'bars';
  return typeof column === 'string' ? undefined : 'figure';
}

function headingOf(column: Heading): Child {
  if (typeof column === 'string') return column;
  return 'figures' in column ? column.figures : <span class="unseen">Compared</span>;
}

/** States how many items a list omits. */
export function Omitted(props: { readonly total: number; what: string; max?: number }): Child {
  const { total, what, max = MAX_ROWS } = props;
  if (total <= max) return null;
  return (
    <p class="cut">
      {`${thousands(max)} of ${thousands(total)} ${what} are shown here; the report's JSON has all.`}
    </p>
  );
}

/** Chart with a heading, a text, and its figures as a table. */
export function Chart(props: {
  readonly title: string;
  readonly text: Child;
  readonly svg: string;
  readonly table: Child;
}): JSX.Element {
  const { title, text, svg, table } = props;
  return (
    <figure class="card">
      <figcaption>
        <h3>{title}</h3>
        <p class="caption">{text}</p>
      </figcaption>
      <div class="chart" role="img" aria-label={title}>
        {raw(svg)}
      </div>
      <details>
        <summary>
          As a table<span class="unseen">: {title}</span>
        </summary>
        {table}
      </details>
    </figure>
  );
}

/** Values with their frequencies, as bars. */
export function Shares(props: {
  readonly title: string;
  readonly text: Child;
  readonly values: readonly { readonly value: Child; readonly count: number }[];
  readonly whole: number;
  readonly what: string;
}): JSX.Element {
  const { title, text, values, whole, what } = props;
  return (
    <section class="card">
      <h3>{title}</h3>
      <p class="caption">{text}</p>
      <Table
        caption={title}
        columns={[what, { figures: 'Count' }, { figures: 'Share' }, BARS]}
        rows={values}
        cells={({ value, count }) => [
          value,
          thousands(count),
          percent(count, whole),
          <Bar part={count} whole={whole} />,
        ]}
      />
    </section>
  );
}

/** Formats a number with its significant digits: whole from 100 on, otherwise three. */
export function decimal(number: number): string {
  if (Math.abs(number) >= 100) return thousands(number);
  return number.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
