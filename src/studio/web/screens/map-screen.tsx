/** Edits the mapping: its fields, its text, and a record with the document it becomes. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PreviewAnswer } from '../../wire.js';
import { ErrorMessage, figure, Notices, Panel } from '../parts.js';
import { type PairSelection, RecordPair } from '../record-pair.js';
import { ask } from '../session/ask.js';
import type { MappingSession } from '../session/use-session.js';
import { YamlEditor } from '../yaml-editor.js';
import { FieldList } from './field-list.js';

interface MapProps {
  readonly session: MappingSession;
  /** `record` shows a record. */
  readonly address: URLSearchParams;
}

export function MapScreen({ session, address }: MapProps): JSX.Element {
  const { text, isOpen, mistakes, evaluation } = session;
  const [chosen, choose] = useState<PairSelection>();
  const linked = Number(address.get('record'));
  useEffect(() => {
    if (linked > 0) session.showRecord(linked);
  }, [linked]);
  if (!isOpen) return <p role="status">Analysing the file to propose a mapping.</p>;
  const shown = evaluation.answer?.shown ?? undefined;
  return (
    <div class="columns">
      <Panel title="Fields">
        <FieldList session={session} shown={shown} chosen={chosen} choose={choose} />
      </Panel>
      <Panel title="Mapping">
        <YamlEditor text={text} mistakes={mistakes} type={(typed) => session.set(typed, 'typed')} />
      </Panel>
      <Panel title="Record and document" aside={<Stepper session={session} />}>
        <div class={shown === undefined ? 'old' : ''} aria-busy={evaluation.waiting}>
          <ErrorMessage of={evaluation.refused} />
          <Notices of={evaluation.answer?.notices} />
          {shown === undefined ? (
            <p>{evaluation.answer === undefined ? '' : 'There is no record to show.'}</p>
          ) : (
            <RecordPair of={shown} chosen={chosen} choose={choose} />
          )}
        </div>
      </Panel>
    </div>
  );
}

export function previewOf(body: object, signal: AbortSignal): Promise<PreviewAnswer> {
  return ask('/api/preview', { body, signal });
}

function Stepper({ session }: { readonly session: MappingSession }): JSX.Element {
  const count = session.source.answer?.records ?? 0;
  const at = session.record ?? session.evaluation.answer?.shown?.place.record ?? 1;
  return (
    <div class="actions">
      <button type="button" disabled={at <= 1} onClick={() => session.showRecord(at - 1)}>
        Previous
      </button>
      <span>
        {figure(Math.min(at, count))} of {figure(count)}
      </span>
      <button type="button" disabled={at >= count} onClick={() => session.showRecord(at + 1)}>
        Next
      </button>
    </div>
  );
}
