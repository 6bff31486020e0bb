/** A table of records; each opens to the record and the document it becomes. */
import { useState } from 'preact/hooks';
import type { ShownRecord } from '../../wire.js';
import { Button } from '../controls.js';
import { DocumentView, type PairSelection, RecordView } from '../record-view.js';
import { documentRows, fieldsOf, testFromRecord, testsOf } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';
import { untrusted } from '../text.js';

/** Columns for those of these fields that the mapping has. */
const SHOWN_FIELDS: Readonly<Record<string, string>> = {
  'metrics.score': 'Score',
  published: 'Date',
  language: 'Language',
  'author.username': 'Author',
};

export function RecordTable({ records }: { records: readonly ShownRecord[] }) {
  const mapped = fieldsOf(useSession().written).map(({ name }) => name);
  const fields = Object.keys(SHOWN_FIELDS).filter((field) => mapped.includes(field));
  return (
    <table class="record-table">
      <thead>
        <tr>
          <th>Record</th>
          <th>Outcome</th>
          <th>Text</th>
          {fields.map((field) => (
            <th key={field} class="more">
              {SHOWN_FIELDS[field]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <OneRecord key={record.place.record} of={record} fields={fields} />
        ))}
      </tbody>
    </table>
  );
}

function OneRecord({ of, fields }: { of: ShownRecord; fields: readonly string[] }) {
  const { place, document, record, problems, outcome } = of;
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
            {untrusted(document?.text ?? longestText(record))}
          </div>
        </td>
        {fields.map((field) => (
          <td key={field} class="more">
            {values.has(field) && untrusted(shownValue(field, values.get(field)))}
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr class="opened">
          <td colSpan={3 + fields.length}>
            <RecordPair of={of} />
            <MakeTest of={of} />
          </td>
        </tr>
      )}
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

function RecordPair({ of }: { of: ShownRecord }) {
  const [chosen, choose] = useState<PairSelection>();
  return (
    <div class="pair">
      <div>
        <h3>Record {of.place.record}</h3>
        <RecordView of={of} chosen={chosen} choose={choose} />
      </div>
      <div>
        <h3>{of.skipped ? 'Left out' : 'Document'}</h3>
        <DocumentView of={of} chosen={chosen} choose={choose} />
      </div>
    </div>
  );
}

function MakeTest({ of }: { of: ShownRecord }) {
  const { written, change } = useSession();
  const [message, setMessage] = useState('');
  const test = testFromRecord(of);
  const make = async (): Promise<void> => {
    const index = testsOf(written).length;
    await change({ path: ['tests', index], value: test });
    setMessage(`Added as test ${index + 1} of the mapping. Run it with: docferry mapping test`);
  };
  return (
    <p>
      <Button text="Make this a test" disabled={typeof test === 'string'} onClick={make} />{' '}
      <span role="status">{typeof test === 'string' ? test : message}</span>
    </p>
  );
}
