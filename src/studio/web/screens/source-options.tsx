/** Options to read the file otherwise than detected; the mapping notes them under `input`. */
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

interface InputOption {
  /** The key under `input`. */
  readonly name: string;
  /** `null` if the option makes no sense for the file. */
  readonly detected: string | null;
  /** Any text if absent. */
  readonly choices?: readonly string[];
}

/** @param source `undefined` if the file can't be read: then with the options that may help */
export function InputOptions(props: {
  readonly session: MappingSession;
  readonly source: SourceAnswer | undefined;
}): JSX.Element {
  const { session, source } = props;
  const stated = inputOf(session.written);
  return (
    <div class="options">
      {optionsFor(source)
        .filter(({ name, detected }) => detected !== null || stated[name] !== undefined)
        .map((option) => (
          <Option key={option.name} of={option} stated={stated[option.name]} session={session} />
        ))}
    </div>
  );
}

const UNKNOWN = { format: null, encoding: '', delimiter: '', sheet: null };

function optionsFor(source: SourceAnswer | undefined): readonly InputOption[] {
  const { format, encoding, delimiter, sheet } = source?.detected ?? UNKNOWN;
  const header = delimiter === null ? null : 'yes';
  const records = source?.columns === null ? 'the list of records' : null;
  return [
    { name: 'format', detected: format, choices: source?.formats ?? [] },
    { name: 'encoding', detected: encoding, choices: ENCODINGS },
    { name: 'delimiter', detected: delimiter, choices: Object.keys(DELIMITER_NAMES) },
    { name: 'header', detected: header, choices: ['no'] },
    { name: 'sheet', detected: sheet },
    { name: 'records', detected: records },
  ];
}

function Option(props: {
  readonly of: InputOption;
  readonly stated: unknown;
  readonly session: MappingSession;
}): JSX.Element {
  const { name, detected, choices } = props.of;
  const id = `option-${name}`;
  const value = props.stated === undefined ? '' : writtenAs(props.stated);
  const asDetected = detected ? `detected: ${DELIMITER_NAMES[detected] ?? detected}` : 'detected';
  const change = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    props.session.change(optionChange(name, currentTarget.value));
  return (
    <label for={id}>
      {name}
      {choices === undefined ? (
        <input id={id} type="text" value={value} placeholder={asDetected} onChange={change} />
      ) : (
        <select id={id} value={value} onChange={change}>
          <option value="">{asDetected}</option>
          {[...new Set([...choices, ...(value === '' ? [] : [value])])].map((choice) => (
            <option key={choice} value={choice}>
              {DELIMITER_NAMES[choice] ?? choice}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}

function writtenAs(stated: unknown): string {
  return typeof stated === 'boolean' ? (stated ? 'yes' : 'no') : String(stated);
}

/** Sets an option; an empty value removes it, so that it is detected. */
function optionChange(name: string, value: string): MappingChange {
  const path = ['input', name];
  if (value === '') return { path };
  return { path, value: name === 'header' ? value !== 'no' : value };
}
