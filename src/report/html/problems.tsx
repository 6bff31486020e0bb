import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, thousands } from '../../model/figures.js';
import type { ProblemKind } from '../../model/record.js';
import type { ProblemExample, ProblemGroup } from '../../outcomes/tally.js';
import { causeTexts } from '../causes-text.js';
import type { Report } from '../report.js';
import { placeText } from '../report-text.js';
import { BARS, Bar, Foreign, Section, Table } from './parts.js';

/** Causes of invalid records and their remedies, in the words of the terminal. */
export function Diagnosis({ report }: { readonly report: Report }): JSX.Element {
  const { shown, more } = causeTexts(report);
  const lead = report.diagnosis ?? 'What to fix first: what makes the most records valid.';
  return (
    <Section id="diagnosis" title="Diagnosis" lead={lead}>
      <ol class="causes">
        {shown.map(({ title, evidence, remedy }) => (
          <li>
            <b>
              <Foreign text={title} />
            </b>
            <small class="line">
              <Foreign text={evidence} />
            </small>
            {remedy === undefined ? null : (
              <span class="line">
                <Foreign text={remedy} />
              </span>
            )}
          </li>
        ))}
      </ol>
      {more > 0 ? (
        <p class="cut">{`${count(more, 'other cause')}: the JSON report has all`}</p>
      ) : null}
    </Section>
  );
}

const WHOLE = 'whole record';

/**
 * Problems by kind and field, with examples, and a filter for browsers that run the page's script.
 */
export function Problems({ problems }: Pick<Report, 'problems'>): JSX.Element {
  if (problems.length === 0) {
    return <Section id="problems" title="Problems" lead="No record has a problem." />;
  }
  const rows = problems.flatMap(rowsOf).toSorted((a, b) => b.count - a.count);
  const all = problems.reduce((sum, group) => sum + group.count, 0);
  const lead = `${count(all, 'problem')} of ${count(problems.length, 'kind')}. A record may have several.`;
  return (
    <Section id="problems" title="Problems" lead={lead}>
      <search class="filter" aria-label="Problems" hidden>
        <label>
          <span>Show only lines with</span>
          <input type="search" name="text" autocomplete="off" />
        </label>
        <output />
      </search>
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

function Examples({ group }: { readonly group: ProblemGroup }): JSX.Element {
  const { kind, examples } = group;
  const more = group.count - examples.length;
  return (
    <section class="card problem">
      <h4>
        <code>{kind}</code> <span>{count(group.count, 'problem')}</span>
      </h4>
      <ul>
        {groupExamples(examples).map((examples) => (
          <Example examples={examples} />
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

function Example({ examples }: { readonly examples: readonly ProblemExample[] }): JSX.Element {
  return (
    <li>
      <Foreign text={examples[0]?.message ?? ''} />
      {examples.map((example) => (
        <small class="line">
          <Foreign text={placeText(example)} />
        </small>
      ))}
    </li>
  );
}
