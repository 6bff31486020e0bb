/** The file: how it is read, its columns, and its first rows. */
import type { SourceAnswer } from '../../wire.js';
import { counted, ErrorMessage, figure, Head, Notices, Panel, untrusted } from '../parts.js';
import { useSession } from '../session/use-session.js';
import { ColumnList } from './source-columns.js';
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
function readingText({ detected, bytes, records, whole }: SourceAnswer): string {
  const { format, encoding, compression, delimiter, sheet } = detected;
  const parts = [
    format,
    encoding,
    compression && `compressed with ${compression}`,
    delimiter && `delimiter: ${DELIMITER_NAMES[delimiter] ?? delimiter}`,
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

function Rows({ source: { rows, columns } }: { source: SourceAnswer }) {
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
