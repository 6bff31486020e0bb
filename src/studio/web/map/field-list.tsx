/** The document's fields in groups: where each comes from, how it does, and what is still to be decided. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, ChoiceList, Input } from '../controls.js';
import { fieldAt, fieldsOf, type MappedField, wholeName } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';
import { counted, fieldName, untrusted } from '../text.js';
import { FIELD_GROUPS, groupOf, labelOf, pathOf } from './field-names.js';
import { FieldMistakes, Questions } from './questions.js';
import { partsOf } from './rule-parts.js';
import { SkipRules } from './skip-rules.js';

interface ListProps {
  /** Names of the fields that are marked. */
  marked: ReadonlySet<string>;
  open(field: MappedField): void;
}

export function FieldList({ marked, open }: ListProps) {
  const fields = fieldsOf(useSession().written);
  return (
    <>
      <Questions of={(name) => !fields.some((field) => field.name === name)} />
      {FIELD_GROUPS.map(({ title, fields: labels }) => {
        const order = Object.keys(labels);
        const rank = ({ name }: MappedField) => order.indexOf(name) + 1 || Number.MAX_VALUE;
        const listed = fields.filter(({ name }) => groupOf(name) === title);
        if (listed.length === 0) return null;
        return (
          <section key={title} class="group">
            <h3>{title}</h3>
            <ul class="fields">
              {listed
                .toSorted((a, b) => rank(a) - rank(b))
                .map((field) => (
                  <li key={field.name} class={marked.has(field.name) ? 'marked' : ''}>
                    <FieldButton field={field} open={open} />
                    <FieldFigures field={field} />
                    <Questions of={(name) => name === field.name} />
                    <FieldMistakes field={field} />
                  </li>
                ))}
            </ul>
          </section>
        );
      })}
      <NewField fields={fields} open={open} />
      <SkipRules />
    </>
  );
}

function FieldButton({ field, open }: { field: MappedField; open: ListProps['open'] }) {
  return (
    <button type="button" class="field-button" data-open={field.name} onClick={() => open(field)}>
      <b>{labelOf(field.name)}</b> <span class="soft">{fieldName(field.name)}</span>
      <div class="soft">{originText(field)}</div>
    </button>
  );
}

/** Where a field comes from, in few words. */
function originText({ rule }: MappedField): ComponentChildren {
  const { kind, columns } = partsOf(rule);
  if (kind === 'constant') return 'always the same';
  if (columns.length === 0) return 'a rule of its own';
  return [kind === 'hash' ? 'an id made from ' : 'from ', untrusted(columns.join(', '))];
}

/** How far a field is filled; its links show the first records that are not. */
export function FieldFigures({ field }: { field: MappedField }) {
  const { health } = useSession();
  const found = health?.fields.find((one) => one.field === wholeName(field));
  if (health === undefined || found === undefined) return null;
  const documents = health.sampled - health.skipped;
  const share = documents === 0 ? 0 : Math.floor((found.filled / documents) * 100);
  const { problems, firstEmpty, firstProblem } = found;
  return (
    <p class="figures">
      <RecordLink record={firstEmpty} title="Show the first record without it">
        {share}% filled
      </RecordLink>
      {problems > 0 && (
        <RecordLink record={firstProblem} title="Show the first of them">
          <span class="wrong">{counted(problems, 'problem')}</span>
        </RecordLink>
      )}
    </p>
  );
}

interface LinkProps {
  record: number | null;
  title: string;
  children: ComponentChildren;
}

function RecordLink({ record, title, children }: LinkProps) {
  const { showRecord } = useSession();
  if (record === null) return <span>{children}</span>;
  return <Button class="plain" title={title} text={children} onClick={() => showRecord(record)} />;
}

/** Starts a field that the mapping doesn't have yet. */
function NewField({ fields, open }: { fields: readonly MappedField[]; open: ListProps['open'] }) {
  const [named, setNamed] = useState<readonly [above: string, word: string]>();
  const known = new Set(fields.map(({ name }) => name));
  const tags = fields.filter(({ path }) => path[1] === 'tags').length;
  const groups = FIELD_GROUPS.map(({ title, fields: labels, own }) => ({
    title,
    choices: [
      ...Object.entries({
        ...labels,
        ...(own?.[1] === 'annotation' && { [`tags.${tags}`]: 'Tag' }),
      })
        .filter(([name]) => !known.has(name))
        .map(([name, text]) => ({ text, detail: name, choose: () => open(fieldAt(pathOf(name))) })),
      ...(own === undefined
        ? []
        : [{ text: `Another ${own[1]}…`, detail: own[0], choose: () => setNamed(own) }]),
    ],
  }));
  return (
    <div class="new-field">
      <ChoiceList label="Add a field" groups={groups} />
      {named !== undefined && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('name')).trim();
            if (name !== '') open(fieldAt([...pathOf(named[0]), name]));
          }}
        >
          <Input label={`Name of the ${named[1]}`} name="name" required autofocus />
          <Button text="Continue" type="submit" />
        </form>
      )}
    </div>
  );
}
