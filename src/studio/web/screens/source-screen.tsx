/** The file: how it is read, its columns, and its first rows. */

import { useState } from 'preact/hooks';
import type { StudioAnswer } from '../../answers.js';
import type { ColumnFigures } from '../../wire.js';
import {
  counted,
  ErrorMessage,
  fieldName,
  figure,
  Head,
  Input,
  Notices,
  Panel,
  untrusted,
} from '../parts.js';
import { screenAddress } from '../session/address.js';
import { useSession } from '../session/use-session.js';
import { DELIMITER_NAMES, InputOptions } from './source-options.js';

export function SourceScreen() {
  const { answer, refused } = useSession().source;
  if (answer === undefined) {
    return refused ? <ErrorMessage of={refused} /> : <p role="status">Reading the file.</p>;
  }
  return (
    <>
      <Panel title="How the file is read">
        <ErrorMessage of={refused} />
        <p>{readingText(answer)}</p>
        <Notices of={answer.notices} />
        <details>
          <summary>Read it differently</summary>
          <InputOptions />
          <p class="soft">Your choices are written into the mapping, under input.</p>
        </details>
      </Panel>
      <ColumnList />
      <Rows source={answer} />
    </>
  );
}

/** For example `csv, utf-8, delimiter: semicolon. 4,800 bytes, 24 records in all.` */
function readingText({ detected, bytes, records, whole }: StudioAnswer<'source'>): string {
  const { format, encoding, compression, delimiter, sheet } = detected;
  const parts = [
    format,
    encoding,
    compression && `compressed with ${compression}`,
    delimiter && `delimiter: ${DELIMITER_NAMES[delimiter] ?? delimiter}`,
    sheet && `sheet ${sheet}`,
  ];
  const size = bytes === null ? '' : `${figure(bytes)} bytes, `;
  const extent = whole ? 'in all' : 'read for this page; Check reads the whole file';
  return `${parts.filter(Boolean).join(', ')}. ${size}${counted(records, 'record')} ${extent}.`;
}

/** Number of columns shown in the table of rows. */
const MAX_COLUMNS = 60;

function Rows({ source: { rows, columns } }: { source: StudioAnswer<'source'> }) {
  const names = columns ?? [...new Set(rows.flatMap(({ record }) => Object.keys(record ?? {})))];
  const shown = names.slice(0, MAX_COLUMNS);
  if (rows.length === 0) return <p>There are no records in this file.</p>;
  return (
    <Panel title={`First ${counted(rows.length, 'record')}`}>
      {names.length > shown.length && (
        <p>{`The first ${shown.length} of ${counted(names.length, 'column')}. The mapping can name any of them.`}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Records">
        <table>
          <Head of={['Line', ...shown]} />
          <tbody>
            {rows.map(({ place, record, problem }) => (
              <tr key={place.record}>
                <td>{place.line ?? place.record}</td>
                {record === null ? (
                  <td colSpan={shown.length}>{untrusted(problem)}</td>
                ) : (
                  shown.map((name) => (
                    <td key={name}>
                      <div class="cell">{untrusted(record[name])}</div>
                    </td>
                  ))
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

/** Number of columns shown; the search finds the others. */
const MAX_SHOWN = 100;

/** The file's columns: how far they are filled, values, and the fields that use them. */
function ColumnList() {
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
