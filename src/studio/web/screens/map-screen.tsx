/** Edits the mapping: its fields, a record with the document it becomes, and the text on demand. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RuleUse } from '../../../operations/preview-documents.js';
import { FieldList } from '../map/field-list.js';
import { FieldPanel } from '../map/field-panel.js';
import { skipChange } from '../map/skip-rules.js';
import { TextDrawer } from '../map/text-drawer.js';
import { ErrorMessage, figure, Notices, Panel } from '../parts.js';
import { DocumentView, type PairSelection, RecordTable } from '../record-pair.js';
import { contributesTo, fieldsOf, type MappedField, shownName } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';

interface MapProps {
  readonly session: MappingSession;
  /** `record` shows a record, `field` opens a field. */
  readonly address: URLSearchParams;
}

export function MapScreen({ session, address }: MapProps): JSX.Element {
  const { isOpen, evaluation, written } = session;
  const [chosen, choose] = useState<PairSelection>();
  const [opened, open] = useState<MappedField>();
  const [line, showLine] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  useLinked(session, address, openField);
  if (!isOpen) return <p role="status">Analysing the file to propose a mapping.</p>;
  const fields = fieldsOf(written);
  const current =
    opened && (fields.find(({ name }) => name === opened.name) ?? withoutRule(opened));
  return (
    <div class="map-screen">
      <div class="columns">
        <Panel title="Fields" class="pane">
          <div ref={list}>
            {current === undefined ? (
              <FieldList
                session={session}
                marked={markedFields(fields, evaluation.answer?.shown?.rules ?? [], chosen)}
                open={openField}
              />
            ) : (
              <FieldPanel
                key={current.name}
                session={session}
                field={current}
                close={close}
                showText={() => showLine(String(current.path.at(-1)))}
              />
            )}
          </div>
        </Panel>
        <RecordPanes session={session} chosen={chosen} choose={choose} />
      </div>
      <TextDrawer session={session} line={line} show={showLine} />
    </div>
  );

  function openField(field: MappedField): void {
    choose({ field: shownName(field) });
    open(field);
  }

  /** Returns to the list, and the focus to the field's place in it. */
  function close(): void {
    open(undefined);
    choose(undefined);
    requestAnimationFrame(() => {
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
      const own = buttons.find(({ dataset }) => dataset['open'] === opened?.name);
      (own ?? buttons[0])?.focus();
    });
  }
}

function withoutRule({ name, path }: MappedField): MappedField {
  return { name, path, rule: undefined };
}

/** Fields that the chosen column goes into, or the chosen field. */
function markedFields(
  fields: readonly MappedField[],
  rules: readonly RuleUse[],
  chosen: PairSelection,
): ReadonlySet<string> {
  if (chosen === undefined) return new Set();
  const about = rules.filter(({ field, columns }) =>
    'column' in chosen ? Object.hasOwn(columns, chosen.column) : contributesTo(field, chosen.field),
  );
  const names = new Set(about.map(({ field }) => field));
  return new Set(fields.filter((one) => names.has(shownName(one))).map(({ name }) => name));
}

interface PanesProps {
  readonly session: MappingSession;
  readonly chosen: PairSelection;
  choose(chosen: PairSelection): void;
}

/** The record and its document, next to each other. */
function RecordPanes({ session, chosen, choose }: PanesProps): JSX.Element {
  const { evaluation, written } = session;
  const { shown, usedBy = {}, notices } = evaluation.answer ?? {};
  const names = Object.keys(usedBy);
  return (
    <>
      <Panel title="Record" class="pane" aside={<Stepper session={session} />}>
        <div aria-busy={evaluation.waiting}>
          <ErrorMessage of={evaluation.refused} />
          <Notices of={notices} />
          {shown ? (
            <RecordTable
              of={shown}
              chosen={chosen}
              choose={choose}
              isUsed={(column) => names.some((name) => name === column || isInside(name, column))}
              actions={(column, value) => (
                <button
                  type="button"
                  onClick={() => session.change(skipChange(written, column, value))}
                >
                  {`Leave out records with ${column} ${value === null || value === '' ? 'empty' : `= ${value}`}`}
                </button>
              )}
            />
          ) : (
            <p>{evaluation.answer === undefined ? '' : 'There is no record to show.'}</p>
          )}
        </div>
      </Panel>
      <Panel title="Document" class="pane">
        {shown ? <DocumentView of={shown} chosen={chosen} choose={choose} /> : null}
      </Panel>
    </>
  );
}

function isInside(path: string, column: string): boolean {
  return path.startsWith(`${column}[`) || path.startsWith(`${column}.`);
}

/** Shows the record and opens the field that the address names. */
function useLinked(
  { showRecord, written }: MappingSession,
  address: URLSearchParams,
  open: (field: MappedField) => void,
): void {
  const record = Number(address.get('record'));
  const field = fieldsOf(written).find(({ name }) => name === address.get('field'));
  useEffect(() => {
    if (record > 0) showRecord(record);
  }, [record]);
  useEffect(() => {
    if (field !== undefined) open(field);
  }, [field?.name]);
}

function Stepper({ session }: { readonly session: MappingSession }): JSX.Element {
  const count = session.source.answer?.records ?? 0;
  const at = session.record ?? session.evaluation.answer?.shown?.place.record ?? 1;
  return (
    <div class="actions">
      <button
        type="button"
        aria-label="Previous record"
        disabled={at <= 1}
        onClick={() => session.showRecord(at - 1)}
      >
        ‹
      </button>
      <span role="status">
        {figure(Math.min(at, count))} of {figure(count)}
      </span>
      <button
        type="button"
        aria-label="Next record"
        disabled={at >= count}
        onClick={() => session.showRecord(at + 1)}
      >
        ›
      </button>
    </div>
  );
}
