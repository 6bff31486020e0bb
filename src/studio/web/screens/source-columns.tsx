/** The file's columns: type, how far they are filled, values, and the fields that use them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ColumnFigures } from '../../wire.js';
import { counted, FieldName, figure, Panel, SearchField, UntrustedText } from '../parts.js';
import { screenAddress } from '../session/address.js';

/** Drawn before the type's name. */
const MARKS: Readonly<Record<ColumnFigures['type'], string>> = {
  text: 'Aa',
  date: '31',
  rating: '★',
  number: '12',
  boolean: '✓',
  id: '#',
  list: '[ ]',
  blank: '–',
};
/** Fewer columns need no search. */
const MIN_SEARCHED = 10;
/** Number of columns shown; the search finds the others. */
const MAX_SHOWN = 100;

export function ColumnList(props: {
  readonly columns: readonly ColumnFigures[];
  readonly usedBy: Readonly<Record<string, readonly string[]>> | undefined;
}): JSX.Element {
  const { columns, usedBy = {} } = props;
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const found = columns.filter(({ name }) => name.toLowerCase().includes(wanted));
  const shown = found.slice(0, MAX_SHOWN);
  const used = columns.filter(({ name }) => usedBy[name] !== undefined).length;
  return (
    <Panel
      title={counted(columns.length, 'column')}
      aside={
        columns.length < MIN_SEARCHED ? null : (
          <SearchField label="Search columns" value={search} search={setSearch} />
        )
      }
    >
      <p class="soft" role="status">
        {found.length === 0
          ? `No column’s name contains “${search}”.`
          : `The mapping uses ${figure(used)} of them.`}
        {found.length > shown.length
          ? ` The first ${shown.length} of ${figure(found.length)} are shown. Search for the others.`
          : ''}
      </p>
      <ul class="column-list">
        {shown.map((column) => (
          <OneColumn key={column.name} of={column} fields={usedBy[column.name] ?? []} />
        ))}
      </ul>
    </Panel>
  );
}

function OneColumn(props: {
  readonly of: ColumnFigures;
  readonly fields: readonly string[];
}): JSX.Element {
  const { name, type, filled, distinct, top, histogram } = props.of;
  const share = `${Math.floor(filled * 100)}% filled`;
  return (
    <li class={props.fields.length === 0 ? 'unused' : ''}>
      <div class="column-name">
        <h3>
          <UntrustedText value={name} />
        </h3>
        <span class="type">
          <span class="mark" aria-hidden="true">
            {MARKS[type]}
          </span>
          {type}
        </span>
      </div>
      <div class="column-filled">
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={filled * 100} height="4" />
        </svg>
        <span>{share}</span>
        <span class="soft">{counted(distinct, 'different value')}</span>
      </div>
      <div class="column-values">
        <Histogram of={histogram} label={`${type === 'text' ? 'Lengths' : 'Values'} of ${name}`} />
        <ul class="top">
          {top.map(({ value, count }) => (
            <li key={value}>
              <UntrustedText value={value} />
              {count > 1 ? <span class="soft"> × {figure(count)}</span> : null}
            </li>
          ))}
        </ul>
      </div>
      <div class="column-fields">
        {props.fields.length === 0 ? <span class="soft">not used</span> : null}
        {props.fields.map((field) => (
          <a key={field} href={screenAddress('Map', { field })}>
            <FieldName name={field} />
          </a>
        ))}
      </div>
    </li>
  );
}

const BAR_WIDTH = 8;
const HEIGHT = 28;

function Histogram(props: {
  readonly of: readonly number[] | null;
  readonly label: string;
}): JSX.Element | null {
  if (props.of === null) return null;
  const most = Math.max(...props.of, 1);
  return (
    <svg
      class="histogram"
      role="img"
      aria-label={`${props.label} from low to high: ${props.of.join(', ')}`}
      width={props.of.length * BAR_WIDTH}
      height={HEIGHT}
    >
      {props.of.map((count, index) => {
        // A single value must still be visible.
        const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
        const x = index * BAR_WIDTH;
        return <rect key={x} x={x} y={HEIGHT - height} width={BAR_WIDTH - 1} height={height} />;
      })}
    </svg>
  );
}
