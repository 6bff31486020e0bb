/** A record and its document; selecting a field or column marks its counterparts. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportedDocument } from '../../index.js';
import type { RuleUse } from '../../operations/preview-documents.js';
import type { ShownRecord } from '../wire.js';
import { Button, counted, fieldName, Input, Notices, SENTIMENTS, untrusted } from './parts.js';
import { contributesTo, documentRows, recordRows } from './session/mapping-fields.js';

/** A selected field of the document or column of the record. */
export interface PairSelection {
  readonly field?: string;
  readonly column?: string;
}

export interface ViewProps {
  of: ShownRecord;
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
  const rows = recordRows(of.record);
  const unused = rows.filter(([name]) => !isUsed(name)).length;
  const found = rows.filter(([name]) => name.toLowerCase().includes(search.toLowerCase()));
  const linked = chosen.column === undefined ? linkedRules(of.rules, chosen) : [];
  const lookOf = (name: string): string => {
    const isLinked = linked.some(({ columns }) => Object.hasOwn(columns, name));
    if (isLinked || name === chosen.column) return 'marked';
    return isUsed(name) ? '' : 'unused';
  };
  return (
    <>
      {unused > 0 && <p class="soft">{`${unused} of ${counted(rows.length, 'column')} unused`}</p>}
      {rows.length >= MIN_SEARCHED && (
        <Input type="search" label="Search the columns" value={search} sketch={setSearch} />
      )}
      <Values
        label="The record’s columns"
        rows={found.map(([name, value]) => ({
          name,
          value,
          look: lookOf(name),
          shown: fieldName(name),
          choose: () => choose({ column: name }),
          below: name === chosen.column && of.outcome !== 'skipped' && actions?.(name, value),
        }))}
      />
    </>
  );
}

/** The rules that a selected field or column takes part in. */
export function linkedRules(rules: readonly RuleUse[], { field, column }: PairSelection) {
  if (column !== undefined) return rules.filter(({ columns }) => Object.hasOwn(columns, column));
  return field === undefined ? [] : rules.filter((rule) => contributesTo(rule.field, field));
}

interface ValueRow {
  readonly name: string;
  readonly shown: ComponentChildren;
  readonly value: unknown;
  readonly look: string;
  choose(): void;
  readonly below?: ComponentChildren;
}

function Values({ label, rows }: { label: string; rows: readonly ValueRow[] }) {
  return (
    <table class="values" aria-label={label}>
      <tbody>
        {rows.map(({ name, shown, value, look, choose, below }) => (
          <tr key={name} class={look} data-name={name}>
            <th scope="row">
              <Button class="plain" text={shown} onClick={choose} />
            </th>
            <td>
              {untrusted(value)}
              {below}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function DocumentView({ of, chosen, choose }: ViewProps) {
  const { document, problems, outcome, rules } = of;
  const linked = linkedRules(rules, chosen);
  const isMarked = (name: string) => linked.some(({ field }) => contributesTo(field, name));
  return (
    <>
      {outcome === 'skipped' && <p>No document: a condition leaves this record out.</p>}
      <Notices of={problems.map(({ message }) => message)} class="problems" />
      {document && <ReviewCard of={document} />}
      <Values
        label="The document’s fields"
        rows={documentRows(document ?? {}).map(([name, value]) => ({
          name,
          value,
          look: isMarked(name) ? 'marked' : '',
          shown: fieldName(name),
          choose: () => choose({ field: name }),
        }))}
      />
    </>
  );
}

const LOOKS: Readonly<Record<string, string>> = { B: 'valid', N: 'skipped', R: 'invalid' };

/** A document as a reader of reviews sees it. */
function ReviewCard({ of: document }: { of: ImportedDocument }) {
  const { author, published, metrics = [], sentiment = '', text, tags = [], language } = document;
  const score = metrics.find(({ name }) => name === 'score')?.value;
  const places = document.detectedLocations?.map((place) => place.replace(/^[^:]*: /u, '')) ?? [];
  return (
    <article class="review" aria-label="The review">
      <p>
        <b>{untrusted(author?.username ?? 'No author name')}</b>{' '}
        <span class="soft">{untrusted([dayOf(published), ...places].join(' · '))}</span>
      </p>
      <p>
        {score !== undefined && <b>{score} of 5</b>}{' '}
        <b class={LOOKS[sentiment]}>{SENTIMENTS[sentiment]}</b> <span class="soft">{language}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard. */}
      <p class="review-text" tabIndex={0}>
        {untrusted(text)}
      </p>
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
