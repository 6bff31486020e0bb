/** The sample's records as a table with the outcome of each, filtered by links. */
import { useState } from 'preact/hooks';
import type { RecordsAnswer } from '../../wire.js';
import { Button, Input } from '../controls.js';
import { ErrorMessage, Notices, Panel } from '../parts.js';
import { screenAddress, useAddress } from '../session/address.js';
import { ask, useAnswer } from '../session/ask.js';
import { OUTCOMES, useSession } from '../session/use-session.js';
import { counted, figure, untrusted } from '../text.js';
import { RecordTable } from './records-table.js';

/** Records shown at a time. */
const PAGE_SIZE = 25;

interface Filter {
  readonly only: (typeof OUTCOMES)[number] | undefined;
  /** The message of a problem. */
  readonly problem: string | undefined;
}

export function RecordsScreen() {
  const address = useAddress();
  const { health } = useSession();
  const only = OUTCOMES.find((outcome) => outcome === address.get('outcome'));
  const problem = address.get('problem') ?? undefined;
  const outcomes = OUTCOMES.filter((one) => one !== 'duplicate' || (health?.duplicate ?? 0) > 0);
  return (
    <Panel title="Records">
      <nav class="filters" aria-label="Filters">
        <ul>
          {filterLink('All', health?.sampled, {}, only === undefined && problem === undefined)}
          {outcomes.map((name) =>
            filterLink(name, health?.[name], { outcome: name }, name === only),
          )}
        </ul>
        <ul aria-label="Problems">
          {health?.problems.map(({ message, records }) =>
            filterLink(message, records, { problem: message }, message === problem),
          )}
        </ul>
      </nav>
      {/* Another filter begins at its first page. */}
      <FilteredRecords key={`${only} ${problem}`} filter={{ only, problem }} />
    </Panel>
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
        <span class={to['outcome'] ?? ''}>{untrusted(label)}</span> <b>{figure(records ?? 0)}</b>
      </a>
    </li>
  );
}

function FilteredRecords({ filter }: { filter: Filter }) {
  const { text, isOpen } = useSession();
  const [from, setFrom] = useState(0);
  const [search, setSearch] = useState('');
  const body = { text, from, limit: PAGE_SIZE, search, ...filter };
  const load = (signal: AbortSignal): Promise<RecordsAnswer> =>
    ask('/api/records', { body, signal });
  const on = [text, isOpen, from, search];
  const { answer, refused, waiting } = useAnswer(isOpen ? load : undefined, on);
  return (
    <>
      <div class="panel-head">
        <Input
          type="search"
          label="Search records"
          value={search}
          sketch={(wanted) => {
            setSearch(wanted);
            setFrom(0);
          }}
        />
        <Paging from={from} of={answer?.matching ?? 0} show={setFrom} />
      </div>
      <ErrorMessage of={refused} />
      <Notices of={answer?.notices} />
      {answer?.whole === false && (
        <p class="soft">
          {`Among the first ${counted(answer.sampled, 'record')}. Check reads the whole file.`}
        </p>
      )}
      {answer?.records.length === 0 && (
        <p class="empty" role="status">
          {noneText(filter, search)} <a href={screenAddress('Records')}>Show all records</a>
        </p>
      )}
      {answer !== undefined && answer.records.length > 0 && (
        <div aria-busy={waiting}>
          <RecordTable records={answer.records} />
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

function Paging({ from, of, show }: { from: number; of: number; show(from: number): void }) {
  const next = from + PAGE_SIZE;
  const shown = of === 0 ? '0' : `${figure(from + 1)}–${figure(Math.min(next, of))}`;
  const link = (text: string, to: number, isThere: boolean) => (
    <Button text={text} aria-label={`${text} page`} disabled={!isThere} onClick={() => show(to)} />
  );
  return (
    <div class="actions">
      {link('Previous', from - PAGE_SIZE, from > 0)}
      <span role="status">
        {shown} of {figure(of)}
      </span>
      {link('Next', next, next < of)}
    </div>
  );
}
