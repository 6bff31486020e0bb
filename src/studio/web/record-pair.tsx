/** A record next to its document; selecting a field or column marks its counterparts. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PreviewedRecord } from '../../operations/preview-documents.js';
import { counted, FieldName, UntrustedText } from './parts.js';
import { ReviewCard } from './review-card.js';
import { contributesTo, documentRows, recordRows } from './session/mapping-fields.js';

/** A selected field of the document or column of the record. */
export type PairSelection = { readonly field: string } | { readonly column: string } | undefined;

export interface PairProps {
  readonly of: PreviewedRecord;
  readonly chosen: PairSelection;
  choose(chosen: PairSelection): void;
}

export function RecordPair(props: PairProps): JSX.Element {
  return (
    <div class="pair">
      <div>
        <h3>Record {props.of.place.record}</h3>
        <RecordTable {...props} />
      </div>
      <div>
        <h3>{props.of.skipped ? 'Left out' : 'Document'}</h3>
        <DocumentView {...props} />
      </div>
    </div>
  );
}

/** Minimum number of columns for a search field. */
const MIN_SEARCHED = 15;

interface TableProps extends PairProps {
  /** Whether any rule or condition uses a column; absent if it needn't be shown. */
  isUsed?(column: string): boolean;
  /** Renders actions for the chosen column. */
  actions?(column: string, value: unknown): ComponentChildren;
}

export function RecordTable({ of, chosen, choose, isUsed, actions }: TableProps): JSX.Element {
  const [search, setSearch] = useState('');
  if (of.record === null) return <p>This record could not be read.</p>;
  const marked = columnsOf(of, chosen);
  const rows = recordRows(of.record);
  const unused = isUsed === undefined ? 0 : rows.filter(([name]) => !isUsed(name)).length;
  const wanted = search.toLowerCase();
  return (
    <>
      {unused === 0 ? null : (
        <p class="soft">
          {unused} of {counted(rows.length, 'column')} unused
        </p>
      )}
      {rows.length < MIN_SEARCHED ? null : (
        <input
          type="search"
          aria-label="Search the columns"
          placeholder="Search the columns"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <table class="values" aria-label="The record's columns">
        <tbody>
          {rows
            .filter(([name]) => name.toLowerCase().includes(wanted))
            .map(([name, value]) => {
              const isChosen = chosen !== undefined && 'column' in chosen && chosen.column === name;
              const state = marked.has(name) ? 'marked' : isUsed?.(name) === false ? 'unused' : '';
              return (
                <tr key={name} class={state}>
                  <th scope="row">
                    <button
                      type="button"
                      class="plain"
                      onClick={() => choose(isChosen ? undefined : { column: name })}
                    >
                      <UntrustedText value={name} />
                    </button>
                  </th>
                  <td>
                    <UntrustedText value={value} />
                    {isChosen ? actions?.(name, value) : null}
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
    </>
  );
}

function columnsOf({ rules }: PreviewedRecord, chosen: PairSelection): ReadonlySet<string> {
  if (chosen === undefined) return new Set();
  if ('column' in chosen) return new Set([chosen.column]);
  const about = rules.filter(({ field }) => contributesTo(field, chosen.field));
  return new Set(about.flatMap((rule) => Object.keys(rule.columns)));
}

export function DocumentView(props: PairProps): JSX.Element {
  const { of: previewed, chosen, choose } = props;
  const { document, problems, skipped } = previewed;
  return (
    <>
      {skipped ? <p>No document: a condition leaves this record out.</p> : null}
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
        <>
          <ReviewCard of={document} />
          <DocumentTable of={previewed} document={document} chosen={chosen} choose={choose} />
        </>
      )}
    </>
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
function originsOf({ rules }: PreviewedRecord, name: string): readonly string[] {
  const columns = rules
    .filter(({ field }) => contributesTo(field, name))
    .flatMap((rule) => Object.keys(rule.columns));
  return [...new Set(columns)];
}
