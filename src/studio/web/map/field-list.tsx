/** The document's fields in groups: where each comes from, how it does, and what is still to be decided. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fieldKeys, mainColumns } from '../../../mapping/rules.js';
import { kindOf } from '../../../operations/studio/rule-parts.js';
import { ChoiceList } from '../choice-list.js';
import { Button, counted, fieldName, Input, untrusted } from '../parts.js';
import {
  FIELD_GROUPS,
  fieldAt,
  fieldGroup,
  fieldPath,
  labelOf,
  type MappedField,
  mappingFields,
} from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';
import { Checklist } from './checklist.js';
import { FieldMistakes, Questions } from './questions.js';
import { SkipRules } from './skip-rules.js';
import { Setting } from './step-controls.js';

export interface ListProps {
  isMarked(field: MappedField): boolean;
  open(field: MappedField): void;
}

export function FieldList({ isMarked, open }: ListProps) {
  const fields = mappingFields(useSession().written);
  return (
    <>
      <Setting of="name" label="Name of the mapping" />
      <Questions of={(name) => !fields.some((field) => field.name === name)} />
      {FIELD_GROUPS.map((group) => {
        const listed = fields.filter(({ name }) => fieldGroup(name) === group);
        if (listed.length === 0) return null;
        return (
          <section key={group.title} class="group">
            <h3>{group.title}</h3>
            <ul class="fields">
              {listed.map((field) => (
                <li key={field.name} class={isMarked(field) ? 'marked' : ''}>
                  <FieldButton field={field} open={open} />
                  <FieldFigures field={field} />
                  <Questions of={(name) => name === field.name} />
                  <Checklist field={field} />
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
      <div class="soft clip">{originText(field)}</div>
    </button>
  );
}

/** Where a field comes from, in few words. */
function originText({ rule }: MappedField): ComponentChildren {
  const [kind, columns] = [kindOf(rule), mainColumns(rule)];
  if (kind === 'constant') return 'always the same';
  if (columns.length === 0) return 'a rule of its own';
  return [kind === 'hash' ? 'an id made from ' : 'from ', untrusted(columns.join(', '))];
}

/** How far a field is filled; its links show the first records that are not. */
export function FieldFigures({ field }: { field: MappedField }) {
  const { health, isEvaluated, showRecord } = useSession();
  const name = fieldKeys(field.path).join('.');
  const found = health?.fields.find((one) => one.field === name);
  if (health === undefined || found === undefined || field.rule === undefined) return null;
  const documents = health.sampled - health.skipped;
  const share = documents === 0 ? 0 : Math.floor((found.filled / documents) * 100);
  const link = (text: ComponentChildren, record: number | null, title: string) => (
    <Button
      text={text}
      title={title}
      class="plain"
      disabled={record === null}
      onClick={() => record !== null && showRecord(record)}
    />
  );
  const problems = <span class="wrong">{counted(found.problems, 'problem')}</span>;
  return (
    <p class="figures" aria-busy={!isEvaluated}>
      {link(`${share}% filled`, found.firstEmpty, 'Show the first record without it')}
      {found.problems > 0 && link(problems, found.firstProblem, 'Show the first of them')}
    </p>
  );
}

/** Starts a field that the mapping doesn't have yet. */
function NewField({ fields, open }: { fields: readonly MappedField[]; open: ListProps['open'] }) {
  const [named, setNamed] = useState<readonly [above: string, word: string]>();
  const tags = fields.filter(({ path }) => path[1] === 'tags').length;
  const groups = FIELD_GROUPS.map(({ title, fields: labels, own }) => {
    const missing = Object.entries(labels).filter(
      ([key]) => !fields.some(({ name }) => name === key),
    );
    if (own?.[1] === 'annotation') missing.push([`tags.${tags}`, 'Tag']);
    const add = (name: string) => () => open(fieldAt(fieldPath(name)));
    const choices = missing.map(([name, text]) => ({ text, detail: name, choose: add(name) }));
    if (own === undefined) return { title, choices };
    const another = { text: `Another ${own[1]}…`, detail: own[0], choose: () => setNamed(own) };
    return { title, choices: [...choices, another] };
  });
  return (
    <div class="new-field">
      <ChoiceList label="Add a field" groups={groups} />
      {named !== undefined && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('name')).trim();
            if (name !== '') open(fieldAt([...fieldPath(named[0]).slice(0, -1), name]));
          }}
        >
          <Input label={`Name of the ${named[1]}`} name="name" required autofocus />
          <Button text="Continue" type="submit" />
        </form>
      )}
    </div>
  );
}
