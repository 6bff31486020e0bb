import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ColumnCoverage, Coverage } from '../../coverage/coverage.js';
import { count, percent, thousands } from '../../model/figures.js';
import { BARS, Bar, Foreign, Names, Section, Table } from './parts.js';

/** How filled and used the inputs' columns and the documents' fields are. */
export function Columns({ coverage }: { readonly coverage: Coverage }): JSX.Element {
  const { columns, fields, documents } = coverage;
  return (
    <Section id="columns" title="Columns and fields" lead={<Lead columns={columns} />}>
      <div class="pair">
        <div>
          <h3>Columns of the inputs</h3>
          <Table
            caption="Columns of the inputs"
            columns={['Column', 'Becomes', { figures: 'Filled' }, BARS]}
            rows={columns}
            cells={({ name, used, fields, filled, records }) => [
              <Foreign text={name} />,
              <Use fields={fields} isUsed={used} />,
              percent(filled, records),
              <Bar part={filled} whole={records} />,
            ]}
            what="columns"
          />
        </div>
        <div>
          <h3>Fields of the documents</h3>
          <Table
            caption="Fields of the documents"
            columns={['Field', { figures: 'Filled' }, BARS]}
            rows={fields}
            what="fields"
            cells={({ field, filled, constant }) => [
              <Field name={field} constant={constant} />,
              <span title={thousands(filled)}>{percent(filled, documents)}</span>,
              <Bar part={filled} whole={documents} />,
            ]}
          />
        </div>
      </div>
    </Section>
  );
}

function Use(props: { readonly fields: readonly string[]; isUsed: boolean }): JSX.Element {
  const { fields, isUsed } = props;
  if (!isUsed) return <span class="no">not used</span>;
  if (fields.length === 0) return <>used</>;
  return <Names of={fields} max={MAX_FIELDS} />;
}

const MAX_FIELDS = 4;

function Field(props: { readonly name: string; constant: string | null }): JSX.Element {
  const { name, constant } = props;
  if (constant === null) return <Foreign text={name} />;
  return (
    <>
      <Foreign text={name} />{' '}
      <small>
        always <Foreign text={constant} />
      </small>
    </>
  );
}

const MAX_LISTED = 8;

function Lead({ columns }: { readonly columns: readonly ColumnCoverage[] }): Child {
  const used = columns.filter((column) => column.used);
  const unused = columns.filter((column) => !column.used && column.filled > 0);
  const facts = `The mapping uses ${thousands(used.length)} of ${count(columns.length, 'column')}.`;
  if (unused.length === 0) return facts;
  return (
    <>
      {facts} Filled, and not used: <Names of={unused.map(({ name }) => name)} max={MAX_LISTED} />.
    </>
  );
}
