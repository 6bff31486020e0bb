/** The sample's records with the outcome of each. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownRecord } from '../../wire.js';
import { counted, ErrorMessage, Notices, Panel, UntrustedText } from '../parts.js';
import { type PairSelection, RecordPair } from '../record-pair.js';
import { useAnswer } from '../session/ask.js';
import { testFromRecord, testsOf } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';
import { previewOf } from './map-screen.js';

/** Records shown at a time. */
const PAGE_SIZE = 25;

export function RecordsScreen({ session }: { readonly session: MappingSession }): JSX.Element {
  const { text, isOpen } = session;
  const [from, setFrom] = useState(0);
  const [search, setSearch] = useState('');
  const [invalid, setInvalid] = useState(false);
  const preview = useAnswer(
    isOpen
      ? (signal) => previewOf({ text, from, limit: PAGE_SIZE, search, invalid }, signal)
      : undefined,
    [text, isOpen, from, search, invalid],
  );
  const { answer } = preview;
  const extent =
    answer === undefined || answer.whole
      ? ''
      : `Among the first ${counted(answer.sampled, 'record')}. A check covers the whole file.`;
  return (
    <Panel title="Records">
      <form class="options" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input
            type="search"
            value={search}
            onInput={({ currentTarget: { value } }) => {
              setSearch(value);
              setFrom(0);
            }}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={invalid}
            onChange={({ currentTarget: { checked } }) => {
              setInvalid(checked);
              setFrom(0);
            }}
          />
          Only invalid ones
        </label>
        <div class="actions">
          <button type="button" disabled={from === 0} onClick={() => setFrom(from - PAGE_SIZE)}>
            Previous page
          </button>
          <button type="button" disabled={!answer?.more} onClick={() => setFrom(from + PAGE_SIZE)}>
            Next page
          </button>
        </div>
      </form>
      <p class="soft">{extent}</p>
      <ErrorMessage of={preview.refused} />
      <Notices of={answer?.notices} />
      <div aria-busy={preview.waiting}>
        {answer?.records.length === 0 ? <p>No matching records.</p> : null}
        {answer?.records.map((record) => (
          <OneRecord key={record.place.record} of={record} session={session} />
        ))}
      </div>
    </Panel>
  );
}

function OneRecord(props: {
  readonly of: ShownRecord;
  readonly session: MappingSession;
}): JSX.Element {
  const { of: previewed, session } = props;
  const { place, document, skipped, problems } = previewed;
  const [isOpen, setOpen] = useState(false);
  const [chosen, choose] = useState<PairSelection>();
  const state = skipped ? 'skipped' : problems.length > 0 ? 'invalid' : 'valid';
  return (
    <details
      class="record"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span>{place.record}</span> <span class={`outcome ${state}`}>{state}</span>{' '}
        <span class="excerpt">
          <UntrustedText value={problems[0]?.message ?? document?.text ?? ''} />
        </span>
      </summary>
      {isOpen ? (
        <>
          <RecordPair of={previewed} chosen={chosen} choose={choose} />
          <MakeTest of={previewed} session={session} />
        </>
      ) : null}
    </details>
  );
}

function MakeTest(props: {
  readonly of: ShownRecord;
  readonly session: MappingSession;
}): JSX.Element {
  const { of: previewed, session } = props;
  const [message, setMessage] = useState('');
  const test = testFromRecord(previewed);
  return (
    <p>
      <button
        type="button"
        disabled={typeof test === 'string'}
        onClick={async () => {
          const index = testsOf(session.written).length;
          await session.change({ path: ['tests', index], value: test });
          setMessage(
            `Added as test ${index + 1} of the mapping. Run it with: docferry mapping test`,
          );
        }}
      >
        Make this a test
      </button>{' '}
      <span role="status">{typeof test === 'string' ? test : message}</span>
    </p>
  );
}
