/** Options to read the file otherwise than detected; the mapping notes them under `input`. */
import type { MappingChange } from '../../../index.js';
import type { StudioAnswer } from '../../answers.js';
import { Input, Select } from '../parts.js';
import { inputOf } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';

const ENCODINGS =
  'utf-8 windows-1252 iso-8859-15 windows-1250 windows-1251 utf-16le shift_jis gb18030';
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

const UNKNOWN = { format: null, encoding: '', delimiter: '', sheet: null };

function optionsFor(source: StudioAnswer<'source'> | undefined): readonly InputOption[] {
  const { format, encoding, delimiter, sheet } = source?.detected ?? UNKNOWN;
  const header = delimiter === null ? null : 'yes';
  const records = source?.columns === null ? 'the list of records' : null;
  return [
    { name: 'format', detected: format, choices: source?.formats ?? [] },
    { name: 'encoding', detected: encoding, choices: ENCODINGS.split(' ') },
    { name: 'delimiter', detected: delimiter, choices: Object.keys(DELIMITER_NAMES) },
    { name: 'header', detected: header, choices: ['no'] },
    { name: 'sheet', detected: sheet },
    { name: 'records', detected: records },
  ];
}

/** The options for the file; if it can't be read, those that may help. */
export function InputOptions() {
  const { written, source, edit } = useSession();
  const stated = inputOf(written);
  return (
    <div class="row">
      {optionsFor(source.answer).map(({ name, detected, choices }) => {
        if (detected === null && stated[name] === undefined) return null;
        const value = writtenAs(stated[name]);
        const asDetected = detected ? `detected: ${delimiterName(detected)}` : 'detected';
        const write = (text: string) => edit({ changes: [optionChange(name, text)] });
        if (choices === undefined) {
          return (
            <Input key={name} label={name} value={value} write={write} placeholder={asDetected} />
          );
        }
        const all = new Set(['', ...choices, value]);
        const options = [...all].map(
          (one) => [one, one === '' ? asDetected : delimiterName(one)] as const,
        );
        return <Select key={name} label={name} value={value} options={options} choose={write} />;
      })}
    </div>
  );
}

function delimiterName(value: string): string {
  return DELIMITER_NAMES[value] ?? value;
}

function writtenAs(stated: unknown): string {
  if (typeof stated === 'boolean') return stated ? 'yes' : 'no';
  return String(stated ?? '');
}

/** Sets an option; an empty value removes it, so that it is detected. */
function optionChange(name: string, value: string): MappingChange {
  const path = ['input', name];
  if (value === '') return { path };
  return { path, value: name === 'header' ? value !== 'no' : value };
}
