/** The sample's records as a table with the outcome of each, filtered by links. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RecordsAnswer } from '../../wire.js';
import {
  counted,
  ErrorMessage,
  figure,
  Notices,
  Panel,
  SearchField,
  UntrustedText,
} from '../parts.js';
import { screenAddress } from '../session/address.js';
import { ask, useAnswer } from '../session/ask.js';
import type { MappingSession } from '../session/use-session.js';
import { RecordTable } from './records-table.js';

interface RecordsProps {
  readonly session: MappingSession;
  /** `outcome` and `problem` filter the records. */
  readonly address: URLSearchParams;
}

/** Records shown at a time. */
const PAGE_SIZE = 25;
const OUTCOMES = ['valid', 'invalid', 'skipped', 'duplicate'] as const;

export function RecordsScreen({ session, address }: RecordsProps): JSX.Element {
  const only = OUTCOMES.find((outcome) => outcome === address.get('outcome'));
  const problem = address.get('problem') ?? undefined;
  const { health } = session;
  const outcomes = OUTCOMES.filter((one) => one !== 'duplicate' || (health?.duplicate ?? 0) > 0);
  return (
    <Panel title="Records">
      <nav class="filters" aria-label="Filters">
        <ul>
          {filterLink('All', health?.sampled ?? 0, {}, only === undefined && problem === undefined)}
          {outcomes.map((outcome) =>
            filterLink(outcome, health?.[outcome] ?? 0, { outcome }, outcome === only),
          )}
        </ul>
        <ul class="by-problem" aria-label="Problems">
          {health?.problems.map(({ message, records }) =>
            filterLink(message, records, { problem: message }, message === problem),
          )}
        </ul>
      </nav>
      {/* Another filter begins at its first page. */}
      <FilteredRecords key={`${only} ${problem}`} session={session} filter={{ only, problem }} />
    </Panel>
  );
}

interface Filter {
  readonly only: (typeof OUTCOMES)[number] | undefined;
  readonly problem: string | undefined;
}

function filterLink(
  label: string,
  records: number,
  to: Readonly<Record<string, string>>,
  isChosen: boolean,
): JSX.Element {
  return (
    <li key={label}>
      <a href={screenAddress('Records', to)} aria-current={isChosen ? 'true' : undefined}>
        <span class={`outcome ${to['outcome'] ?? 'any'}`}>
          <UntrustedText value={label} />
        </span>
        <b>{figure(records)}</b>
      </a>
    </li>
  );
}

function FilteredRecords(props: {
  readonly session: MappingSession;
  readonly filter: Filter;
}): JSX.Element {
  const { session, filter } = props;
  const { text, isOpen } = session;
  const [from, setFrom] = useState(0);
  const [search, setSearch] = useState('');
  const found = useAnswer<RecordsAnswer>(
    isOpen
      ? (signal) => {
          const body = { text, from, limit: PAGE_SIZE, search, ...filter };
          return ask('/api/records', { body, signal });
        }
      : undefined,
    [text, isOpen, from, search],
  );
  const { answer } = found;
  return (
    <>
      <div class="records-head">
        <SearchField
          label="Search records"
          value={search}
          search={(wanted) => {
            setSearch(wanted);
            setFrom(0);
          }}
        />
        <Paging from={from} of={answer?.matching ?? 0} show={setFrom} />
      </div>
      <ErrorMessage of={found.refused} />
      <Notices of={answer?.notices} />
      {answer === undefined ? null : (
        <div aria-busy={found.waiting}>
          {answer.whole ? null : (
            <p class="soft">
              {`Among the first ${counted(answer.sampled, 'record')}. Check reads the whole file.`}
            </p>
          )}
          {answer.records.length === 0 ? (
            <p class="empty" role="status">
              {noneText(filter, search)} <a href={screenAddress('Records')}>Show all records</a>
            </p>
          ) : (
            <RecordTable records={answer.records} session={session} />
          )}
        </div>
      )}
    </>
  );
}

function noneText({ only, problem }: Filter, search: string): string {
  if (search !== '') return `No record with this filter contains “${search}”.`;
  if (problem !== undefined) return 'No record has this problem any more.';
  return only === undefined ? 'There are no records in this file.' : `No record is ${only}.`;
}

function Paging(props: {
  readonly from: number;
  readonly of: number;
  show(from: number): void;
}): JSX.Element {
  const { from, of, show } = props;
  const last = Math.min(from + PAGE_SIZE, of);
  const step = (name: string, to: number, isThere: boolean) => (
    <button type="button" aria-label={`${name} page`} disabled={!isThere} onClick={() => show(to)}>
      {name}
    </button>
  );
  return (
    <div class="actions">
      {step('Previous', from - PAGE_SIZE, from > 0)}
      <span role="status">
        {of === 0 ? '0 of 0' : `${figure(from + 1)}–${figure(last)} of ${figure(of)}`}
      </span>
      {step('Next', from + PAGE_SIZE, last < of)}
    </div>
  );
}
