/** The sample's records as a table with the outcome of each, filtered by links. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownRecord } from '../../wire.js';
import {
  Button,
  ErrorMessage,
  figure,
  Head,
  Input,
  Notices,
  Pager,
  Panel,
  untrusted,
} from '../parts.js';
import { DocumentView, type PairSelection, RecordView } from '../record-view.js';
import { screenAddress, useAddress } from '../session/address.js';
import { ask, useAnswer } from '../session/ask.js';
import { documentRows, labelOf, mappingFields } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';

/** Records shown at a time. */
const PAGE_SIZE = 25;

/** Filtered by the address, whose change starts it anew at the first page. */
export function RecordsScreen() {
  const { text, asOf, isOpen } = useSession();
  const address = useAddress();
  const [first, setFirst] = useState(1);
  const [search, setSearch] = useState('');
  const only = address.get('outcome') ?? undefined;
  const problem = address.get('problem') ?? undefined;
  const body = { text, asOf, from: first - 1, limit: PAGE_SIZE, search, only, problem };
  const load = (signal: AbortSignal) => ask('records', body, signal);
  const about = [text, asOf, isOpen, first, search];
  const { answer, refused } = useAnswer(isOpen ? load : undefined, about);
  const find = (wanted: string): void => {
    setSearch(wanted);
    setFirst(1);
  };
  const pages = { at: first, size: PAGE_SIZE, of: answer?.matching ?? 0, show: setFirst };
  return (
    <Panel title="Records">
      <Filters only={only} problem={problem} />
      <div class="panel-head">
        <Input type="search" label="Search records" value={search} sketch={find} />
        <Pager thing="page" {...pages} />
      </div>
      <ErrorMessage of={refused} />
      <Notices of={answer?.notices} />
      {answer?.records.length === 0 ? (
        <p class="empty" role="status">
          {noneText({ only, problem }, search)}{' '}
          <a href={screenAddress('Records')}>Show all records</a>
        </p>
      ) : (
        <RecordTable records={answer?.records ?? []} />
      )}
    </Panel>
  );
}

interface Filter {
  /** An outcome. */
  only: string | undefined;
  /** The message of a problem. */
  problem: string | undefined;
}

function Filters({ only, problem }: Filter) {
  const { health, outcomes } = useSession();
  return (
    <nav class="filters" aria-label="Filters">
      <ul>
        {filterLink('All', health?.sampled, {}, only === undefined && problem === undefined)}
        {outcomes.map((name) => filterLink(name, health?.[name], { outcome: name }, name === only))}
      </ul>
      <ul aria-label="Problems">
        {health?.problems.map(({ message, records }) =>
          filterLink(message, records, { problem: message }, message === problem),
        )}
      </ul>
    </nav>
  );
}

function filterLink(
  label: string,
  records: number | undefined,
  to: Readonly<Record<string, string>>,
  isChosen: boolean,
) {
  return (
    <li key={label}>
      <a href={screenAddress('Records', to)} aria-current={isChosen ? 'true' : undefined}>
        <span class={records ? to['outcome'] : ''}>{untrusted(label)}</span>{' '}
        <b>{figure(records ?? 0)}</b>
      </a>
    </li>
  );
}

function noneText({ only, problem }: Filter, search: string): string {
  if (search !== '') return `No record with this filter contains “${search}”.`;
  if (problem !== undefined) return 'No record has this problem any more.';
  return only === undefined ? 'There are no records in this file.' : `No record is ${only}.`;
}

/** Fields that have a column if the mapping has them. */
const SHOWN = ['metrics.score', 'published', 'language', 'author.username'];

/** Each record opens to its columns and the document it becomes. */
function RecordTable({ records }: { records: readonly ShownRecord[] }) {
  const mapped = mappingFields(useSession().written).map(({ name }) => name);
  const fields = SHOWN.filter((field) => mapped.includes(field));
  return (
    <table class="record-table">
      <Head of={['Record', 'Outcome', 'Text', ...fields.map(labelOf)]} />
      <tbody>
        {records.map((record) => (
          <OneRecord key={record.place.record} of={record} fields={fields} />
        ))}
      </tbody>
    </table>
  );
}

function OneRecord({ of, fields }: { of: ShownRecord; fields: readonly string[] }) {
  const { place, document, problems, outcome } = of;
  const [isOpen, setOpen] = useState(false);
  const values = new Map(documentRows(document ?? {}));
  return (
    <>
      <tr class={isOpen ? 'open' : ''} onClick={() => setOpen(!isOpen)}>
        <td>
          <Button class="plain expand" aria-expanded={isOpen} text={place.record} />
        </td>
        <td class={outcome}>{outcome}</td>
        <td class="beginning">
          <div class="clip">
            {problems[0] && <span class="wrong">{untrusted(problems[0].message)} </span>}
            {shownText(of)}
          </div>
        </td>
        {fields.map((field) => (
          <td key={field}>{values.has(field) && untrusted(shownValue(values.get(field)))}</td>
        ))}
      </tr>
      {isOpen && (
        <tr class="opened">
          <td colSpan={3 + fields.length}>
            <RecordPair of={of} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The text of the document, or what the text's rule reads from a record without a document. */
function shownText({ document, rules }: ShownRecord): ComponentChildren {
  const read = rules.find(({ field }) => field === 'text')?.columns ?? {};
  const text = document ? document.text : Object.values(read).filter(Boolean).join(' ');
  return !text ? <span class="none">no text</span> : untrusted(text);
}

/** The day of a timestamp, and other values as they are. */
function shownValue(value: unknown): unknown {
  return /^\d{4}-\d\d-\d\dT/u.test(String(value)) ? String(value).slice(0, 10) : value;
}

function RecordPair({ of }: { of: ShownRecord }) {
  const [chosen, choose] = useState<PairSelection>({});
  return (
    <div class="pair">
      <div>
        <h3>Record {of.place.record}</h3>
        <RecordView of={of} chosen={chosen} choose={choose} />
      </div>
      <div>
        <h3>{of.outcome === 'skipped' ? 'Left out' : 'Document'}</h3>
        <DocumentView of={of} chosen={chosen} choose={choose} />
      </div>
    </div>
  );
}
