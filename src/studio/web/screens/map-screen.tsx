/** Edits the mapping: its fields, its text, and a record with the document it becomes. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PreviewAnswer } from '../../wire.js';
import { ErrorMessage, figure, Notices, Panel } from '../parts.js';
import { type PairSelection, RecordPair } from '../record-pair.js';
import { ask, type RequestState, useAnswer } from '../session/ask.js';
import type { MappingSession } from '../session/use-session.js';
import { YamlEditor } from '../yaml-editor.js';
import { FieldList } from './field-list.js';

interface MapProps {
  readonly session: MappingSession;
  /** Index of the shown record in the sample, from 0. */
  readonly index: number;
  show(index: number): void;
}

/** Number of skipped records to step over at first, to begin with one that has a document. */
const MAX_STEPS = 25;

export function MapScreen({ session, index, show }: MapProps): JSX.Element {
  const { text, isOpen, mistakes, source } = session;
  const [chosen, choose] = useState<PairSelection>();
  const preview = useAnswer(
    isOpen ? (signal) => previewOf({ text, from: index, limit: 1 }, signal) : undefined,
    [text, index, isOpen],
  );
  const shown = preview.answer?.records[0];
  const isSkipped = shown?.skipped === true && !preview.waiting;
  // Begin with a record that has a document, until the user chooses one.
  const isChosen = useRef(index > 0);
  useEffect(() => {
    if (isSkipped && !isChosen.current && index < MAX_STEPS) show(index + 1);
  }, [isSkipped, index]);
  const step = (to: number): void => {
    isChosen.current = true;
    show(to);
  };
  if (!isOpen) return <p role="status">Analysing the file to propose a mapping.</p>;
  return (
    <div class="columns">
      <Panel title="Fields">
        <FieldList session={session} shown={shown} chosen={chosen} choose={choose} />
      </Panel>
      <Panel title="Mapping">
        <YamlEditor text={text} mistakes={mistakes} type={(typed) => session.set(typed, 'typed')} />
      </Panel>
      <Panel
        title="Record and document"
        aside={<Stepper index={index} count={source.answer?.records ?? 0} show={step} />}
      >
        <PreviewOf preview={preview} chosen={chosen} choose={choose} />
      </Panel>
    </div>
  );
}

export function previewOf(body: object, signal: AbortSignal): Promise<PreviewAnswer> {
  return ask('/api/preview', { body, signal });
}

function PreviewOf(props: {
  readonly preview: RequestState<PreviewAnswer>;
  readonly chosen: PairSelection;
  choose(chosen: PairSelection): void;
}): JSX.Element {
  const { preview, chosen, choose } = props;
  const [shown] = preview.answer?.records ?? [];
  return (
    <div class={preview.refused === undefined ? '' : 'old'} aria-busy={preview.waiting}>
      <ErrorMessage of={preview.refused} />
      <Notices of={preview.answer?.notices} />
      {shown === undefined ? (
        <p>{preview.answer === undefined ? '' : 'There is no record to show.'}</p>
      ) : (
        <RecordPair of={shown} chosen={chosen} choose={choose} />
      )}
    </div>
  );
}

function Stepper(props: {
  readonly index: number;
  readonly count: number;
  show(index: number): void;
}): JSX.Element {
  const { index, count, show } = props;
  return (
    <div class="actions">
      <button type="button" disabled={index === 0} onClick={() => show(index - 1)}>
        Previous
      </button>
      <span>
        {figure(Math.min(index + 1, count))} of {figure(count)}
      </span>
      <button type="button" disabled={index + 1 >= count} onClick={() => show(index + 1)}>
        Next
      </button>
    </div>
  );
}
