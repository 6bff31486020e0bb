/** Shows how saving changes the file before it writes it. */
import { diffLines } from 'diff';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SavedMapping } from '../wire.js';
import { counted, ErrorMessage, UntrustedText } from './parts.js';
import { AnswerError, ask } from './session/ask.js';
import type { MappingSession } from './session/use-session.js';

interface SaveProps {
  readonly session: MappingSession;
  close(): void;
}

export function SaveDialog({ session, close }: SaveProps): JSX.Element {
  const { text, saved, mapping } = session;
  const dialog = useRef<HTMLDialogElement>(null);
  const [refused, setRefused] = useState<AnswerError>();
  useEffect(() => dialog.current?.showModal(), []);
  const conflict = refused?.status === 412;
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="save-title">
      <h2 id="save-title">
        Save <UntrustedText value={mapping?.name ?? ''} />
      </h2>
      <ErrorMessage of={refused} />
      <p>
        {conflict
          ? 'Saving would change the file on the disk as follows:'
          : saved === null
            ? 'The file is new.'
            : 'What changes in the file:'}
      </p>
      <Difference before={saved?.text ?? ''} after={text} />
      <div class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Don’t save
        </button>
        {conflict && saved !== null ? (
          <button type="button" onClick={loadSaved}>
            Take what is on the disk
          </button>
        ) : null}
        <button type="button" class="first" onClick={save}>
          {conflict ? 'Overwrite it' : 'Save'}
        </button>
      </div>
    </dialog>
  );

  async function save(): Promise<void> {
    const headers: Readonly<Record<string, string>> =
      saved === null ? { 'if-none-match': '*' } : { 'if-match': saved.etag };
    try {
      const request = { method: 'PUT', body: { text }, headers } as const;
      session.setSaved(await ask<SavedMapping>('/api/mapping', request));
      dialog.current?.close();
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      // Compare with, and overwrite, the version that is on the disk now.
      if (error.status === 412) session.setSaved(error.saved);
      setRefused(error);
    }
  }

  function loadSaved(): void {
    if (saved !== null) session.set(saved.text);
    dialog.current?.close();
  }
}

/** Unchanged lines shown around each change. */
const CONTEXT = 3;

function Difference(props: { readonly before: string; readonly after: string }): JSX.Element {
  const parts = diffLines(props.before, props.after);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard.
    <section class="difference" tabIndex={0} aria-label="Differences">
      {parts.map(({ value, added, removed }, index) => {
        const lines = value.replace(/\n$/u, '').split('\n');
        const kind = added ? 'added' : removed ? 'removed' : 'same';
        const shown = kind === 'same' ? shortened(lines) : lines;
        return shown.map((line, at) => (
          <div class={kind} key={`${index}.${at}`}>
            {{ added: '+ ', removed: '− ', same: '  ' }[kind]}
            {line}
          </div>
        ));
      })}
    </section>
  );
}

function shortened(lines: readonly string[]): readonly string[] {
  const hidden = lines.length - 2 * CONTEXT;
  if (hidden < 2) return lines;
  return [
    ...lines.slice(0, CONTEXT),
    `… ${counted(hidden, 'unchanged line')}`,
    ...lines.slice(-CONTEXT),
  ];
}
