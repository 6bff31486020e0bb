/** How the file is read, and its first rows. */
import type { JSX } from 'preact';
import type { ColumnSummary, MappingChange } from '../../../index.js';
import type { SourceAnswer } from '../../wire.js';
import { counted, ErrorMessage, figure, Notices, Panel, UntrustedText } from '../parts.js';
import { inputOf } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';

export function SourceScreen({ session }: { readonly session: MappingSession }): JSX.Element {
  const { source } = session;
  return (
    <>
      <ErrorMessage of={source.refused} />
      {source.answer === undefined ? (
        <p>{source.waiting ? 'Reading the file.' : ''}</p>
      ) : (
        <>
          <Reading session={session} source={source.answer} />
          <Rows session={session} source={source.answer} />
        </>
      )}
    </>
  );
}

function Reading(props: {
  readonly session: MappingSession;
  readonly source: SourceAnswer;
}): JSX.Element {
  const { session, source } = props;
  const { detected, bytes, records, whole } = source;
  const stated = inputOf(session.written);
  const size = bytes === null ? '' : `${figure(bytes)} bytes. `;
  const extent = whole
    ? `${counted(records, 'record')} in all.`
    : `Only the first ${counted(records, 'record')} are shown here.`;
  return (
    <Panel title="How the file is read">
      <p>
        {size}
        {extent}
      </p>
      <Notices of={source.notices} />
      <div class="options">
        <SelectOption
          name="format"
          detected={detected.format}
          stated={stated['format']}
          choices={source.formats}
          change={session.change}
        />
        {detected.encoding === null ? null : (
          <SelectOption
            name="encoding"
            detected={detected.encoding}
            stated={stated['encoding']}
            choices={[
              'utf-8',
              'windows-1252',
              'iso-8859-15',
              'windows-1250',
              'windows-1251',
              'utf-16le',
              'shift_jis',
              'gb18030',
            ]}
            change={session.change}
          />
        )}
        {detected.delimiter === null ? null : (
          <>
            <SelectOption
              name="delimiter"
              detected={detected.delimiter}
              stated={stated['delimiter']}
              choices={[',', ';', '\t', '|']}
              change={session.change}
            />
            <SelectOption
              name="header"
              detected="yes"
              stated={stated['header'] === false ? 'no' : undefined}
              choices={['no']}
              change={({ path, value }) =>
                session.change(value === undefined ? { path } : { path, value: value !== 'no' })
              }
            />
          </>
        )}
        {detected.sheet === null ? null : (
          <TextOption
            name="sheet"
            detected={detected.sheet}
            stated={stated['sheet']}
            change={session.change}
          />
        )}
      </div>
      <p class="soft">Your choices are written into the mapping, under input.</p>
    </Panel>
  );
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};

interface OptionProps {
  readonly name: string;
  readonly detected: string;
  readonly stated: unknown;
  change(change: MappingChange): Promise<void>;
}

/** Selects an option from its usual values, or the one that the mapping states. */
function SelectOption(props: OptionProps & { readonly choices: readonly string[] }): JSX.Element {
  const { name, detected, stated, choices, change } = props;
  const all = [...new Set([...choices, ...(typeof stated === 'string' ? [stated] : [])])];
  return (
    <label>
      {name}
      <select
        value={typeof stated === 'string' ? stated : ''}
        onChange={({ currentTarget: { value } }) => change(optionChange(name, value))}
      >
        <option value="">{`detected: ${DELIMITER_NAMES[detected] ?? detected}`}</option>
        {all.map((choice) => (
          <option key={choice} value={choice}>
            {DELIMITER_NAMES[choice] ?? choice}
          </option>
        ))}
      </select>
    </label>
  );
}

function TextOption({ name, detected, stated, change }: OptionProps): JSX.Element {
  return (
    <label>
      {name}
      <input
        type="text"
        value={String(stated ?? '')}
        placeholder={`detected: ${detected}`}
        onChange={({ currentTarget: { value } }) => change(optionChange(name, value))}
      />
    </label>
  );
}

/** Sets an option; an empty value removes it, so that it is detected. */
function optionChange(name: string, value: string): MappingChange {
  const path = ['input', name];
  return value === '' ? { path } : { path, value };
}

/** Number of columns shown. */
const MAX_COLUMNS = 60;

function Rows(props: {
  readonly session: MappingSession;
  readonly source: SourceAnswer;
}): JSX.Element {
  const { rows, columns } = props.source;
  const profiles = new Map(props.session.guess?.columns?.map((one) => [one.name, one]));
  const names = columns ?? [...new Set(rows.flatMap(({ record }) => Object.keys(record ?? {})))];
  const shown = names.slice(0, MAX_COLUMNS);
  return (
    <Panel title={`First ${counted(rows.length, 'record')}`}>
      {rows.length === 0 ? <p>There are no records in this file.</p> : null}
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
                  <Profile of={profiles.get(name)} />
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

/** Summary of a column's values: `date, 98% filled`. */
function Profile({ of: profile }: { readonly of: ColumnSummary | undefined }): JSX.Element | null {
  if (profile === undefined) return null;
  const [kind] = profile.kinds;
  const filled = `${Math.round(profile.filled * 100)}% filled`;
  return <span class="soft">{kind === undefined ? filled : `${kind.kind}, ${filled}`}</span>;
}
