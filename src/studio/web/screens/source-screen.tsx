/** The file: how it is read, its columns, and its first rows. */
import type { JSX } from 'preact';
import type { ColumnsAnswer, SourceAnswer } from '../../wire.js';
import { counted, ErrorMessage, figure, Notices, Panel, UntrustedText } from '../parts.js';
import { ask, useAnswer } from '../session/ask.js';
import { inputOf } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';
import { ColumnList } from './source-columns.js';
import { DELIMITER_NAMES, InputOptions } from './source-options.js';

export function SourceScreen({ session }: { readonly session: MappingSession }): JSX.Element {
  const { source, text, isOpen, written } = session;
  const columns = useAnswer<ColumnsAnswer>(
    isOpen ? (signal) => ask('/api/columns', { body: { text }, signal }) : undefined,
    [isOpen, JSON.stringify(inputOf(written))],
  );
  if (source.answer === undefined) {
    return source.waiting ? (
      <p role="status">Reading the file.</p>
    ) : (
      <ErrorMessage of={source.refused} />
    );
  }
  return (
    <>
      <Panel title="How the file is read">
        <ErrorMessage of={source.refused} />
        <p>{readingText(source.answer)}</p>
        <Notices of={source.answer.notices} />
        <details class="reading">
          <summary>Read it differently</summary>
          <InputOptions session={session} source={source.answer} />
          <p class="soft">Your choices are written into the mapping, under input.</p>
        </details>
      </Panel>
      <ErrorMessage of={columns.refused} />
      {columns.answer === undefined ? null : (
        <ColumnList columns={columns.answer.columns} usedBy={session.evaluation.answer?.usedBy} />
      )}
      <Rows source={source.answer} />
    </>
  );
}

/** For example `csv, utf-8, delimiter: semicolon. 4,800 bytes, 24 records in all.` */
function readingText({ detected, bytes, records, whole }: SourceAnswer): string {
  const { format, encoding, compression, delimiter, sheet } = detected;
  const between = delimiter === null ? undefined : (DELIMITER_NAMES[delimiter] ?? delimiter);
  const parts = [
    format,
    encoding,
    compression && `compressed with ${compression}`,
    between && `delimiter: ${between}`,
    sheet && `sheet ${sheet}`,
  ];
  const size = bytes === null ? '' : `${figure(bytes)} bytes, `;
  const extent = whole
    ? `${counted(records, 'record')} in all.`
    : `read up to record ${figure(records)} for this page.`;
  return `${parts.filter(Boolean).join(', ')}. ${size}${extent}`;
}

/** Number of columns shown in the table of rows. */
const MAX_COLUMNS = 60;

function Rows({ source: { rows, columns } }: { readonly source: SourceAnswer }): JSX.Element {
  const names = columns ?? [...new Set(rows.flatMap(({ record }) => Object.keys(record ?? {})))];
  const shown = names.slice(0, MAX_COLUMNS);
  if (rows.length === 0) {
    return (
      <Panel title="Records">
        <p>There are no records in this file.</p>
      </Panel>
    );
  }
  return (
    <Panel title={`First ${counted(rows.length, 'record')}`}>
      {names.length > shown.length ? (
        <p>
          The first {shown.length} of {counted(names.length, 'column')}. The mapping can name any of
          them.
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Records">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Line</th>
              {shown.map((name) => (
                <th scope="col" key={name}>
                  <UntrustedText value={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ place, record, problem }) => (
              <tr key={place.record}>
                <td>{place.line ?? place.record}</td>
                {record === null ? (
                  <td colSpan={shown.length}>
                    <UntrustedText value={problem} />
                  </td>
                ) : (
                  shown.map((name) => (
                    <td key={name}>
                      <div class="cell">
                        <UntrustedText value={record[name]} />
                      </div>
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
