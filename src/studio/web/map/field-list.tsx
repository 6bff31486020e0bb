/** The document's fields in groups: where each comes from, how it does, and what is still to be decided. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceList } from '../choice-list.js';
import { FieldName, figure, UntrustedText } from '../parts.js';
import { fieldAt, fieldsOf, type MappedField, wholeName } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';
import { FIELD_GROUPS, groupOf, labelOf, pathOf } from './field-names.js';
import { FieldMistakes, Questions } from './questions.js';
import { partsOf } from './rule-parts.js';
import { SkipRules } from './skip-rules.js';

interface ListProps {
  readonly session: MappingSession;
  /** Names of the fields that are marked. */
  readonly marked: ReadonlySet<string>;
  open(field: MappedField): void;
}

export function FieldList({ session, marked, open }: ListProps): JSX.Element {
  const fields = fieldsOf(session.written);
  return (
    <>
      <Questions session={session} of={(name) => !fields.some((field) => field.name === name)} />
      {FIELD_GROUPS.map(({ title, fields: labels }) => {
        const names = Object.keys(labels);
        const inGroup = fields.filter(({ name }) => groupOf(name) === title);
        const listed = [
          ...names.flatMap((known) => inGroup.filter(({ name }) => name === known)),
          ...inGroup.filter(({ name }) => !names.includes(name)),
        ];
        return listed.length === 0 ? null : (
          <section key={title} class="group">
            <h3>{title}</h3>
            <ul class="fields">
              {listed.map((field) => (
                <li key={field.name} class={marked.has(field.name) ? 'marked' : ''}>
                  <FieldButton field={field} open={open} />
                  <FieldFigures session={session} field={field} />
                  <Questions session={session} of={(name) => name === field.name} />
                  <FieldMistakes session={session} field={field} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <NewField fields={fields} open={open} />
      <SkipRules session={session} />
    </>
  );
}

function FieldButton(props: {
  readonly field: MappedField;
  open(field: MappedField): void;
}): JSX.Element {
  const { field, open } = props;
  return (
    <button type="button" class="field-button" data-open={field.name} onClick={() => open(field)}>
      <span>
        <b>{labelOf(field.name)}</b>{' '}
        <span class="soft">
          <FieldName name={field.name} />
        </span>
      </span>
      <span class="soft">{originText(field)}</span>
    </button>
  );
}

/** Where a field comes from, in few words. */
function originText({ rule }: MappedField): JSX.Element {
  const { kind, columns } = partsOf(rule);
  if (kind === 'constant') return <>always the same</>;
  if (columns.length === 0) return <>a rule of its own</>;
  return (
    <>
      {kind === 'hash' ? 'an id made from ' : 'from '}
      <UntrustedText value={columns.join(', ')} />
    </>
  );
}

/** How far a field is filled; its links show the first records that are not. */
export function FieldFigures(props: {
  readonly session: MappingSession;
  readonly field: MappedField;
}): JSX.Element | null {
  const { session, field } = props;
  const { health } = session;
  const found = health?.fields.find((one) => one.field === wholeName(field));
  if (health === undefined || found === undefined) return null;
  const documents = health.sampled - health.skipped;
  const share = documents === 0 ? 0 : Math.floor((found.filled / documents) * 100);
  return (
    <p class="figures">
      <RecordLink
        session={session}
        record={found.firstEmpty}
        title="Show the first record without it"
      >
        {share}% filled
      </RecordLink>
      {found.problems === 0 ? null : (
        <RecordLink session={session} record={found.firstProblem} title="Show the first of them">
          <span class="wrong">
            {figure(found.problems)} {found.problems === 1 ? 'problem' : 'problems'}
          </span>
        </RecordLink>
      )}
    </p>
  );
}

function RecordLink(props: {
  readonly session: MappingSession;
  readonly record: number | null;
  readonly title: string;
  readonly children: unknown;
}): JSX.Element {
  const { session, record, title, children } = props;
  if (record === null) return <span>{children as JSX.Element}</span>;
  return (
    <button type="button" class="plain" title={title} onClick={() => session.showRecord(record)}>
      {children as JSX.Element}
    </button>
  );
}

/** Starts a field that the mapping doesn't have yet. */
function NewField(props: {
  readonly fields: readonly MappedField[];
  open(field: MappedField): void;
}): JSX.Element {
  const { fields, open } = props;
  const [named, setNamed] = useState<readonly [above: string, word: string]>();
  const known = new Set(fields.map(({ name }) => name));
  const tags = fields.filter(({ path }) => path[1] === 'tags').length;
  const groups = FIELD_GROUPS.map(({ title, fields: labels, own }) => ({
    title,
    choices: [
      ...Object.entries(labels)
        .filter(([name]) => !known.has(name))
        .map(([name, text]) => ({ text, detail: name, choose: () => open(fieldAt(pathOf(name))) })),
      ...(title === 'Tags and more'
        ? [{ text: 'Tag', detail: 'tags', choose: () => open(fieldAt(['tags', tags])) }]
        : []),
      ...(own === undefined
        ? []
        : [{ text: `Another ${own[1]}…`, detail: own[0], choose: () => setNamed(own) }]),
    ],
  }));
  return (
    <div class="new-field">
      <ChoiceList label="Add a field" groups={groups} />
      {named === undefined ? null : (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('name')).trim();
            if (name !== '') open(fieldAt([...pathOf(named[0]), name]));
          }}
        >
          <label>
            Name of the {named[1]}
            <input type="text" name="name" required ref={(input) => input?.focus()} />
          </label>
          <button type="submit">Continue</button>
        </form>
      )}
    </div>
  );
}
