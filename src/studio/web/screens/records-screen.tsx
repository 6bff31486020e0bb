/** The sample's records as a table with the outcome of each, filtered by links. */
import { useState } from 'preact/hooks';
import type { Health } from '../../wire.js';
import {
  counted,
  ErrorMessage,
  figure,
  Input,
  Notices,
  Pager,
  Panel,
  untrusted,
} from '../parts.js';
import { screenAddress, useAddress } from '../session/address.js';
import { ask, useAnswer } from '../session/ask.js';
import { useSession } from '../session/use-session.js';
import { RecordTable } from './records-table.js';

/** Records shown at a time. */
const PAGE_SIZE = 25;

/** Filtered by the address, whose change starts it anew at the first page. */
export function RecordsScreen() {
  const { text, asOf, isOpen, health } = useSession();
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
      {health?.whole === false && <p class="soft">{extentText(health)}</p>}
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

function extentText({ sampled }: Health): string {
  return `Among the first ${counted(sampled, 'record')}. Check reads the whole file.`;
}

function noneText({ only, problem }: Filter, search: string): string {
  if (search !== '') return `No record with this filter contains “${search}”.`;
  if (problem !== undefined) return 'No record has this problem any more.';
  return only === undefined ? 'There are no records in this file.' : `No record is ${only}.`;
}
