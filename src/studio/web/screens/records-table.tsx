/** A table of records; each opens to the record and the document it becomes. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownRecord } from '../../wire.js';
import { labelOf } from '../map/field-names.js';
import { Button, Head, untrusted } from '../parts.js';
import { DocumentView, type PairSelection, RecordView } from '../record-view.js';
import { documentRows, mappingFields } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';

/** Fields that have a column if the mapping has them. */
const SHOWN = ['metrics.score', 'published', 'language', 'author.username'];

export function RecordTable({ records }: { records: readonly ShownRecord[] }) {
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
