/** The document's fields: each with its source, confidence and alternatives. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Guess, GuessedField, MappingMistake } from '../../../index.js';
import type { PreviewedRecord } from '../../../operations/preview-documents.js';
import { ChoiceList } from '../choice-list.js';
import { FieldName, UntrustedText } from '../parts.js';
import { originsOf, type PairSelection } from '../record-pair.js';
import { columnChange, fieldsOf, type MappedField, ruleText } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';

interface ListProps {
  readonly session: MappingSession;
  readonly shown: PreviewedRecord | undefined;
  readonly chosen: PairSelection;
  choose(chosen: PairSelection): void;
}

export function FieldList(props: ListProps): JSX.Element {
  const { session } = props;
  const fields = fieldsOf(session.written);
  const columns = columnsOf(session);
  return (
    <>
      <ul class="fields">
        {fields.map((field) => (
          <Field key={field.name} field={field} columns={columns} {...props} />
        ))}
      </ul>
      <NewField session={session} fields={fields} columns={columns} />
      <OpenQuestions guess={session.guess} />
    </>
  );
}

/** Open questions of the guess, and columns it left out. */
function OpenQuestions({ guess }: { readonly guess: Guess | undefined }): JSX.Element | null {
  if (guess === undefined || guess.leftOut.length + guess.todos.length === 0) return null;
  return (
    <details>
      <summary>Open questions of the guess</summary>
      <ul>
        {guess.todos.map((todo) => (
          <li key={todo}>
            <UntrustedText value={todo} />
          </li>
        ))}
        {guess.leftOut.map(({ column, fields, because }) => (
          <li key={column}>
            <UntrustedText value={column} />
            {fields.length === 0 ? '' : `, perhaps for ${fields.join(' or ')}`}:{' '}
            <UntrustedText value={because} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Names that rules can use: a table's columns, or paths into objects. */
function columnsOf({ source, guess }: MappingSession): readonly string[] {
  return source.answer?.columns ?? guess?.columns?.map(({ name }) => name) ?? [];
}

function Field(
  props: ListProps & { readonly field: MappedField; readonly columns: readonly string[] },
): JSX.Element {
  const { session, shown, field, columns, chosen, choose } = props;
  const { name, rule } = field;
  const guessed = guessedField(session, field);
  const origins = shown === undefined ? [] : originsOf(shown, name);
  const isChosen = chosen !== undefined && 'field' in chosen && chosen.field === name;
  return (
    <li class={isChosen ? 'marked' : ''}>
      <div class="field-head">
        <button
          type="button"
          class="plain"
          aria-current={isChosen ? 'true' : undefined}
          onClick={() => choose(isChosen ? undefined : { field: name })}
        >
          <FieldName name={name} />
        </button>
        {guessed === undefined ? null : (
          <span class={`confidence ${guessed.confidence}`}>{guessed.confidence}</span>
        )}
      </div>
      <Picker session={session} field={field} columns={columns} origins={origins} />
      <details>
        <summary>Why</summary>
        <p>
          <UntrustedText value={guessed?.evidence ?? 'This rule was not guessed.'} />
        </p>
        <p>
          <code>
            <UntrustedText value={ruleText(rule)} />
          </code>
        </p>
      </details>
      <Mistakes of={session.mistakes} field={field} />
    </li>
  );
}

/** The guess for a field, if the field still has the guessed rule. */
function guessedField(
  session: MappingSession,
  { name, rule }: MappedField,
): GuessedField | undefined {
  const before = fieldsOf(session.guessed).find((one) => one.name === name);
  if (before === undefined || JSON.stringify(before.rule) !== JSON.stringify(rule)) {
    return undefined;
  }
  return session.guess?.fields.find(({ field }) => field === name);
}

function Mistakes(props: {
  readonly of: readonly MappingMistake[];
  readonly field: MappedField;
}): JSX.Element {
  const { path } = props.field;
  const about = props.of.filter((mistake) => path.every((step, at) => mistake.path[at] === step));
  return (
    <>
      {about.map(({ message, severity, offset }) => (
        <p key={`${offset} ${message}`} class={`remark ${severity}`}>
          <UntrustedText value={message} />
        </p>
      ))}
    </>
  );
}

interface PickerProps {
  readonly session: MappingSession;
  readonly field: MappedField;
  readonly columns: readonly string[];
  readonly origins: readonly string[];
}

function Picker({ session, field, columns, origins }: PickerProps): JSX.Element {
  const { name, path, rule } = field;
  const alternatives = session.guess?.fields.find((one) => one.field === name)?.rivals ?? [];
  const own = JSON.stringify(rule);
  const profiles = new Map(session.guess?.columns.map((one) => [one.name, one]));
  const groups = [
    {
      title: 'Alternatives of the guess',
      choices: alternatives
        .filter((one) => JSON.stringify(one.rule) !== own)
        .map(({ column, evidence, confidence, rule: other }) => ({
          text: column ?? ruleText(other),
          detail: `${confidence}: ${evidence}`,
          choose: () => void session.change({ path, value: other }),
        })),
    },
    {
      title: 'A column',
      choices: columns.map((column) => ({
        text: column,
        detail: profiles.get(column)?.examples.slice(0, 2).join(', '),
        choose: () => void session.change(columnChange(field, column)),
      })),
    },
    {
      title: 'Nothing',
      choices: [{ text: 'Leave this field out', choose: () => void session.change({ path }) }],
    },
  ];
  const current = origins.length === 0 ? ruleText(rule) : origins.join(', ');
  return (
    <ChoiceList label={`Where ${name} comes from`} current={oneLine(current)} groups={groups} />
  );
}

/** Length of an option's text, in UTF-16 code units. */
const MAX_OPTION_LENGTH = 60;

/** Puts a text on one line and shortens it: `<option>` holds plain text only. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > MAX_OPTION_LENGTH ? `${line.slice(0, MAX_OPTION_LENGTH)}…` : line;
}

interface NewFieldProps {
  readonly session: MappingSession;
  readonly fields: readonly MappedField[];
  readonly columns: readonly string[];
}

/** Form that adds a field to the mapping. */
function NewField({ session, fields, columns }: NewFieldProps): JSX.Element | null {
  const known = new Set(fields.map(({ name }) => name));
  const free = DOCUMENT_FIELDS.filter((name) => !known.has(name));
  const [picked, setName] = useState('');
  const [column, setColumn] = useState('0');
  const name = free.includes(picked) ? picked : (free[0] ?? '');
  if (free.length === 0 || columns.length === 0) return null;
  return (
    <form
      class="new-field"
      onSubmit={(event) => {
        event.preventDefault();
        const path = ['document', ...name.split('.')];
        const from = columns[Number(column)] ?? '';
        void session.change(columnChange({ name, path, rule: undefined }, from));
      }}
    >
      <label>
        Another field
        <select value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
          {free.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        from
        <select value={column} onChange={({ currentTarget }) => setColumn(currentTarget.value)}>
          {columns.map((one, index) => (
            <option key={one} value={String(index)}>
              {oneLine(one)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Add</button>
    </form>
  );
}

/** Fields that the form offers. Fields with user-chosen names, for example other metrics, are written in the text. */
const DOCUMENT_FIELDS = [
  'sourceId',
  'parentSourceId',
  'text',
  'language',
  'sentiment',
  'published',
  'downloaded',
  'url',
  'detectedLocations.country',
  'detectedLocations.state',
  'detectedLocations.city',
  'metrics.score',
  'metrics.likes',
  'metrics.comments',
  'metrics.shares',
  'author.sourceId',
  'author.username',
];
