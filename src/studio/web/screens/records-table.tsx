/** A table of records; each opens to the record and the document it becomes. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownRecord } from '../../wire.js';
import { UntrustedText } from '../parts.js';
import { type PairSelection, RecordPair } from '../record-pair.js';
import { documentRows, fieldsOf, testFromRecord, testsOf } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';

/** Columns for those of these fields that the mapping has. */
const SHOWN_FIELDS: readonly (readonly [field: string, title: string])[] = [
  ['metrics.score', 'Score'],
  ['published', 'Date'],
  ['language', 'Language'],
  ['author.username', 'Author'],
];

export function RecordTable(props: {
  readonly records: readonly ShownRecord[];
  readonly session: MappingSession;
}): JSX.Element {
  const { records, session } = props;
  const mapped = new Set(fieldsOf(session.written).map(({ name }) => name));
  const fields = SHOWN_FIELDS.filter(([field]) => mapped.has(field));
  return (
    <table class="record-table">
      <thead>
        <tr>
          <th scope="col">Record</th>
          <th scope="col">Outcome</th>
          <th scope="col">Text</th>
          {fields.map(([field, title]) => (
            <th scope="col" key={field} class="more">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <OneRecord
            key={record.place.record}
            of={record}
            session={session}
            fields={fields.map(([field]) => field)}
          />
        ))}
      </tbody>
    </table>
  );
}

function OneRecord(props: {
  readonly of: ShownRecord;
  readonly session: MappingSession;
  readonly fields: readonly string[];
}): JSX.Element {
  const { of: shown, session, fields } = props;
  const { place, document, record, problems, outcome } = shown;
  const [isOpen, setOpen] = useState(false);
  const [chosen, choose] = useState<PairSelection>();
  const values = new Map(documentRows(document ?? {}));
  return (
    <>
      <tr class={isOpen ? 'open' : ''} onClick={() => setOpen(!isOpen)}>
        <td>
          <button type="button" class="plain expand" aria-expanded={isOpen}>
            {place.record}
          </button>
        </td>
        <td class={`outcome ${outcome}`}>{outcome}</td>
        <td class="beginning">
          <div class="clip">
            {problems[0] === undefined ? null : (
              <span class="error">
                <UntrustedText value={problems[0].message} />{' '}
              </span>
            )}
            <UntrustedText value={document?.text ?? longestText(record)} />
          </div>
        </td>
        {fields.map((field) => (
          <td key={field} class="more">
            {values.has(field) ? (
              <UntrustedText value={shownValue(field, values.get(field))} />
            ) : null}
          </td>
        ))}
      </tr>
      {isOpen ? (
        <tr class="opened">
          <td colSpan={3 + fields.length}>
            <RecordPair of={shown} chosen={chosen} choose={choose} />
            <MakeTest of={shown} session={session} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** Recognises a skipped record, which has no document. */
function longestText(record: ShownRecord['record']): string {
  const texts = Object.values(record ?? {}).filter((value) => typeof value === 'string');
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

/** Of a timestamp its day. */
function shownValue(field: string, value: unknown): unknown {
  return field === 'published' ? String(value).replace(/T.*/u, '') : value;
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
