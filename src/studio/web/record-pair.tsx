/** A record beside the document it becomes, and what came from where. */
import type { JSX } from 'preact';
import type { PreviewedRecord } from '../../operations/preview-documents.js';
import { FieldName, Foreign } from './parts.js';
import { documentRows, makes } from './session/mapping-fields.js';

/** What is pointed at: a field of the document, or a column of the record. */
export type Pointed = { readonly field: string } | { readonly column: string } | undefined;

interface PairProps {
  readonly of: PreviewedRecord;
  readonly chosen: Pointed;
  choose(chosen: Pointed): void;
}

export function RecordPair({ of: previewed, chosen, choose }: PairProps): JSX.Element {
  const { place, record, document, problems, skipped, rules } = previewed;
  const columns = new Set(
    chosen === undefined
      ? []
      : 'column' in chosen
        ? [chosen.column]
        : rules
            .filter(({ field }) => makes(field, chosen.field))
            .flatMap((rule) => Object.keys(rule.columns)),
  );
  return (
    <div class="pair">
      <div>
        <h3>Record {place.record}</h3>
        <RecordTable record={record} columns={columns} chosen={chosen} choose={choose} />
      </div>
      <div>
        <h3>{skipped ? 'Skipped' : 'Document'}</h3>
        {skipped ? <p>No document: a rule under skip holds for this record.</p> : null}
        {problems.length > 0 ? (
          <ul class="problems">
            {problems.map(({ message, field }) => (
              <li key={`${field} ${message}`}>
                <Foreign value={message} />
              </li>
            ))}
          </ul>
        ) : null}
        {document === null ? null : (
          <DocumentTable of={previewed} document={document} chosen={chosen} choose={choose} />
        )}
      </div>
    </div>
  );
}

function RecordTable(props: {
  readonly record: PreviewedRecord['record'];
  readonly columns: ReadonlySet<string>;
  readonly chosen: Pointed;
  choose(chosen: Pointed): void;
}): JSX.Element {
  const { record, columns, choose } = props;
  if (record === null) return <p>It could not be read.</p>;
  return (
    <table class="values" aria-label="The record's columns">
      <tbody>
        {Object.entries(record).map(([column, value]) => (
          <tr key={column} class={columns.has(column) ? 'marked' : ''}>
            <th scope="row">
              <button type="button" class="plain" onClick={() => choose({ column })}>
                <Foreign value={column} />
              </button>
            </th>
            <td>
              <Foreign value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DocumentTable(props: PairProps & { readonly document: object }): JSX.Element {
  const { of: previewed, document, chosen, choose } = props;
  return (
    <table class="values" aria-label="The document's fields">
      <tbody>
        {documentRows(document).map(([name, value]) => {
          const origins = originsOf(previewed, name);
          const marked = isMarked(name, origins, chosen);
          return (
            <tr key={name} class={marked ? 'marked' : ''} data-field={name}>
              <th scope="row">
                <button type="button" class="plain" onClick={() => choose({ field: name })}>
                  <FieldName name={name} />
                </button>
                {marked && origins.length > 0 ? (
                  <span class="origin">
                    from <Foreign value={origins.join(', ')} />
                  </span>
                ) : null}
              </th>
              <td>
                <Foreign value={value} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function isMarked(name: string, origins: readonly string[], chosen: Pointed): boolean {
  if (chosen === undefined) return false;
  return 'field' in chosen ? makes(name, chosen.field) : origins.includes(chosen.column);
}

/** The columns that the rule of a field names. */
export function originsOf({ rules }: PreviewedRecord, name: string): readonly string[] {
  const columns = rules
    .filter(({ field }) => makes(field, name))
    .flatMap((rule) => Object.keys(rule.columns));
  return [...new Set(columns)];
}
