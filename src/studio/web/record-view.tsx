/** A record and its document; selecting a field or column marks its counterparts. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportedDocument } from '../../index.js';
import type { PreviewedRecord } from '../../operations/preview-documents.js';
import { Button, Input } from './controls.js';
import { contributesTo, documentRows, recordRows } from './session/mapping-fields.js';
import { counted, fieldName, untrusted } from './text.js';

/** A selected field of the document or column of the record. */
export type PairSelection = { readonly field: string } | { readonly column: string } | undefined;

interface ViewProps {
  of: PreviewedRecord;
  chosen: PairSelection;
  choose(chosen: PairSelection): void;
}

/** Fewer columns need no search. */
const MIN_SEARCHED = 15;

interface RecordProps extends ViewProps {
  /** Whether any rule or condition uses a column; absent if it needn't be shown. */
  isUsed?(column: string): boolean;
  /** Renders actions for the chosen column. */
  actions?(column: string, value: unknown): ComponentChildren;
}

export function RecordView({ of, chosen, choose, isUsed = () => true, actions }: RecordProps) {
  const [search, setSearch] = useState('');
  if (of.record === null) return <p>This record could not be read.</p>;
  const marked = columnsOf(of, chosen);
  const rows = recordRows(of.record);
  const unused = rows.filter(([name]) => !isUsed(name)).length;
  const wanted = search.toLowerCase();
  const lookOf = (name: string) => (marked.has(name) ? 'marked' : isUsed(name) ? '' : 'unused');
  return (
    <>
      {unused > 0 && <p class="soft">{`${unused} of ${counted(rows.length, 'column')} unused`}</p>}
      {rows.length >= MIN_SEARCHED && (
        <Input type="search" label="Search the columns" value={search} sketch={setSearch} />
      )}
      <table class="values" aria-label="The record's columns">
        <tbody>
          {rows
            .filter(([name]) => name.toLowerCase().includes(wanted))
            .map(([name, value]) => {
              const isChosen = chosen !== undefined && 'column' in chosen && chosen.column === name;
              return (
                <Row
                  key={name}
                  class={lookOf(name)}
                  name={untrusted(name)}
                  value={value}
                  choose={() => choose(isChosen ? undefined : { column: name })}
                  below={isChosen && actions?.(name, value)}
                />
              );
            })}
        </tbody>
      </table>
    </>
  );
}

function Row(props: {
  class: string;
  name: ComponentChildren;
  value: unknown;
  choose(): void;
  /** Name of a document's field. */
  field?: string;
  origin?: ComponentChildren;
  below?: ComponentChildren;
}) {
  return (
    <tr class={props.class} data-field={props.field}>
      <th scope="row">
        <Button class="plain" text={props.name} onClick={props.choose} />
        {props.origin}
      </th>
      <td>
        {untrusted(props.value)}
        {props.below}
      </td>
    </tr>
  );
}

function columnsOf({ rules }: PreviewedRecord, chosen: PairSelection): ReadonlySet<string> {
  if (chosen === undefined) return new Set();
  if ('column' in chosen) return new Set([chosen.column]);
  const about = rules.filter(({ field }) => contributesTo(field, chosen.field));
  return new Set(about.flatMap((rule) => Object.keys(rule.columns)));
}

export function DocumentView({ of, chosen, choose }: ViewProps) {
  const { document, problems, skipped, rules } = of;
  return (
    <>
      {skipped && <p>No document: a condition leaves this record out.</p>}
      {problems.length > 0 && (
        <ul class="problems">
          {problems.map(({ message, field }) => (
            <li key={`${field} ${message}`}>{untrusted(message)}</li>
          ))}
        </ul>
      )}
      {document !== null && (
        <>
          <ReviewCard of={document} />
          <table class="values" aria-label="The document's fields">
            <tbody>
              {documentRows(document).map(([name, value]) => {
                const origins = originsOf(rules, name);
                const isMarked = isChosenField(name, origins, chosen);
                return (
                  <Row
                    key={name}
                    class={isMarked ? 'marked' : ''}
                    field={name}
                    name={fieldName(name)}
                    value={value}
                    choose={() => choose({ field: name })}
                    origin={isMarked && origins.length > 0 && originText(origins)}
                  />
                );
              })}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}

function isChosenField(name: string, origins: readonly string[], chosen: PairSelection): boolean {
  if (chosen === undefined) return false;
  return 'field' in chosen ? contributesTo(name, chosen.field) : origins.includes(chosen.column);
}

/** Lists the columns that a field's rules name. */
function originsOf(rules: PreviewedRecord['rules'], name: string): readonly string[] {
  const about = rules.filter(({ field }) => contributesTo(field, name));
  return [...new Set(about.flatMap((rule) => Object.keys(rule.columns)))];
}

function originText(origins: readonly string[]) {
  return <div class="soft">from {untrusted(origins.join(', '))}</div>;
}

const SENTIMENTS: Readonly<Record<string, readonly [label: string, look: string]>> = {
  B: ['Good', 'valid'],
  N: ['Neutral', 'skipped'],
  R: ['Bad', 'invalid'],
};

/** A document as a reader of reviews sees it. */
export function ReviewCard({ of: document }: { of: ImportedDocument }) {
  const { author, published, metrics = [], sentiment = '', text, tags = [], language } = document;
  const score = metrics.find(({ name }) => name === 'score')?.value;
  const [label, look] = SENTIMENTS[sentiment] ?? [];
  const places = document.detectedLocations?.map((place) => place.replace(/^[^:]*: /u, '')) ?? [];
  return (
    <article class="review" aria-label="The review">
      <p>
        <b>{untrusted(author?.username ?? 'No author name')}</b>{' '}
        <span class="soft">{untrusted([dayOf(published), ...places].join(' · '))}</span>
      </p>
      <p>
        {score !== undefined && <b>{score} of 5</b>} <b class={look}>{label}</b>{' '}
        <span class="soft">{language}</span>
      </p>
      <p class="review-text">{untrusted(text)}</p>
      <p class="tags">
        {tags.map((tag) => (
          <span key={tag}>{untrusted(tag)}</span>
        ))}
      </p>
    </article>
  );
}

function dayOf(published: string | undefined): string {
  const time = Date.parse(published ?? '');
  if (Number.isNaN(time)) return 'no date';
  return new Date(time).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
}
