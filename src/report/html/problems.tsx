/** What was wrong with records: how often each kind is in each field, and examples. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, thousands } from '../../model/figures.js';
import type { ProblemKind } from '../../model/record.js';
import type { ProblemExample, ProblemGroup } from '../../outcomes/tally.js';
import { BARS, Bar, type Bounds, Foreign, Section, Table } from './parts.js';

const WHOLE = 'whole record';

/** The section of problems. */
export function Problems(
  props: Bounds & { readonly problems: readonly ProblemGroup[] },
): JSX.Element {
  const { problems, maxRows } = props;
  if (problems.length === 0) {
    return <Section id="problems" title="Problems" lead="Nothing was wrong with any record." />;
  }
  const rows = problems.flatMap(rowsOf).toSorted((a, b) => b.count - a.count);
  const all = problems.reduce((sum, group) => sum + group.count, 0);
  const lead = `${count(all, 'problem')} of ${count(problems.length, 'kind')}. A record may have several.`;
  return (
    <Section id="problems" title="Problems" lead={lead}>
      <Table
        class="fields"
        caption="Problems by kind and field"
        columns={['Kind', 'Field', { figures: 'Problems' }, BARS]}
        rows={rows}
        cells={({ kind, field, count }) => [
          <code>{kind}</code>,
          field === WHOLE ? <i>{WHOLE}</i> : <Foreign text={field} />,
          thousands(count),
          <Bar part={count} whole={rows[0]?.count ?? 0} />,
        ]}
        cut={{ maxRows, what: 'lines' }}
      />
      <h3>Examples</h3>
      <div class="examples">
        {problems.map((group) => (
          <Examples group={group} />
        ))}
      </div>
    </Section>
  );
}

/** Problems of one kind that concern one field. */
interface ProblemRow {
  readonly kind: ProblemKind;
  readonly field: string;
  readonly count: number;
}

/** What is in no field is of the whole record. */
function rowsOf({ kind, count, fields }: ProblemGroup): readonly ProblemRow[] {
  const named = Object.entries(fields).map(([field, count]) => ({ kind, field, count }));
  const rest = count - named.reduce((sum, row) => sum + row.count, 0);
  return rest > 0 ? [...named, { kind, field: WHOLE, count: rest }] : named;
}

function Examples({ group }: { readonly group: ProblemGroup }): JSX.Element {
  const { kind, examples } = group;
  const more = group.count - examples.length;
  return (
    <section class="card problem">
      <h4>
        <code>{kind}</code> <span>{count(group.count, 'problem')}</span>
      </h4>
      <p class="caption">{MEANINGS[kind]}</p>
      <ul>
        {alike(examples).map((examples) => (
          <Example examples={examples} />
        ))}
      </ul>
      {more > 0 ? <p class="cut">{`and ${thousands(more)} more`}</p> : null}
    </section>
  );
}

/** What was said of several records stands there once. */
function alike(examples: readonly ProblemExample[]): readonly (readonly ProblemExample[])[] {
  const groups = new Map<string, ProblemExample[]>();
  for (const example of examples) {
    const key = JSON.stringify([example.field, example.message]);
    groups.set(key, [...(groups.get(key) ?? []), example]);
  }
  return [...groups.values()];
}

/** What was said of one record or of several. */
function Example(props: { readonly examples: readonly ProblemExample[] }): JSX.Element {
  const { examples } = props;
  const [{ message = '' } = {}] = examples;
  return (
    <li>
      <Foreign text={message} />
      {examples.map(({ source, record, line }) => (
        <small class="line">
          <Foreign text={source} />
          {`, record ${thousands(record)}${line === null ? '' : `, line ${thousands(line)}`}`}
        </small>
      ))}
    </li>
  );
}

/** In a sentence what `docs/report.md` says of them. */
const MEANINGS: Readonly<Record<ProblemKind, string>> = {
  ragged: 'The record has more or fewer fields than there are columns.',
  'not-utf8': 'Bytes of the record can’t be decoded.',
  'not-json': 'The record is no JSON.',
  'not-an-object': 'The record is JSON, but no object.',
  'unclosed-quote': 'A quote is opened and never closed.',
  'malformed-quote': 'A quote stands where none may be, so that fields can’t be told apart.',
  'too-deep': 'The record is nested too deeply.',
  'unreadable-date': 'A rule of the mapping can’t read the date.',
  'skipped-time': 'The time was skipped by the clocks of its zone.',
  'unreadable-number': 'A rule of the mapping can’t read the number.',
  'out-of-scale': 'The number lies outside the scale that the mapping states.',
  'not-text': 'The value is an object or a list where a text is needed.',
  'slow-expression': 'A regular expression takes too long on the record.',
  'mapping-failed': 'The function that makes the document threw, or returned none.',
  'missing-field': 'The document lacks a field that it must have.',
  'unknown-field': 'The document has a field that it may not have.',
  blank: 'A text is blank.',
  'wrong-type': 'A value is of another type than its field.',
  'not-allowed-value': 'A value is none of those that its field allows.',
  'bad-format': 'A value is not in the format of its field.',
  'too-short': 'A value is shorter than its field allows.',
  'too-long': 'A value is longer than its field allows, or the record is too large.',
  'too-small': 'A number is smaller than its field allows.',
  'too-large': 'A number is larger than its field allows.',
  'repeated-value': 'A list holds a value twice.',
  schema: 'The document violates its schema.',
  'broken-text': 'A text holds a lone surrogate, which can’t be sent.',
  duplicate: 'The sourceId occurred before in this run, with the same content.',
  'repeated-id': 'The sourceId occurred before in this run, with other content.',
  known: 'An earlier run imported it, with the same content.',
  changed: 'An earlier run imported it, with other content.',
  'in-doubt': 'An earlier run may have imported it: it is unconfirmed.',
  rejected: 'The service refused it.',
  unknown: 'It was sent, and nothing shows whether it arrived.',
  'sent-again': 'It was sent more than once.',
  'shown-twice': 'The service shows it more than once.',
};
