/** A record next to its document; selecting a field or column marks its counterparts. */
import type { JSX } from 'preact';
import type { PreviewedRecord } from '../../operations/preview-documents.js';
import { FieldName, UntrustedText } from './parts.js';
import { contributesTo, documentRows } from './session/mapping-fields.js';

/** A selected field of the document or column of the record. */
export type PairSelection = { readonly field: string } | { readonly column: string } | undefined;

interface PairProps {
  readonly of: PreviewedRecord;
  readonly chosen: PairSelection;
  choose(chosen: PairSelection): void;
}

export function RecordPair({ of: previewed, chosen, choose }: PairProps): JSX.Element {
  const { place, record, document, problems, skipped, rules } = previewed;
  const columns = new Set(
    chosen === undefined
      ? []
      : 'column' in chosen
        ? [chosen.column]
        : rules
            .filter(({ field }) => contributesTo(field, chosen.field))
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
        {skipped ? <p>No document: a condition under skip applies to this record.</p> : null}
        {problems.length > 0 ? (
          <ul class="problems">
            {problems.map(({ message, field }) => (
              <li key={`${field} ${message}`}>
                <UntrustedText value={message} />
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
  readonly chosen: PairSelection;
  choose(chosen: PairSelection): void;
}): JSX.Element {
  const { record, columns, choose } = props;
  if (record === null) return <p>This record could not be read.</p>;
  return (
    <table class="values" aria-label="The record's columns">
      <tbody>
        {Object.entries(record).map(([column, value]) => (
          <tr key={column} class={columns.has(column) ? 'marked' : ''}>
            <th scope="row">
              <button type="button" class="plain" onClick={() => choose({ column })}>
                <UntrustedText value={column} />
              </button>
            </th>
            <td>
              <UntrustedText value={value} />
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
                    from <UntrustedText value={origins.join(', ')} />
                  </span>
                ) : null}
              </th>
              <td>
                <UntrustedText value={value} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function isMarked(name: string, origins: readonly string[], chosen: PairSelection): boolean {
  if (chosen === undefined) return false;
  return 'field' in chosen ? contributesTo(name, chosen.field) : origins.includes(chosen.column);
}

/** Lists the columns that a field's rules name. */
export function originsOf({ rules }: PreviewedRecord, name: string): readonly string[] {
  const columns = rules
    .filter(({ field }) => contributesTo(field, name))
    .flatMap((rule) => Object.keys(rule.columns));
  return [...new Set(columns)];
}
