/** Edits the mapping: its fields, a record with the document it becomes, and the text on demand. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ColumnChoice } from '../map/columns.js';
import { FieldList, type ListProps } from '../map/field-list.js';
import { FieldPanel } from '../map/field-panel.js';
import { skipChanges } from '../map/skip-rules.js';
import { Button, ErrorMessage, Notices, Pager, Panel, untrusted } from '../parts.js';
import {
  DocumentView,
  linkedRules,
  type PairSelection,
  RecordView,
  type ViewProps,
} from '../record-view.js';
import { useAddress } from '../session/address.js';
import {
  contributesTo,
  labelOf,
  type MappedField,
  mappingFields,
  shownName,
} from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';
import { YamlEditor } from '../yaml-editor.js';

export function MapScreen() {
  const { shown, written } = useSession();
  const [chosen, choose] = useState<PairSelection>({});
  const [opened, open] = useState<MappedField>();
  const [isTextOpen, showText] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const fields = mappingFields(written);
  const address = useAddress().get('field');
  const addressed = fields.find(({ name }) => name === address);
  useEffect(() => {
    if (addressed !== undefined) openField(addressed);
  }, [addressed?.name]);
  const current =
    opened && (fields.find(({ name }) => name === opened.name) ?? { ...opened, rule: undefined });
  const linked = linkedRules(shown?.rules ?? [], chosen);
  const isMarked = (one: MappedField) => linked.some(({ field }) => field === shownName(one));
  return (
    <div class="map-screen">
      <MissingColumns />
      <div class="columns">
        <Panel title="Fields" class="pane">
          <div ref={list}>
            {current === undefined ? (
              <FieldList isMarked={isMarked} open={openField} />
            ) : (
              <FieldPanel key={current.name} field={current} close={close} />
            )}
          </div>
        </Panel>
        <RecordPanes chosen={chosen} choose={choose} open={openField} />
      </div>
      <section class="drawer" aria-label="The mapping’s text">
        <Button
          class="plain link expand"
          aria-expanded={isTextOpen}
          text="Mapping text"
          onClick={() => showText(!isTextOpen)}
        />
        {isTextOpen && <YamlEditor />}
      </section>
    </div>
  );

  function openField(field: MappedField): void {
    choose({ field: shownName(field) });
    open(field);
  }

  /** Returns to the list, and the focus to the field's place in it. */
  function close(): void {
    open(undefined);
    choose({});
    requestAnimationFrame(() => {
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
      const own = buttons.find(({ dataset }) => dataset['open'] === opened?.name);
      (own ?? buttons[0])?.focus();
    });
  }
}

/** Columns that the mapping names and the file lacks, each to be replaced at once. */
function MissingColumns() {
  const { evaluation, edit } = useSession();
  return evaluation.answer?.missing.map((column) => (
    <div key={column} class="notices row" role="status">
      <p class="wrong">Column {untrusted(column)} is gone. Replace it everywhere by:</p>
      <ColumnChoice label={`Replace ${column}`} choose={(by) => edit({ replace: [column, by] })} />
    </div>
  ));
}

/** The record and its document, next to each other. */
function RecordPanes(props: Pick<ViewProps, 'chosen' | 'choose'> & Pick<ListProps, 'open'>) {
  const { chosen, choose, open } = props;
  const { evaluation, shown: record, written, usedBy, edit, showRecord } = useSession();
  const { answer, refused, waiting } = evaluation;
  // A rule may use a part of a column: `list[0].name`.
  const isUsed = (column: string): boolean =>
    Object.keys(usedBy).some(
      (name) => name === column || `${name}.`.replace('[', '.').startsWith(`${column}.`),
    );
  const shown = record && { of: record, chosen, choose };
  const faulty = mappingFields(written).filter((one) =>
    record?.problems.some(({ field }) => field && contributesTo(shownName(one), field)),
  );
  const fix = (field: MappedField) => (
    <Button key={field.name} text={`Fix ${labelOf(field.name)}`} onClick={() => open(field)} />
  );
  const leaveOut = (column: string, value: unknown) => (
    <Button
      text={`Leave out records with ${column} ${(value ?? '') === '' ? 'empty' : `= ${value}`}`}
      onClick={() => {
        // So that the record stays.
        showRecord(shown?.of.place.record);
        edit((written) => ({ changes: skipChanges(written, column, value) }));
      }}
    />
  );
  return (
    <>
      <Panel title="Record" class="pane" aside={<Stepper />}>
        <div aria-busy={waiting}>
          <ErrorMessage of={refused} />
          <Notices of={answer?.notices} />
          {shown && <RecordView {...shown} isUsed={isUsed} actions={leaveOut} />}
          {record === null && <p>There is no record to show.</p>}
        </div>
      </Panel>
      <Panel title="Document" class="pane" aside={<div class="actions">{faulty.map(fix)}</div>}>
        {shown && <DocumentView {...shown} />}
      </Panel>
    </>
  );
}

function Stepper() {
  const { source, record, shown, showRecord } = useSession();
  const count = source.answer?.records ?? 0;
  const at = record ?? shown?.place.record ?? 1;
  return <Pager thing="record" at={at} of={count} show={showRecord} />;
}
