/** The file's columns: how far they are filled, values, and the fields that use them. */
import { useState } from 'preact/hooks';
import type { ColumnFigures } from '../../wire.js';
import { counted, fieldName, figure, Input, Panel, untrusted } from '../parts.js';
import { screenAddress } from '../session/address.js';
import { useSession } from '../session/use-session.js';

/** Number of columns shown; the search finds the others. */
const MAX_SHOWN = 100;

export function ColumnList() {
  const { columns, usedBy } = useSession();
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const found = columns.filter(({ name }) => name.toLowerCase().includes(wanted));
  const shown = found.slice(0, MAX_SHOWN);
  const used = columns.filter(({ name }) => usedBy[name] !== undefined).length;
  const rest = ` The first ${shown.length} of ${figure(found.length)} are shown. Search for the others.`;
  return (
    <Panel
      title={counted(columns.length, 'column')}
      aside={<Input type="search" label="Search columns" value={search} sketch={setSearch} />}
    >
      <p class="soft" role="status">
        {found.length === 0
          ? `No column’s name contains “${search}”.`
          : `The mapping uses ${figure(used)} of them.`}
        {found.length > shown.length && rest}
      </p>
      <ul class="column-list">
        {shown.map((column) => (
          <OneColumn key={column.name} of={column} fields={usedBy[column.name]} />
        ))}
      </ul>
    </Panel>
  );
}

function OneColumn({ of, fields }: { of: ColumnFigures; fields: readonly string[] | undefined }) {
  const { name, filled, distinct, top } = of;
  return (
    <li class={fields === undefined ? 'unused' : ''}>
      <h3>{untrusted(name)}</h3>
      <div class="column-filled">
        <progress value={filled} aria-hidden="true" />
        <span>{Math.floor(filled * 100)}% filled</span>
        <span class="soft">{counted(distinct, 'different value')}</span>
      </div>
      <ul class="top">
        {top.map(({ value, count }) => (
          <li key={value}>
            {untrusted(value)}
            {count > 1 && <span class="soft"> × {figure(count)}</span>}
          </li>
        ))}
      </ul>
      <div class="tags">
        {!fields?.length && <i class="soft">{fields ? 'only leaves records out' : 'not used'}</i>}
        {fields?.map((field) => (
          <a key={field} href={screenAddress('Map', { field })}>
            {fieldName(field)}
          </a>
        ))}
      </div>
    </li>
  );
}
