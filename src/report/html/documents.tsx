import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Coverage } from '../../coverage/coverage.js';
import type { NumberFigures } from '../../coverage/number-spread.js';
import type { Counted } from '../../coverage/value-counts.js';
import { byteSize, count, percent, thousands } from '../../model/figures.js';
import { lackingText } from '../coverage-text.js';
import { histogram, monthBars } from './charts.js';
import { Chart, decimal, Foreign, Omitted, Section, Shares, Table } from './parts.js';

/** Describes the documents as a whole. */
export function Documents({ coverage }: { readonly coverage: Coverage }): JSX.Element {
  const { documents, metrics, textLength, languages, sentiments } = coverage;
  const spreads = Object.entries(metrics).slice(0, MAX_METRICS);
  return (
    <Section id="documents" title="Documents" lead={leadOf(coverage)}>
      <div class="cards">
        <Published coverage={coverage} />
        {spreads.map(([name, figures]) => (
          <Spread title={name} of={documents} figures={figures} />
        ))}
        {textLength === null ? null : (
          <Spread title="Characters of text" of={documents} figures={textLength} />
        )}
        <Values title="Languages" what="Language" values={languages} of={documents} />
        <Values title="Sentiments" what="Sentiment" values={sentiments} of={documents} />
      </div>
      <Omitted total={Object.keys(metrics).length} max={MAX_METRICS} what="metrics" />
    </Section>
  );
}

const MAX_METRICS = 8;

function leadOf({ documents, repeats, requests }: Coverage): string {
  const { same, other } = repeats;
  const repeated =
    same + other === 0
      ? 'no sourceId is repeated'
      : `${thousands(same)} repeat a sourceId with the same content, ${thousands(other)} with other content`;
  const sending =
    requests.count === 0
      ? ''
      : ` An import takes ${count(requests.count, 'request')} with ${byteSize(requests.bytes)}, the largest ${byteSize(requests.largest)}.`;
  return `${count(documents, 'valid document')}; ${repeated}.${sending}`;
}

function Published({ coverage }: { readonly coverage: Coverage }): Child {
  const { published } = coverage;
  if (published === null) return null;
  const { first, last, ahead, months, years } = published;
  const text = `${first.slice(0, 10)} to ${last.slice(0, 10)}${ahead > 0 ? `; ${thousands(ahead)} in the future` : ''}`;
  if (months.length === 0) return <Years text={text} years={years} />;
  const table = <CountTable what="Month" values={months} />;
  return <Chart title="Published" text={text} svg={monthBars(months)} table={table} />;
}

function Years({ text, years }: { readonly text: string; years: readonly Counted[] }): JSX.Element {
  const whole = years.reduce((sum, { count }) => sum + count, 0);
  return <Shares title="Published" text={text} values={years} whole={whole} what="Year" />;
}

/** Chart of a number's distribution, with statistics. */
export function Spread(props: {
  readonly title: string;
  readonly figures: NumberFigures;
  /** Number of documents that could have the number. */
  readonly of: number;
  readonly unit?: string;
}): JSX.Element {
  const { title, figures, of, unit } = props;
  const { least, most, mean, quantiles, values, bins } = figures;
  const lacking = of - figures.count;
  const facts = [
    `${decimal(least)} to ${decimal(most)}${unit === undefined ? '' : ` ${unit}`}`,
    `median ${decimal(quantiles.p50)}, mean ${decimal(mean)}`,
    ...(values === null ? [`90 % from ${decimal(quantiles.p5)} to ${decimal(quantiles.p95)}`] : []),
    ...(lacking > 0 ? [lackingText(lacking)] : []),
  ];
  const rows =
    values?.map(({ value, count }) => ({ value: decimal(value), count })) ??
    bins?.map(({ from, to, count }) => ({
      value: `${decimal(from)} to ${decimal(to)}`,
      count,
    })) ??
    [];
  const table = <CountTable what={title} values={rows} />;
  const svg = histogram(figures, unit ?? null);
  return <Chart title={title} text={facts.join('; ')} svg={svg} table={table} />;
}

function CountTable(props: { what: string; values: readonly Counted[] }): JSX.Element {
  const { what, values } = props;
  return (
    <Table
      caption={what}
      columns={[what, { figures: 'Count' }]}
      rows={values}
      cells={({ value, count }) => [value, thousands(count)]}
    />
  );
}

const MAX_VALUES = 8;

function Values(props: {
  readonly title: string;
  readonly what: string;
  readonly values: readonly Counted[];
  readonly of: number;
}): Child {
  const { title, what, values, of } = props;
  if (values.length === 0) return null;
  const rest = values.slice(MAX_VALUES);
  const known = values.reduce((sum, { count }) => sum + count, 0);
  const others = rest.reduce((sum, { count }) => sum + count, 0);
  const rows = [
    ...values
      .slice(0, MAX_VALUES)
      .map(({ value, count }) => ({ value: <Foreign text={value} />, count })),
    ...(rest.length > 0 ? [{ value: <i>{`${rest.length} more`}</i>, count: others }] : []),
    ...(known < of ? [{ value: <i>none</i>, count: of - known }] : []),
  ];
  const text = `${count(values.length, 'value')}; ${percent(known, of)} of the documents have one`;
  return <Shares title={title} text={text} values={rows} whole={of} what={what} />;
}
