/** How the file is read: what was detected, and options to correct it. */
import type { JSX } from 'preact';
import type { MappingChange } from '../../../index.js';
import type { SourceAnswer } from '../../wire.js';
import { inputOf } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';

const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'utf-16le',
  'shift_jis',
  'gb18030',
];
export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};

/** @param source `undefined` if the file can't be read: then all options that may help are shown */
export function InputOptions(props: {
  readonly session: MappingSession;
  readonly source: SourceAnswer | undefined;
}): JSX.Element {
  const { session, source } = props;
  const { change } = session;
  const stated = inputOf(session.written);
  const detected = source?.detected;
  const isText = detected === undefined || detected.encoding !== null;
  const isTable = detected === undefined || detected.delimiter !== null;
  const isNested = source !== undefined && source.columns === null;
  const option = (name: string): OptionProps => ({ name, stated: stated[name], change });
  return (
    <div class="options">
      {source === undefined && stated['format'] === undefined ? null : (
        <SelectOption
          {...option('format')}
          detected={detected?.format}
          choices={source?.formats ?? []}
        />
      )}
      {isText ? (
        <SelectOption {...option('encoding')} detected={detected?.encoding} choices={ENCODINGS} />
      ) : null}
      {isTable ? (
        <>
          <SelectOption
            {...option('delimiter')}
            detected={detected?.delimiter}
            choices={Object.keys(DELIMITER_NAMES)}
          />
          <SelectOption
            name="header"
            stated={stated['header'] === false ? 'no' : undefined}
            detected="yes"
            choices={['no']}
            change={({ path, value }) =>
              change(value === undefined ? { path } : { path, value: value !== 'no' })
            }
          />
        </>
      ) : null}
      {detected?.sheet ? <TextOption {...option('sheet')} detected={detected.sheet} /> : null}
      {isNested ? <TextOption {...option('records')} detected="the list of records" /> : null}
    </div>
  );
}

interface OptionProps {
  /** The key under `input`. */
  readonly name: string;
  readonly detected?: string | null | undefined;
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
        <option value="">{placeholder(detected)}</option>
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
        placeholder={placeholder(detected)}
        onChange={({ currentTarget: { value } }) => change(optionChange(name, value))}
      />
    </label>
  );
}

function placeholder(detected: string | null | undefined): string {
  return detected ? `detected: ${DELIMITER_NAMES[detected] ?? detected}` : 'detected';
}

/** Sets an option; an empty value removes it, so that it is detected. */
function optionChange(name: string, value: string): MappingChange {
  const path = ['input', name];
  return value === '' ? { path } : { path, value };
}
