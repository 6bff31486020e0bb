/** What the page's sections are made of. */
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { raw } from 'hono/utils/html';
import { thousands } from '../../model/figures.js';
import { type Counts, OUTCOMES } from '../../model/record.js';
import { printable } from '../printable.js';

/** What a section is given beside its part of the report. */
export interface Bounds {
  /** Rows of a table; what is beyond is counted. */
  readonly maxRows: number;
}

/** A section of the page with its headline, which links lead to. */
export function Section(props: {
  readonly id: string;
  readonly title: string;
  /** A sentence below the headline. */
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

/** More of a text from outside is cut: a page is for looking, the JSON has all of it. */
const MAX_TEXT = 400;

/**
 * A text from outside: in its own direction, and with what would act on the order of its characters
 * as an escape.
 */
export function Foreign({ text }: { readonly text: string }): JSX.Element {
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return <bdi>{printable(shown)}</bdi>;
}

/** Names from outside in a row, separated by commas. */
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

/** A share as a bar; the number stands beside it. */
export function Bar({ part, whole }: { readonly part: number; whole: number }): JSX.Element {
  const width = whole === 0 ? 0 : Math.min(100, Math.max(part > 0 ? 1 : 0, (part * 100) / whole));
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="1" class="rest" />
      <rect width={width.toFixed(1)} height="1" class="part" />
    </svg>
  );
}

/** What became of records as one bar; the figures stand beside it. */
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

/** `304 invalid + 1,022 accepted` */
export function outcomesText(counts: Counts): string {
  const found = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  if (found.length === 0) return 'nothing';
  return found.map((outcome) => `${thousands(counts[outcome])} ${outcome}`).join(' + ');
}

/** A table's heading, and what its cells are if not texts. */
export type Heading = string | { readonly figures: string } | typeof BARS;

/** The column of bars, which narrow screens have no room for. */
export const BARS = { bars: true } as const;

/** A table with headings; the first cell of a row is what the row is about. */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Heading[];
  readonly rows: readonly Row[];
  readonly cells: (row: Row) => readonly Child[];
  /** How many rows are shown, and what they are. */
  readonly cut?: Bounds & { readonly what: string };
  readonly class?: string;
}): JSX.Element {
  const { caption, columns, rows, cells, cut } = props;
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
          {rows.slice(0, cut?.maxRows).map((row) => {
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
      {cut === undefined ? null : <Cut total={rows.length} max={cut.maxRows} what={cut.what} />}
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

/** Says what a list leaves out. */
export function Cut(props: { readonly total: number; max: number; what: string }): Child {
  const { total, max, what } = props;
  if (total <= max) return null;
  return (
    <p class="cut">
      {`${thousands(max)} of ${thousands(total)} ${what} are shown here; the report's JSON has all.`}
    </p>
  );
}

/** A chart with a headline, what there is to say of it, and its figures as a table. */
export function Chart(props: {
  readonly title: string;
  readonly text: Child;
  /** An SVG, or the same for wide and for narrow screens. */
  readonly svg: string | { readonly wide: string; readonly narrow: string };
  readonly table: Child;
}): JSX.Element {
  const { title, text, svg, table } = props;
  const { wide, narrow } = typeof svg === 'string' ? { wide: svg, narrow: undefined } : svg;
  return (
    <figure class={narrow === undefined ? 'card' : 'card broad'}>
      <figcaption>
        <h3>{title}</h3>
        <p class="caption">{text}</p>
      </figcaption>
      <div class={narrow === undefined ? 'chart' : 'chart wide'} role="img" aria-label={title}>
        {raw(wide)}
      </div>
      {narrow === undefined ? null : (
        <div class="chart narrow" role="img" aria-label={title}>
          {raw(narrow)}
        </div>
      )}
      <details>
        <summary>
          As a table<span class="unseen">: {title}</span>
        </summary>
        {table}
      </details>
    </figure>
  );
}

/** Values and how often they occur, as bars with their figures. */
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

/** `12 %`; what is there is never shown as nothing, nor all but one as all. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = (part * 100) / whole;
  if (share > 0 && share < 1) return '< 1 %';
  return `${share < 100 ? Math.min(99, Math.round(share)) : 100} %`;
}

/** A number with what of it means something: whole from a hundred on, else three digits. */
export function show(number: number): string {
  if (Math.abs(number) >= 100) return thousands(number);
  return number.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
