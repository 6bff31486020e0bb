import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, thousands } from '../../model/figures.js';
import type { ProblemKind } from '../../model/record.js';
import type { ProblemExample, ProblemGroup } from '../../outcomes/tally.js';
import { BARS, Bar, type Bounds, Foreign, Section, Table } from './parts.js';

const WHOLE = 'whole record';

/**
 * Problems by kind and field, with examples, and filters for browsers that run the page's script.
 */
export function Problems(
  props: Bounds & { readonly problems: readonly ProblemGroup[] },
): JSX.Element {
  const { problems, maxRows } = props;
  if (problems.length === 0) {
    return <Section id="problems" title="Problems" lead="No record has a problem." />;
  }
  const rows = problems.flatMap(rowsOf).toSorted((a, b) => b.count - a.count);
  const all = problems.reduce((sum, group) => sum + group.count, 0);
  const lead = `${count(all, 'problem')} of ${count(problems.length, 'kind')}. A record may have several.`;
  return (
    <Section id="problems" title="Problems" lead={lead}>
      <Filters problems={problems} fields={[...new Set(rows.map(({ field }) => field))]} />
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
        data={({ kind, field }) => ({ 'data-kind': kind, 'data-field': field })}
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

interface ProblemRow {
  readonly kind: ProblemKind;
  readonly field: string;
  readonly count: number;
}

/** Problems without a field concern the whole record. */
function rowsOf({ kind, count, fields }: ProblemGroup): readonly ProblemRow[] {
  const named = Object.entries(fields).map(([field, count]) => ({ kind, field, count }));
  const rest = count - named.reduce((sum, row) => sum + row.count, 0);
  return rest > 0 ? [...named, { kind, field: WHOLE, count: rest }] : named;
}

function Filters(props: {
  readonly problems: readonly ProblemGroup[];
  readonly fields: readonly string[];
}): JSX.Element {
  const { problems, fields } = props;
  return (
    <search class="filters" aria-label="Problems" hidden>
      <Choice name="kind" label="Kind" values={problems.map(({ kind }) => kind)} />
      <Choice name="field" label="Field" values={fields} />
      <label>
        <span>Text</span>
        <input type="search" name="text" autocomplete="off" />
      </label>
      <button type="button" class="all">
        Show all
      </button>
      <output />
    </search>
  );
}

function Choice(props: { name: string; label: string; values: readonly string[] }): JSX.Element {
  const { name, label, values } = props;
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        <option value="">all</option>
        {values.map((value) => (
          <option value={value}>
            <Foreign text={value} />
          </option>
        ))}
      </select>
    </label>
  );
}

function Examples({ group }: { readonly group: ProblemGroup }): JSX.Element {
  const { kind, examples } = group;
  const more = group.count - examples.length;
  return (
    <section class="card problem" data-kind={kind}>
      <h4>
        <code>{kind}</code> <span>{count(group.count, 'problem')}</span>
      </h4>
      <p class="caption">{MEANINGS[kind]}</p>
      <ul>
        {groupExamples(examples).map((examples) => (
          <Example kind={kind} examples={examples} />
        ))}
      </ul>
      {more > 0 ? <p class="cut">{`and ${thousands(more)} more`}</p> : null}
    </section>
  );
}

/** Groups examples with the same message. */
function groupExamples(
  examples: readonly ProblemExample[],
): readonly (readonly ProblemExample[])[] {
  const groups = new Map<string, ProblemExample[]>();
  for (const example of examples) {
    const key = JSON.stringify([example.field, example.message]);
    groups.set(key, [...(groups.get(key) ?? []), example]);
  }
  return [...groups.values()];
}

function Example(props: {
  readonly kind: ProblemKind;
  readonly examples: readonly ProblemExample[];
}): JSX.Element {
  const { kind, examples } = props;
  const [{ field = null, message = '' } = {}] = examples;
  return (
    <li data-kind={kind} data-field={field ?? WHOLE}>
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

/** One-sentence versions of the explanations in `docs/report.md`. */
const MEANINGS: Readonly<Record<ProblemKind, string>> = {
  ragged: 'The record has more or fewer fields than there are columns.',
  'not-utf8': 'Bytes of the record can’t be decoded.',
  'not-json': 'The record isn’t valid JSON.',
  'not-an-object': 'The record is JSON, but not an object.',
  'unclosed-quote': 'A quote is opened and never closed.',
  'malformed-quote':
    'A closing quote is followed by other text, so that fields can’t be told apart.',
  'too-deep': 'The record is nested too deeply.',
  'unreadable-date': 'A rule of the mapping can’t read the date.',
  'skipped-time': 'The time was skipped by the clocks of its zone.',
  'unreadable-number': 'A rule of the mapping can’t read the number.',
  'out-of-scale': 'The number is outside the scale stated in the mapping.',
  'not-text': 'The value is an object or a list where a text is needed.',
  'slow-expression': 'A regular expression takes too long on the record.',
  'mapping-failed': 'The function that makes the document threw an error or returned no document.',
  'missing-field': 'The document lacks a field that it must have.',
  'unknown-field': 'The document has an unknown field.',
  blank: 'A text is blank.',
  'wrong-type': 'A value is of another type than its field.',
  'not-allowed-value': 'The field doesn’t allow this value.',
  'bad-format': 'A value is not in the format of its field.',
  'too-short': 'A value is shorter than its field allows.',
  'too-long': 'A value is longer than its field allows, or the record is too large.',
  'too-small': 'A number is smaller than its field allows.',
  'too-large': 'A number is larger than its field allows.',
  'repeated-value': 'A list contains a value twice.',
  schema: 'The document violates its schema.',
  'broken-text': 'A text contains a lone surrogate, which can’t be sent.',
  duplicate: 'The sourceId occurred before in this run, with the same content.',
  'repeated-id': 'The sourceId occurred before in this run, with other content.',
  known: 'An earlier run imported it, with the same content.',
  changed: 'An earlier run imported it, with other content.',
  'in-doubt': 'An earlier run may have imported it: it is unconfirmed.',
  rejected: 'The service refused it.',
  unknown: 'It was sent, but it is unknown whether it arrived.',
  'sent-again': 'It was sent more than once.',
  'shown-twice': 'The service shows it more than once.',
};
